package document

import (
	"bytes"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// bare matches a value that begins with an Azure ML expression and has no quotes.
var bare = plain.Regexp{Text: `\$\{\{[^{}"'\n]*\}\}[^\s,{}\[\]"'\n]*`}

// bareExpressions finds expressions without quotes in { } or [ ], where their own braces end the mapping or list.
func (d *diagnosis) bareExpressions() (Problem, bool) {
	var repair []Splice
	for _, m := range bare.Get().FindAllIndex(d.Text, -1) {
		before, after := bytes.TrimRight(d.Text[:m[0]], " \t"), bytes.TrimLeft(d.Text[m[1]:], " \t")
		if endsInAny(before, ":,[{") && len(after) > 0 && strings.IndexByte(",]}", after[0]) >= 0 {
			repair = append(repair, Splice{Offset: m[0], New: `"`}, Splice{Offset: m[1], New: `"`})
		}
	}
	return d.all(repair, func(repair []Splice) Problem {
		return Problem{Span: source.Span{Start: repair[0].Offset, End: repair[1].Offset}, Repair: repair,
			Message: "an expression inside { } or [ ] needs quotes, because its own braces end the mapping or list: put it in quotes"}
	})
}

func endsInAny(text []byte, chars string) bool {
	return len(text) > 0 && strings.IndexByte(chars, text[len(text)-1]) >= 0
}
