package ui

import (
	"strings"

	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/plain"
)

// Printable is escape.Terminal.
func Printable(text string) string { return escape.Terminal(text) }

// ShortList joins names, and omits those beyond what anyone would read.
func ShortList(names []string) string {
	const most = 30
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + ", and " + plain.Count(len(names)-most, "other")
}
