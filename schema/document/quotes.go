package document

import (
	"bytes"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// quoted matches a value in double quotes, which may be a part of a list in brackets.
var quoted = plain.Regexp{Text: `(?:^|[\s\[{,])("(?:[^"\\]|\\.)*")`}

// backslashes finds paths of Windows in double quotes, where each backslash begins an escape. Doubled, they are the
// path that its author wrote, also where a part of it is an escape by chance: "D:\new\data".
func (d *diagnosis) backslashes() (Problem, bool) {
	var repair []Splice
	var first source.Span
	for n := 1; n <= d.LineCount(); n++ {
		line := d.Line(n)
		text, _, _ := bytes.Cut(d.Slice(line), []byte(" #"))
		if bytes.IndexByte(text, '\\') < 0 || bytes.HasPrefix(bytes.TrimSpace(text), []byte("#")) || bytes.IndexByte(text, '\'') >= 0 {
			continue
		}
		for _, m := range quoted.Get().FindAllSubmatchIndex(text, -1) {
			at := line.Start + m[2]
			marks, bad := singleBackslashes(text[m[2]:m[3]])
			if bad < 0 {
				continue
			}
			if first.End == 0 {
				first = source.Span{Start: at + bad, End: at + bad + 1}
			}
			for _, i := range marks {
				repair = append(repair, Splice{Offset: at + i, New: `\`})
			}
		}
	}
	return d.all(repair, func(repair []Splice) Problem {
		return Problem{Span: first, Repair: repair,
			Message: `in double quotes, a backslash begins an escape such as \n, and this is not one: write \\ or /`}
	})
}

// singleBackslashes returns the places of the backslashes that stand alone in a text in double quotes, and the first
// that begins no escape of YAML, or -1.
func singleBackslashes(text []byte) (marks []int, bad int) {
	bad = -1
	for i := 0; i < len(text)-1; i++ {
		if text[i] != '\\' {
			continue
		}
		if next := text[i+1]; next == '\\' || next == '"' {
			i++
			continue
		}
		marks = append(marks, i)
		if bad < 0 && !escapes(text[i+1:]) {
			bad = i
		}
	}
	return marks, bad
}

// escapes reports whether what follows a backslash makes it an escape of YAML.
func escapes(rest []byte) bool {
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[rest[0]]
	if digits == 0 {
		return strings.IndexByte("0abt\tnvfre /N_LP", rest[0]) >= 0
	}
	return len(rest) > digits && len(bytes.Trim(rest[1:1+digits], "0123456789abcdefABCDEF")) == 0
}

// lineCommas finds the commas of JSON at the ends of lines that end with a quoted value.
func (d *diagnosis) lineCommas() (Problem, bool) {
	var repair []Splice
	for n := 1; n <= d.LineCount(); n++ {
		line := d.Line(n)
		if end, rest := afterQuote(d.Slice(line)); string(rest) == "," {
			at := line.Start + end + bytes.IndexByte(d.Slice(line)[end:], ',')
			repair = append(repair, Splice{Offset: at, Old: ","})
		}
	}
	return d.some(repair, func(repair []Splice) Problem {
		return Problem{Span: repair[0].span(), Repair: repair, Message: noComma}
	})
}

const noComma = "only lists in [ ] and mappings in { } have commas after their values: delete this one"

// afterQuote returns where the quoted value of a line ends, and the text that follows it, without a comment.
func afterQuote(text []byte) (end int, rest []byte) {
	end, closed, _ := quotedEnd(text, valueStart(text))
	if !closed {
		return 0, nil
	}
	rest, _, _ = bytes.Cut(text[end:], []byte(" #"))
	if rest = bytes.TrimSpace(rest); bytes.HasPrefix(rest, []byte(":")) {
		return end, nil
	}
	return end, rest
}
