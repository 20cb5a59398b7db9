package document

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/source"
)

// maxOdd is the number of lines with a unique indentation that are tried: a file with more has no consistent style to
// compare with.
const maxOdd = 4

// minLines is the number of lines that make a style.
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
	if count < minLines || len(odd) > maxOdd {
		return Problem{}, false
	}
	found := slices.DeleteFunc(odd, func(n int) bool { return !d.fitsAt(n, depths) })
	if len(found) != 1 {
		return Problem{}, false
	}
	line := d.Line(found[0])
	depth := len(d.Slice(line)) - len(bytes.TrimLeft(d.Slice(line), " "))
	return Problem{Span: source.Span{Start: line.Start + depth, End: line.End}, Message: fmt.Sprintf(
		"the indentation of this line, %d, matches no other line: indent it like the lines that it belongs to", depth)}, true
}

// fitsAt reports whether the text can be read with a line at another depth.
func (d *diagnosis) fitsAt(n int, depths []int) bool {
	line := d.Line(n)
	text := d.Slice(line)
	old := len(text) - len(bytes.TrimLeft(text, " "))
	return slices.ContainsFunc(depths, func(depth int) bool {
		return depth != old && depth < old+maxShift && old < depth+maxShift &&
			d.readableWith([]Splice{{Offset: line.Start, Old: strings.Repeat(" ", old), New: strings.Repeat(" ", depth)}})
	})
}

// maxShift bounds how far a line has slipped.
const maxShift = 5
