package ui

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/secret"
)

// Mark is a range of bytes, [Start, End), in a line.
type Mark struct{ Start, End int }

// Snippet is one line of a file prepared for display: the text, and a second line that points at a part of it.
type Snippet struct{ Text, Pointer string }

// cell is one character as displayed, or a hidden range.
type cell struct {
	mark  Mark
	text  string
	width int
}

// NewSnippet returns line with a caret and tildes under the bytes of at; an empty or distant range gets only a caret.
// Tabs stay tabs in both lines, so that they align at every tab width; other control characters are made visible. The
// bytes of hidden ranges, which are in order, are shown as secret.Mask. Lines wider than limit columns are truncated
// around the range, with "…" where something is omitted.
func NewSnippet(line string, at Mark, hidden []Mark, limit int) Snippet {
	if len(hidden) == 0 && len(line) <= limit && shownAsIs(line) {
		first := min(max(at.Start, 0), len(line))
		return Snippet{Text: line, Pointer: strings.Repeat(" ", first) + "^" + strings.Repeat("~", max(min(at.End, len(line))-first-1, 0))}
	}
	return cellSnippet(line, at, hidden, limit)
}

// cellSnippet is NewSnippet for any line.
func cellSnippet(line string, at Mark, hidden []Mark, limit int) Snippet {
	line, at, hidden, before, behind := near(line, at, hidden, limit)
	cells := split(line, hidden)
	first, last := pointed(cells, at)
	from, to := window(cells, first, last, limit)
	var text, pointer strings.Builder
	if from > 0 || before {
		text.WriteString("…")
		pointer.WriteString(" ")
	}
	for i := from; i < to; i++ {
		text.WriteString(cells[i].text)
		pointer.WriteString(under(cells[i], i-first, last-first))
	}
	if to < len(cells) || behind {
		text.WriteString("…")
	}
	if first >= to {
		pointer.WriteString("^")
	}
	return Snippet{Text: text.String(), Pointer: pointer.String()}
}

// shownAsIs reports whether each byte of a line takes one column and is shown unchanged.
func shownAsIs(line string) bool {
	for i := range len(line) {
		if line[i] < ' ' || line[i] >= 0x7f || i > 0 && line[i] == line[i-1] && (line[i] == '#' || line[i] == ':') {
			return false // two of these may begin a CI command
		}
	}
	return true
}

// near truncates a long line to what may be shown around the range, at most eight bytes per column; before and behind
// report whether something was removed.
func near(line string, at Mark, hidden []Mark, limit int) (cut string, moved Mark, kept []Mark, before, behind bool) {
	reach := 8 * min(max(limit, 1), 1<<20)
	if len(line) <= 8*reach {
		return line, at, hidden, false, false
	}
	from, to := max(min(at.Start, len(line))-reach, 0), min(max(at.Start, 0)+reach, len(line))
	first, _ := slices.BinarySearchFunc(hidden, from-utf8.UTFMax, func(h Mark, at int) int { return cmp.Compare(h.End, at) })
	hidden = hidden[first:]    // there may be thousands, of which few are near
	for _, h := range hidden { // a secret is hidden as a whole
		if h.Start >= to {
			break
		}
		if h.Start < from && from < h.End {
			from = max(h.Start, 0)
		}
		if h.Start < to && to < h.End {
			to = min(h.End, len(line))
		}
	}
	for from > 0 && !utf8.RuneStart(line[from]) {
		from--
	}
	for to < len(line) && !utf8.RuneStart(line[to]) {
		to++
	}
	for _, h := range hidden {
		if h.Start >= to {
			break
		}
		if from < h.End {
			kept = append(kept, Mark{h.Start - from, h.End - from})
		}
	}
	return line[from:to], Mark{at.Start - from, at.End - from}, kept, from > 0, to < len(line)
}

// under returns what to show below a cell; i and last count from the first cell pointed at.
func under(c cell, i, last int) string {
	switch {
	case i == 0 && c.text == "\t":
		return "^"
	case i == 0:
		return "^" + strings.Repeat("~", max(c.width, 1)-1)
	case i > last:
		return ""
	case c.text == "\t":
		return "\t"
	case i < 0:
		return strings.Repeat(" ", c.width)
	}
	return strings.Repeat("~", c.width)
}

// split splits a line into cells.
func split(line string, hidden []Mark) []cell {
	cells := make([]cell, 0, len(line))
	for i := 0; i < len(line); {
		if len(hidden) > 0 && hidden[0].Start <= i {
			h := hidden[0]
			hidden = hidden[1:]
			if end := min(h.End, len(line)); end > i {
				cells = append(cells, cell{Mark{i, end}, secret.Mask, len(secret.Mask)})
				i = end
			}
			continue
		}
		if line[i] == '\t' {
			cells = append(cells, cell{Mark{i, i + 1}, "\t", 4})
			i++
			continue
		}
		shown, size := escape.Visible(line, i)
		cells = append(cells, cell{Mark{i, i + size}, shown, width(shown)})
		i += size
	}
	return cells
}

// pointed returns the first and last cell of a range; first is len(cells) if the range is past the end of the line,
// last is less than first if it is empty.
func pointed(cells []cell, at Mark) (first, last int) {
	first = len(cells)
	for i, c := range cells {
		if c.mark.End > at.Start {
			first = i
			break
		}
	}
	last = first - 1
	for i := first; i < len(cells) && cells[i].mark.Start < at.End; i++ {
		last = i
	}
	return first, last
}

// window returns which cells to show: all, or as many around the range as fit. The beginning of the range is always
// included.
func window(cells []cell, first, last, limit int) (from, to int) {
	total := 0
	for _, c := range cells {
		total += c.width
	}
	if total <= limit {
		return 0, len(cells)
	}
	from, to = first, first
	used := 0
	for to < len(cells) && to <= last && used+cells[to].width <= limit*3/4 {
		used += cells[to].width
		to++
	}
	before := 0
	for _, c := range cells[:first] {
		before += c.width
	}
	if used+before <= limit { // from its beginning, a line is easier to recognize
		from, used = 0, used+before
	}
	for grown := true; grown; {
		grown = false
		if from > 0 && used+cells[from-1].width <= limit {
			from--
			used += cells[from].width
			grown = true
		}
		if to < len(cells) && used+cells[to].width <= limit {
			used += cells[to].width
			to++
			grown = true
		}
	}
	return from, to
}
