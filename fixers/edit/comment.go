package edit

import (
	"bytes"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
)

// editComment replaces or removes a comment.
func (e *editor) editComment(i int, c finding.Change) error {
	src := e.stream.Source
	at := source.Span{Start: c.Offset, End: c.Offset + len(c.Old)}
	if !slices.Contains(e.stream.Comments(), at) || string(src.Slice(at)) != c.Old {
		return e.refuse(i, "the comment %q is no longer at byte %d", c.Old, c.Offset)
	}
	if c.Value.Text != "" {
		if !isComment(c.Value.Text) {
			return e.refuse(i, "%q is not a comment of one line", c.Value.Text)
		}
		e.add(i, at.Start, at.End, c.Value.Text)
		return nil
	}
	line := src.FullLine(src.LineAt(at.Start))
	before := bytes.TrimRight(e.text[line.Start:at.Start], " \t")
	if len(before) == 0 {
		e.add(i, line.Start, line.End, "")
		return nil
	}
	e.add(i, line.Start+len(before), at.End, "")
	return nil
}

// insertComment adds a comment above a line.
func (e *editor) insertComment(i int, c finding.Change) error {
	src := e.stream.Source
	if !isComment(c.Value.Text) {
		return e.refuse(i, "%q is not a comment of one line", c.Value.Text)
	}
	number := src.LineAt(c.Offset)
	line, end := src.Line(number), src.LineEndAt(number)
	if end == "" {
		end = src.LineEnd()
	}
	text := e.text[line.Start:line.End]
	indent := text[:len(text)-len(bytes.TrimLeft(text, " \t"))]
	e.add(i, line.Start, line.Start, string(indent)+c.Value.Text+end)
	return nil
}

func isComment(s string) bool {
	return strings.HasPrefix(s, "#") && !strings.ContainsFunc(s, func(r rune) bool {
		return r < ' ' && r != '\t' || r == 0x7f || r == 0x85 || r == 0x2028 || r == 0x2029 || r == 0xfffd
	})
}
