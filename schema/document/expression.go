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

// starred matches a value that begins with a * which is no alias: a cron expression, or a pattern for names of files.
var starred = plain.Regexp{Text: `(?m)^\s*(?:(?:- +)?["']?\$?[A-Za-z_][A-Za-z0-9_]*["']?: +|- +)(\*(?:[ */.,?][^"\\#\r\n]*)?)(?:[ \t]#.*)?\r?$`}

// starredValues finds such values, which need quotes.
func (d *diagnosis) starredValues() (Problem, bool) {
	var repair []Splice
	for _, m := range starred.Get().FindAllSubmatchIndex(d.Text, -1) {
		end := m[2] + len(bytes.TrimRight(d.Text[m[2]:m[3]], " \t"))
		repair = append(repair, Splice{Offset: m[2], New: `"`}, Splice{Offset: end, New: `"`})
	}
	return d.all(repair, func(repair []Splice) Problem {
		return Problem{Span: source.Span{Start: repair[0].Offset, End: repair[1].Offset}, Repair: repair,
			Message: "a * at the beginning of a value has a meaning of its own in YAML: put the value in quotes"}
	})
}
