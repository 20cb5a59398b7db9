package plain

import (
	"fmt"
	"strings"
)

// Count returns "1 error", "2 errors", "2 processes".
func Count(n int, word string) string {
	switch {
	case n == 1:
		return "1 " + word
	case strings.HasSuffix(word, "s"):
		return fmt.Sprintf("%d %ses", n, word)
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// CountIs returns the beginning of a sentence about n things: "1 file is", "2 files are".
func CountIs(n int, word string) string { return Count(n, word) + " " + Is(n) }

// Is returns the form of "to be" that follows a count: "1 of 3 files is", "2 of 3 files are".
func Is(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// Them returns the word that stands for n things.
func Them(n int) string {
	if n > 1 {
		return "them"
	}
	return "it"
}
