package document

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// markedText matches a key whose text begins on the line of its > or |.
var markedText = plain.Regexp{Text: `^( *(?:- +)*)["']?[A-Za-z_][A-Za-z0-9_]*["']? *: +([|>][+-]?)( *)[^\s#>|+-](?s:.*)$`}

// markedTexts finds such keys: the text of a block begins on the next line. A mark before a single line is not needed.
func (d *diagnosis) markedTexts() (Problem, bool) {
	var repair []Splice
	var first source.Span
	message := ""
	for n := 1; n <= d.LineCount(); n++ {
		line := d.Line(n)
		if d.depth(n) == math.MaxInt || !bytes.ContainsAny(d.Slice(line), "|>") {
			continue
		}
		m := markedText.Get().FindSubmatchIndex(d.Slice(line))
		if m == nil || bytes.Contains(d.Slice(line), []byte(" #")) {
			continue
		}
		mark := source.Span{Start: line.Start + m[4], End: line.Start + m[5]}
		one, what := Splice{Offset: mark.Start, Old: string(d.Text[mark.Start : line.Start+m[7]])}, "belongs before a text on the next lines, and this one has one line: delete it"
		if depth := d.depth(n + 1); depth > m[3] && depth < math.MaxInt {
			one, what = Splice{Offset: mark.End, Old: string(d.Text[mark.End : line.Start+m[7]]), New: d.LineEndAt(n) + strings.Repeat(" ", depth)}, "is followed by text on the next lines only: move this one there"
		}
		if repair = append(repair, one); len(repair) == 1 {
			first, message = mark, fmt.Sprintf("%s %s", d.Slice(mark), what)
		}
	}
	return d.all(repair, func(repair []Splice) Problem {
		return Problem{Span: first, Repair: repair, Message: message}
	})
}
