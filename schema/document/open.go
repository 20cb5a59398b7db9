package document

import (
	"bytes"
	"fmt"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// openKey matches a key that begins with the only quote of its line.
var openKey = plain.Regexp{Text: `^\s*(?:- )?(["'])\$?[A-Za-z_][A-Za-z0-9_]*:(?: [^"']*)?$`}

// openKeys finds the quotes before keys that never end.
func (d *diagnosis) openKeys() (Problem, bool) {
	return d.replaced(openKey.Get(), "", func(repair []Splice) Problem {
		return Problem{Span: repair[0].span(), Repair: repair, Cause: LostMark,
			Message: fmt.Sprintf("this %s before a key is never closed: delete it", repair[0].Old)}
	})
}

// openQuote finds a quoted value that never ends.
func (d *diagnosis) openQuote() (Problem, bool) {
	for n := 1; n <= d.LineCount(); n++ {
		line := d.Line(n)
		text := d.Slice(line)
		start := valueStart(text)
		if _, closed, ok := quotedEnd(text, start); closed || !ok {
			continue
		}
		mark := string(text[start])
		body := bytes.TrimRight(text, " \t")
		for _, end := range []int{len(body), len(bytes.TrimSuffix(body, []byte(",")))} { // in JSON, before the comma
			if d.readableWith([]Splice{{Offset: line.Start + end, New: mark}}) {
				p := Problem{Span: source.Span{Start: line.Start + start, End: line.Start + end},
					Message: fmt.Sprintf("this quoted value is never closed: add the missing %s at its end", mark)}
				switch {
				case line.End == len(d.Text) && n > 1: // without a line break, a part of the file may be lost
					p.Message = fmt.Sprintf("this quoted value is not closed where the file ends: add the missing %s, or restore what is missing after it", mark)
				case bytes.IndexByte(body[start:end], '#') < 0: // else a comment may follow the value
					p.Repair = []Splice{{Offset: line.Start + end, New: mark}}
				}
				return p, true
			}
		}
	}
	return Problem{}, false
}

// quotedEnd returns where the quoted value that begins at start ends; ok is false if none begins there.
func quotedEnd(line []byte, start int) (end int, closed, ok bool) {
	if start >= len(line) {
		return 0, false, false
	}
	l := locator{text: line, lines: []int{0}}
	switch line[start] {
	case '"':
		end, closed = l.doubleQuotedEnd(start)
	case '\'':
		end, closed = l.singleQuotedEnd(start)
	default:
		return 0, false, false
	}
	return end, closed, true
}

// valueStart returns where the value of "key: value" or "- value" begins.
func valueStart(line []byte) int {
	i := 0
	for i < len(line) && (isSpace(line[i]) || line[i] == '-' && i+1 < len(line) && isSpace(line[i+1])) {
		i++
	}
	if colon := bytes.Index(line[i:], []byte(": ")); colon >= 0 && bytes.IndexByte(line[i:i+colon], '#') < 0 {
		i += colon + 1
		for i < len(line) && isSpace(line[i]) {
			i++
		}
	}
	return i
}
