package ui

import (
	"io"
	"strings"
)

// Page is the width of a page of help, in columns.
type Page int

// The widths of pages. A page on a narrower terminal would be cut in the middle of words.
const (
	widest   Page = 80
	leastAll Page = 40
)

// PageOf returns the width of what is written to w: 80 columns, or less on a narrower terminal.
func PageOf(w io.Writer) Page {
	if columns := Page(Columns(w)); columns > 0 {
		return min(max(columns, leastAll), widest)
	}
	return widest
}

// Fill returns the words of a text in lines, the first of which begins with first and the others with indent.
func (p Page) Fill(text, first, indent string) string {
	var b strings.Builder
	line, empty := first, true
	for word := range strings.FieldsSeq(text) {
		if !empty && len(line)+1+len(word) > int(p) {
			b.WriteString(line + "\n")
			line, empty = indent, true
		}
		if !empty {
			line += " "
		}
		line += word
		empty = false
	}
	return b.String() + line + "\n"
}

// Fold breaks lines that do not fit.
func (p Page) Fold(text, indent string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(Fold(strings.TrimSuffix(line, "\n"), int(p), indent) + "\n")
	}
	return b.String()
}
