package main

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestRulesAndExplainKnowEveryRule(t *testing.T) {
	table := amlfix(t, t.TempDir(), "rules")
	if table.code != console.OK || table.err != "" {
		t.Fatalf("%+v", table)
	}
	if got, want := strings.Count(table.out, "\n"), len(rules.All())+1; got != want {
		t.Errorf("amlfix rules has %d lines, want %d", got, want)
	}
	for _, r := range rules.All() {
		if !strings.Contains(table.out, "\n"+r.ID+" ") || !strings.Contains(table.out, r.Doc) {
			t.Errorf("amlfix rules does not mention %s", r.ID)
		}
		page := amlfix(t, t.TempDir(), "explain", r.ID)
		if page.code != console.OK || page.err != "" {
			t.Errorf("amlfix explain %s: %+v", r.ID, page)
		}
		testkit.Has(t, page.out, r.ID+" ("+r.Severity.String()+")", firstLine(r.Bad), firstLine(r.Good), "Since "+r.Since)
		testkit.Has(t, oneLine(page.out), r.Doc, oneLine(r.Why), oneLine(r.Remedy))
	}
}

func TestExplainTakesTheShortName(t *testing.T) {
	for _, name := range []string{"gpu/nvidia-docker", "nvidia-docker", "[gpu/nvidia-docker]"} {
		r := amlfix(t, t.TempDir(), "explain", name)
		if r.code != console.OK || !strings.HasPrefix(r.out, "gpu/nvidia-docker (error)\n") {
			t.Errorf("amlfix explain %s: %+v", name, r)
		}
	}
}

// oneLine returns a text without the line ends that fit it into a width.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimLeft(text, "\n"), "\n")
	return line
}
