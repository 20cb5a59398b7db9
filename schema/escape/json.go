package escape

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON returns JSON with the same value that cannot control a terminal or be interpreted as a command by a CI service:
// what Terminal would not show unchanged becomes "\u…". text must be valid JSON, on its own lines; its white space is
// kept.
func JSON(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for at := 0; at < len(text); {
		if n := ordinary(text[at:]); n > 0 {
			b.WriteString(text[at : at+n])
			at += n
			continue
		}
		shown, size := Visible(text, at)
		r, _ := utf8.DecodeRuneInString(text[at:])
		switch {
		case shown == text[at:at+size] || strings.ContainsRune(" \t\r\n", r):
			b.WriteString(text[at : at+size])
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		at += size
	}
	return b.String()
}

// ordinary returns how many bytes at the start of a text are shown as they are, whatever is before and after them.
func ordinary(text string) int {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '#' || c == ':' {
			return i
		}
	}
	return len(text)
}
