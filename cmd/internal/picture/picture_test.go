package main

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestPicture checks that the README's picture shows amlfix's real output.
func TestPicture(t *testing.T) {
	testkit.Program(t, "python3")
	top := testkit.Root(t)
	got, err := picture(t.Context(), top)
	testkit.OK(t, err)
	testkit.Same(t, testkit.Read(t, top, "docs/amlfix.svg"), got, "docs/amlfix.svg is stale; run: go run ./cmd/internal/picture >docs/amlfix.svg")
}

func TestScreen(t *testing.T) {
	long := strings.Repeat("word ", 30)
	for text, want := range map[string][][]run{
		"plain":                             {{{"", "plain"}}},
		"\x1b[1;31merror:\x1b[0m <a>\n\nb":  {{{"red", "error:"}, {"", " <a>"}}, nil, {{"", "b"}}},
		"\x1b[1m" + strings.TrimSpace(long): {{{"b", strings.TrimSpace(long[:104])}}, {{"b", strings.TrimSpace(long[105:])}}},
		strings.Repeat("é", columns+1):      {{{"", strings.Repeat("é", columns)}}, {{"", "é"}}},
	} {
		testkit.Same(t, want, screen(text), "%q", text)
	}
}
