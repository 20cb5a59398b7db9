package ui

import "strings"

// pageWidth is the width of a line of help, in columns: what every terminal has.
const pageWidth = 80

// Fill returns the words of a text in lines, the first of which begins with first and the others with indent.
func Fill(text, first, indent string) string {
	var b strings.Builder
	line, empty := first, true
	for word := range strings.FieldsSeq(text) {
		if !empty && len(line)+1+len(word) > pageWidth {
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
