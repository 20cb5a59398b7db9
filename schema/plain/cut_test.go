package plain_test

import (
	"testing"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestCut shortens texts of one, two and three characters to two.
func TestCut(t *testing.T) {
	for text, want := range map[string][2]string{
		"":    {"", ""},
		"a":   {"a", "a"},
		"äö":  {"äö", "äö"},
		"äöü": {"äö…", "ä…"},
	} {
		testkit.Same(t, want, [2]string{plain.Cut(text, 2), plain.Fit(text, 2)}, text)
	}
}
