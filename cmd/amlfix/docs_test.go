package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestRuleDocs checks that docs/rules agrees with the rules. With -update it rewrites the pages; pages of removed rules
// must be deleted by hand, because a rule's ID is permanent.
func TestRuleDocs(t *testing.T) {
	dir := filepath.Join("..", "..", "docs", "rules")
	want := map[string]string{"README.md": rulesIndex()}
	for _, r := range rules.All() {
		want[rulePage(r.ID)] = ruleDoc(r)
	}
	if *update {
		for name, text := range want {
			testkit.Write(t, dir, name, text)
		}
	}
	entries, err := os.ReadDir(dir)
	testkit.OK(t, err)
	got := map[string]string{}
	for _, e := range entries {
		got[e.Name()] = testkit.Read(t, dir, e.Name())
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("docs/rules is stale; run: go test ./cmd/amlfix -run RuleDocs -update\n(-rules +docs)\n%s", d)
	}
}

func rulePage(id string) string { return strings.ReplaceAll(id, "/", "-") + ".md" }

func rulesIndex() string {
	var b strings.Builder
	b.WriteString("<!-- Written from the rules by `go test ./cmd/amlfix -run RuleDocs -update`; change the rules instead. -->\n# Rules\n\n| rule | severity | what is wrong |\n|---|---|---|\n")
	for _, r := range rules.All() {
		fmt.Fprintf(&b, "| [`%s`](%s) | %s | %s |\n", r.ID, rulePage(r.ID), r.Severity, strings.ReplaceAll(r.Doc, "|", `\|`))
	}
	return b.String()
}

func ruleDoc(r *rules.Rule) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<!-- Written from rules/ by `go test ./cmd/amlfix -run RuleDocs -update`; change the rule instead. -->\n# %s\n\n**%s.** %s\n\n## Why it matters\n\n%s\n", r.ID, r.Severity, r.Doc, r.Why)
	if r.Remedy != "" {
		fmt.Fprintf(&b, "\n## What the repair does\n\n%s\n", r.Remedy)
	}
	if len(r.Facts) > 0 {
		b.WriteString("\n## What it is based on\n\n")
		asked := false
		for _, name := range r.Facts {
			table, _ := catalog.LookupTable(name)
			asked = asked || table.Asked
			fmt.Fprintf(&b, "- `%s`: %s\n", name, table.About)
		}
		b.WriteString("\n")
		if asked {
			fmt.Fprintf(&b, "`amlfix explain %s FACT` shows the source of what a finding names. ", r.ID)
		}
		b.WriteString("[Facts](../facts.md) describes how the tables are maintained.\n")
	}
	fmt.Fprintf(&b, "\n## Wrong\n\n```\n%s```\n\n## Right\n\n```\n%s```\n\nSince %s.\n", example(r.Bad), example(r.Good), r.Since)
	return b.String()
}

// example returns the files of a project, ending with a single newline.
func example(archive string) string { return strings.Trim(archive, "\n") + "\n" }
