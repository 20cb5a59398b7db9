package requirement

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// ParseError says where and why a text does not fit its grammar.
type ParseError struct {
	// Offset and End delimit the wrong bytes, [Offset, End). They are equal if something is missing at Offset.
	Offset, End int
	// Reason is a lowercase phrase without the position. It never quotes more than one character of the text, so it
	// cannot contain a secret.
	Reason string
	// Surplus means that the text without [Offset, End) can be parsed, and that only stray bytes are lost.
	Surplus bool
}

// Error returns the byte offset and the reason.
func (e *ParseError) Error() string { return fmt.Sprintf("byte %d: %s", e.Offset, e.Reason) }

// failAt returns an error about the character at i, or about the end of the text.
func failAt(s string, i int, reason string) error {
	_, size := utf8.DecodeRuneInString(s[i:])
	return &ParseError{Offset: i, End: i + size, Reason: reason}
}

// failSpan returns an error about s[start:end].
func failSpan(start, end int, reason string) error {
	return &ParseError{Offset: start, End: end, Reason: reason}
}

// describe returns a name for the character at i, which may be invisible.
func describe(s string, i int) string {
	if i >= len(s) {
		return "the end"
	}
	r, size := utf8.DecodeRuneInString(s[i:])
	switch {
	case r == ' ':
		return "a space"
	case r == '\t':
		return "a tab"
	case r == '\n' || r == '\r':
		return "a line break"
	case r == '\u00a0' || r == '\u202f':
		return "a non-breaking space"
	case r == utf8.RuneError && size <= 1:
		return "a byte that is not text"
	case !unicode.IsPrint(r):
		return fmt.Sprintf("an invisible character (U+%04X)", r)
	}
	return fmt.Sprintf("'%c'", r)
}
