package requirement

import (
	"fmt"
	"unicode/utf8"

	"github.com/amlfix/amlfix/schema/plain"
)

// ParseError says where and why a text does not fit its grammar.
type ParseError struct {
	// Offset and End delimit the wrong bytes, [Offset, End). They are equal if something is missing at Offset.
	Offset, End int
	// Reason is a lowercase phrase without the position. It never quotes more than one character of the text, so it
	// cannot contain a secret.
	Reason string
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

// describe returns a name for the character at i.
//
//go:noinline
func describe(s string, i int) string { return plain.Character(s, i) }
