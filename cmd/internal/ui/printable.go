package ui

import (
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/schema/escape"
)

// Printable is escape.Terminal.
func Printable(text string) string { return escape.Terminal(text) }

// Count returns "1 error", "2 errors".
func Count(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// ShortList joins names, and omits those beyond what anyone would read.
func ShortList(names []string) string {
	const most = 30
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + ", and " + Count(len(names)-most, "other")
}
