package document

import (
	"bytes"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// inner matches a key whose value is not in quotes and has a colon that ends a word, as only a key may. Its groups are
// the key and the value up to that colon.
var inner = plain.Regexp{Text: "^\\s*(?:- )?[\"']?(\\$?[A-Za-z_][A-Za-z0-9_]*)[\"']?:[ \t]+([^\\s\"'\\[{|>&*!%@`#].*?):(?:[ \t]|$)"}

// prose are the keys of texts for people, which never have another key on their line.
var prose = plain.Regexp{Text: `^(?i)(description|display_?name|title|comment)$`}

// innerColons finds the colons inside values that make the rest of the line another key. A repair is offered where one
// thing can be meant: in a text for people, inside quotes of a command, and after the prefix of a name.
func (d *diagnosis) innerColons() (Problem, bool) {
	var repair []Splice
	clear, colons := map[int]bool{}, map[int]int{} // by the offset of the value
	for n := 1; n <= d.LineCount(); n++ {
		line := d.Line(n)
		text := d.Slice(line)
		m := inner.Get().FindSubmatchIndex(text)
		if m == nil {
			continue
		}
		value, _, _ := bytes.Cut(text[m[4]:], []byte(" #"))
		s := Splice{Offset: line.Start + m[4], Old: string(bytes.TrimRight(value, " \t"))}
		if len(s.Old) < m[5]-m[4] {
			continue // the colon is in a comment
		}
		before := s.Old[:m[5]-m[4]]
		colons[s.Offset] = line.Start + m[5]
		if rest, ok := strings.CutPrefix(s.Old, "azureml: "); ok {
			s.New, clear[s.Offset] = "azureml:"+strings.TrimLeft(rest, " \t"), !strings.Contains(rest, ": ")
		} else {
			s.New = inQuotes(s.Old)
			clear[s.Offset] = prose.Get().Match(text[m[2]:m[3]]) || strings.Count(before, `"`)%2 > 0 || strings.Count(before, "'")%2 > 0
		}
		if repair = append(repair, s); len(repair) > maxLost {
			return Problem{}, false
		}
	}
	return d.some(repair, func(repair []Splice) Problem {
		first, colon := repair[0], colons[repair[0].Offset]
		word := strings.LastIndexAny(first.Old[:colon-first.Offset], " \t") + 1
		p := Problem{Span: source.Span{Start: first.Offset + word, End: colon + 1}, Repair: repair, Message: anotherKey}
		if first.Offset+len(first.Old) == colon+1 {
			p.Message = "a colon at the end of a value begins another key: write what belongs after it, or put the value in quotes"
		}
		for _, s := range repair {
			if !clear[s.Offset] {
				p.Repair = nil
			}
		}
		return p
	})
}

// inQuotes returns a value in the quotes in which it stays most like it was.
func inQuotes(value string) string {
	if strings.Contains(value, "'") && !strings.ContainsAny(value, `"\`) {
		return `"` + value + `"`
	}
	return plain.SingleQuoted(value)
}
