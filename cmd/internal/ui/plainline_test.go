package ui

import (
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestPlainLines checks that the fast path for snippets has the same result as the slow one.
func TestPlainLines(t *testing.T) {
	for _, line := range []string{"", "a", "key: value", "##[error]x", "::error::x", " :: x", "a\tb", "größer", "#", "\x7f"} {
		for start := -1; start < len(line)+2; start++ {
			for end := start - 1; end < len(line)+2; end++ {
				for _, limit := range []int{5, 80} {
					at := Mark{start, end}
					testkit.Same(t, cellSnippet(line, at, nil, limit), NewSnippet(line, at, nil, limit), "%q %v %d", line, at, limit)
				}
			}
		}
	}
}
