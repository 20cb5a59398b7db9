package rules_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestSecretsAreHidden checks that the package that masks secrets hides everything that a rule reports as a secret.
func TestSecretsAreHidden(t *testing.T) {
	names := testkit.Glob(t, "testdata/*.txtar")
	found := 0
	for _, name := range names {
		text := testkit.Read(t, name)
		p := load(t, text)
		for _, f := range rules.Check(p) {
			if !strings.HasPrefix(f.Rule, "secret/") {
				continue
			}
			found++
			hidden := secret.Spans(f.Source.Text)
			if !rules.HasTokens(p.File(f.Source.Path)) {
				hidden = secret.Search(f.Source.Text, true).Spans // as reports do
			}
			if !slices.ContainsFunc(hidden, func(s source.Span) bool { return s.Overlaps(f.Span) }) {
				at := f.Source.Position(f.Span.Start)
				t.Errorf("%s: %s:%d: %s is found but would be shown", name, filepath.Base(f.Source.Path), at.Line, f.Rule)
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d secrets were looked at", found)
	}
}
