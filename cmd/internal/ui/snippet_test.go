package ui_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/cmd/internal/ui"
)

// TestSnippetOfALongLine checks that truncating a long line in advance does not change the result: the part around the
// range, with secrets hidden as a whole.
func TestSnippetOfALongLine(t *testing.T) {
	const limit = 40
	far := strings.Repeat("ä", 50_000)
	for name, c := range map[string]struct {
		before, behind string
		secret         bool
	}{
		"in the middle": {far, far, false}, "at the beginning": {"", far, false}, "at the end": {far, "", false}, "beside a secret": {far, far, true},
	} {
		line := c.before + "HERE" + c.behind
		at := ui.Mark{Start: len(c.before), End: len(c.before) + 4}
		var hidden []ui.Mark
		if c.secret {
			hidden = []ui.Mark{{Start: 2, End: at.Start - 2}}
		}
		s := ui.NewSnippet(line, at, hidden, limit)
		text, pointer := []rune(s.Text), []rune(s.Pointer)
		column := slices.Index(pointer, '^')
		if column < 0 || !strings.HasPrefix(string(text[column:]), "HERE") || string(pointer[column:]) != "^~~~" {
			t.Errorf("%s:\n%s\n%s", name, s.Text, s.Pointer)
		}
		if got, want := strings.HasPrefix(s.Text, "…"), c.before != ""; got != want {
			t.Errorf("%s: cut at the left: %v\n%s", name, got, s.Text)
		}
		if got, want := strings.HasSuffix(s.Text, "…"), c.behind != ""; got != want {
			t.Errorf("%s: cut at the right: %v\n%s", name, got, s.Text)
		}
		if c.secret && strings.Count(s.Text, "ä") > limit {
			t.Errorf("%s: a secret is shown: %s", name, s.Text)
		}
	}
}
