package document

import (
	"bytes"
	"fmt"
	"math"
	"regexp"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// pipItem matches a list item that is pip alone.
var pipItem = plain.Regexp{Text: `^ *- (pip)[ \t]*(?:#.*)?$`}

// lostPipColon finds pip where a colon makes it the key of the list below: a comment between them keeps YAML from
// joining the two into one string.
func (d *diagnosis) lostPipColon() (Problem, bool) {
	return d.only(pipItem.Get(), func(n int, word source.Span) (Splice, bool) {
		next := d.nextContent(n)
		return Splice{Offset: word.End, New: ":"}, d.depth(next) > d.depth(n) && d.isItem(next)
	}, func(word string) Problem {
		return Problem{Cause: LostPipColon, Message: fmt.Sprintf("the colon after %s is missing: write %s", word, withColon(word))}
	})
}

// oneWord matches a line that is one word, a key alone, or an option of pip.
var oneWord = plain.Regexp{Text: `^ *([A-Za-z]\S*|-(?:[cer] +|-[a-z]+(?:-[a-z]+)+[ =]+)\S+)[ \t]*(?:[ \t]#.*)?$`}

// pipKey matches the line of the key whose list is for pip.
var pipKey = plain.Regexp{Text: `^ *(?:- +)?["']?pip["']? *:`}

// lostDash finds the only line next to the items of a list that becomes one of them when a dash is added. An option is
// one item only below pip, where it may be the first: conda takes none, and of a program's arguments it is two.
func (d *diagnosis) lostDash() (Problem, bool) {
	return d.only(oneWord.Get(), func(n int, word source.Span) (Splice, bool) {
		beside := func(m int) bool { return m > 0 && d.depth(m) == d.depth(n) && d.isItem(m) }
		if d.Text[word.Start] == '-' {
			return Splice{Offset: word.Start, New: "- "}, pipKey.Get().Match(d.Slice(d.Line(d.parent(n))))
		}
		return Splice{Offset: word.Start, New: "- "}, beside(d.lineAbove(n)) || beside(d.nextContent(n))
	}, func(word string) Problem {
		return Problem{Cause: LostDash, Message: fmt.Sprintf("the dash before %s is missing, so this is not a list item: write \"- %[1]s\"", plain.Cut(word, 60))}
	})
}

// only returns the problem of the only line that matches a pattern and makes the text readable with a splice: try
// proposes it for a line and the span of the pattern's group.
func (d *diagnosis) only(pattern *regexp.Regexp, try func(n int, word source.Span) (Splice, bool), problem func(word string) Problem) (Problem, bool) {
	var found []Problem
	tried := 0
	for n := 1; n <= d.LineCount() && tried <= maxLost; n++ {
		line := d.Line(n)
		m := pattern.FindSubmatchIndex(d.Slice(line))
		if m == nil {
			continue
		}
		word := source.Span{Start: line.Start + m[2], End: line.Start + m[3]}
		splice, ok := try(n, word)
		if !ok {
			continue
		}
		if tried++; d.readableWith([]Splice{splice}) {
			p := problem(string(d.Slice(word)))
			p.Span, p.Repair = word, []Splice{splice}
			found = append(found, p)
		}
	}
	if len(found) != 1 || tried > maxLost {
		return Problem{}, false
	}
	return found[0], true
}

// depth returns the indentation of a line; that of an empty line, a comment, or a line past the end has no limit.
func (d *diagnosis) depth(n int) int {
	text := d.Slice(d.Line(n))
	body := bytes.TrimLeft(text, " ")
	if len(bytes.TrimSpace(body)) == 0 || body[0] == '#' {
		return math.MaxInt
	}
	return len(text) - len(body)
}

// isItem reports whether a line is a list item.
func (d *diagnosis) isItem(n int) bool {
	return bytes.HasPrefix(bytes.TrimLeft(d.Slice(d.Line(n)), " "), []byte("- "))
}

// maxAround is the number of lines around one that are compared with it.
const maxAround = 50

// lineAbove returns the nearest line above that is not indented deeper than a line, or the last of those that are
// compared with it; 0 for the first line.
func (d *diagnosis) lineAbove(n int) int {
	above := n - 1
	for above > max(1, n-maxAround) && d.depth(above) > d.depth(n) {
		above--
	}
	return above
}

// parent returns the nearest line above line n that is less deep, or the last one that may be looked at.
func (d *diagnosis) parent(n int) int {
	above := n - 1
	for above > max(1, n-maxAround) && d.depth(above) >= d.depth(n) {
		above--
	}
	return max(1, above)
}

// nextContent returns the next line that is neither empty nor a comment, or the last one that may be looked at.
func (d *diagnosis) nextContent(n int) int {
	last := min(n+maxAround, d.LineCount())
	for n = min(n+1, last); n < last && d.depth(n) == math.MaxInt; n++ {
	}
	return n
}
