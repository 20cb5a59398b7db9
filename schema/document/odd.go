package document

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// maxOdd is the number of lines with a unique indentation that are tried: a file with more has no consistent style to
// compare with.
const maxOdd = 4

// minLines is the number of lines that make a style, with which a line is compared whose depth is not certain.
const minLines = 6

// oddIndentation finds the only line that is indented like no other and that makes the file readable when it is
// indented like another line. The parser fails at the lines below it.
func (d *diagnosis) oddIndentation() (Problem, bool) {
	lines, count := map[int][]int{}, 0 // by depth
	for n := 1; n <= d.LineCount(); n++ {
		text := d.Slice(d.Line(n))
		body := bytes.TrimLeft(text, " ")
		if len(bytes.TrimSpace(body)) > 0 && body[0] != '#' {
			depth := len(text) - len(body)
			lines[depth] = append(lines[depth], n)
			count++
		}
	}
	var odd []int
	depths := slices.Sorted(maps.Keys(lines))
	for _, depth := range depths {
		if len(lines[depth]) == 1 {
			odd = append(odd, lines[depth][0])
		}
	}
	if len(odd) > maxOdd {
		return Problem{}, false
	}
	var found []Splice
	n := 0
	for _, o := range odd {
		if fits := d.fitsAt(o, depths); len(fits) > 0 {
			if n > 0 {
				return Problem{}, false
			}
			n, found = o, slices.DeleteFunc(fits, func(s Splice) bool { return !d.holds(o, len(s.New)) })
		}
	}
	if n == 0 {
		return Problem{}, false
	}
	if p, ok := d.commentedKey(n); ok {
		return p, true
	}
	line, depth := d.Line(n), d.depth(n)
	p := Problem{Span: source.Span{Start: line.Start + depth, End: line.End}, Message: fmt.Sprintf(
		"the indentation of this line, %d, matches no other line: indent it like the lines that it belongs to", depth)}
	above := d.contentAbove(n)
	if len(found) == 1 && oddKey.Get().Match(d.Slice(line)) && (above == 0 || len(d.fitsAt(above, []int{depth})) == 0) {
		p.Repair, p.Cause = found, TabIndentation
	}
	return p, p.Repair != nil || count >= minLines && (len(found) > 0 || endsKey(d.Slice(line)))
}

// slippedKey finds the key that makes the text readable when it is moved to the depth of a neighbour: the first bad
// line, the line above it, or the key that is above it and less deep. It must be the only one.
func (d *diagnosis) slippedKey(bad int) (Problem, bool) {
	if bad > d.LineCount() || !oddKey.Get().Match(d.Slice(d.Line(bad))) {
		return Problem{}, false
	}
	if p, ok := d.commentedKey(bad); ok {
		return p, true
	}
	above := d.contentAbove(bad)
	over := above
	for over > 0 && d.depth(over) >= d.depth(bad) {
		over = d.contentAbove(over)
	}
	pairs := [][2]int{{bad, above}, {above, bad}}
	if over != above {
		pairs = append(pairs, [2]int{over, bad})
	}
	var moves []Splice
	for _, pair := range pairs {
		n, like := pair[0], pair[1]
		if n > 0 && like > 0 && oddKey.Get().Match(d.Slice(d.Line(n))) && d.holds(n, d.depth(like)) && d.holds(bad, d.depth(like)) {
			moves = append(moves, d.fitsAt(n, []int{d.depth(like)})...)
			up := d.contentAbove(n)
			if up > 0 && d.depth(up) > d.depth(like) && d.holds(n, d.depth(up)) && len(d.fitsAt(n, []int{d.depth(up)})) > 0 || up > 0 && endsKey(d.Slice(d.Line(up))) && d.depth(like) <= d.depth(up) {
				return Problem{}, false // it may belong to what is above it
			}
		}
	}
	if len(moves) != 1 {
		return Problem{}, false
	}
	line := d.Line(d.LineAt(moves[0].Offset))
	return Problem{Kind: Syntax, Span: source.Span{Start: line.Start + len(moves[0].Old), End: line.End}, Repair: moves, Cause: TabIndentation, Message: fmt.Sprintf(
		"the indentation of this line, %d, does not fit the lines around it: write it with %d spaces", len(moves[0].Old), len(moves[0].New))}, true
}

// commentedKey finds the comment above a line that is the key of that line.
func (d *diagnosis) commentedKey(n int) (Problem, bool) {
	line := d.Line(n - 1)
	text := d.Slice(line)
	body := bytes.TrimLeft(text, " ")
	if n < 2 || len(body) == 0 || body[0] != '#' {
		return Problem{}, false
	}
	mark := source.Span{Start: line.End - len(body), End: line.End - len(body) + 1}
	if !oddKey.Get().Match(body[1:]) || !endsKey(body) || !d.readableWith([]Splice{{Offset: mark.Start, Old: "#"}}) && !d.readableWith([]Splice{{Offset: mark.Start, Old: "# "}}) {
		return Problem{}, false
	}
	return Problem{Kind: Syntax, Span: mark, Message: "this comment is the key of the lines below it: remove its #, or comment out the lines too"}, true
}

// holds reports whether a line can be at a depth: a key without a value has something deeper below it, and a text
// without quotes nothing, which would become part of it.
func (d *diagnosis) holds(n, depth int) bool {
	line, next := d.Slice(d.Line(n)), d.nextContent(n)
	below := d.depth(next)
	if endsKey(line) {
		return below > depth
	}
	_, value, _ := bytes.Cut(line, []byte(": "))
	value = bytes.TrimLeft(value, " ")
	return next == n || below <= depth || below == math.MaxInt || len(value) > 0 && strings.IndexByte(`|>"'[{&!`, value[0]) >= 0
}

// contentAbove returns the next line above that is neither empty nor a comment, or 0.
func (d *diagnosis) contentAbove(n int) int {
	for n--; n > 0 && d.depth(n) == math.MaxInt; n-- {
	}
	return n
}

// oddKey matches a key, which alone is moved: anything else may be a part of a text.
var oddKey = plain.Regexp{Text: `^ *["']?\$?[A-Za-z_][A-Za-z0-9_]*["']?:(?: |$)`}

// fitsAt returns the moves of a line to other depths with which the text can be read.
func (d *diagnosis) fitsAt(n int, depths []int) (fits []Splice) {
	line, old := d.Line(n), d.depth(n)
	for _, depth := range depths {
		move := Splice{Offset: line.Start, Old: string(d.Text[line.Start : line.Start+old]), New: strings.Repeat(" ", depth)}
		if depth != old && depth < old+maxShift && old < depth+maxShift && d.readableWith([]Splice{move}) {
			fits = append(fits, move)
		}
	}
	return fits
}

// maxShift bounds how far a line has slipped.
const maxShift = 5
