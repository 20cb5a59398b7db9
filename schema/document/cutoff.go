package document

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// cutWord matches a last line that is one word, perhaps the beginning of a key.
var cutWord = plain.Regexp{Text: `^ *(?:- +)?(["']?[$\w.-]+)$`}

// cutOff finds a file whose last line has no line break and is one word that can only be the beginning of something.
func (d *diagnosis) cutOff() (Problem, bool) {
	line, above := d.Line(d.LineCount()), d.contentAbove(d.LineCount())
	m := cutWord.Get().FindSubmatchIndex(d.Slice(line))
	if m == nil || above == 0 || endsKey(d.Slice(d.Line(above))) || !d.parses(d.Text[:line.Start]) {
		return Problem{}, false
	}
	return Problem{Span: source.Span{Start: line.Start + m[2], End: line.End}, Message: "the file ends here, and this is neither \"key: value\" nor \"- item\": " +
		"complete the line, and restore what was below it, or delete the line"}, true
}

// unclosed finds the innermost bracket, or quote, that the file does not close, from a line on. The text must be
// readable once all of them are closed.
func (d *diagnosis) unclosed(from int) (Problem, bool) {
	var open []int // places of brackets
	quote := -1
	for at := d.Line(from).Start; at < len(d.Text); at++ {
		switch c := d.Text[at]; {
		case quote >= 0 && c == '\\':
			at++
		case quote >= 0 && c == '"':
			quote = -1
		case quote >= 0:
		case c == '"':
			quote = at
		case c == '[', c == '{':
			open = append(open, at)
		case (c == ']' || c == '}') && len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	if len(open) == 0 || len(open) > MaxDepth {
		return Problem{}, false
	}
	at, end := open[len(open)-1], strings.Builder{}
	if quote >= 0 {
		at = quote
		end.WriteByte('"')
	}
	for _, bracket := range slices.Backward(open) {
		end.WriteByte(d.Text[bracket] + 2) // the one that closes it
	}
	if !d.readableWith([]Splice{{Offset: len(d.Text), New: end.String()}}) {
		return Problem{}, false
	}
	return Problem{Kind: Syntax, Span: source.Span{Start: at, End: at + 1}, Message: fmt.Sprintf(
		"the file ends before this %c is closed: write %s at its end, or restore what is missing there", d.Text[at], end.String())}, true
}
