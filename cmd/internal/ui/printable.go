package ui

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable returns text with everything that could steer a terminal or hide
// from the reader made visible: control characters and escape sequences as
// "\x1b", characters that turn the direction of writing or have no width as
// "\u202e", bytes that are not UTF-8 as "\xff". Tabs and line ends count as
// control characters too.
func Printable(text string) string {
	if plain(text) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		shown, size := visible(text)
		b.WriteString(shown)
		text = text[size:]
	}
	return b.String()
}

// plain reports that text is printable ASCII, which most text is.
func plain(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

// visible returns how the first character of text is shown, and its size in
// bytes.
func visible(text string) (shown string, size int) {
	r, size := utf8.DecodeRuneInString(text)
	switch {
	case r == utf8.RuneError && size <= 1:
		return fmt.Sprintf(`\x%02x`, text[0]), 1
	case r < ' ' || r == 0x7f:
		return fmt.Sprintf(`\x%02x`, r), size
	case !unicode.IsPrint(r) && r != '\u3000', unicode.Is(unicode.Cf, r):
		if r > 0xffff {
			return fmt.Sprintf(`\U%08x`, r), size
		}
		return fmt.Sprintf(`\u%04x`, r), size
	}
	return text[:size], size
}

// Count returns "1 error", "2 errors".
func Count(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
