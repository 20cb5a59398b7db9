package rules_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// forms are the ways to write the same file.
var forms = []struct {
	name    string
	rewrite func(text string) string
}{
	{"block", func(text string) string { return text }},
	{"crlf", func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }},
	{"no-final-newline", func(text string) string { return strings.TrimSuffix(text, "\n") }},
	{"json", asJSON},
}

// TestGoldenFixes compares, for every rule with a fix, the diff that the fix makes in each form of the bad example,
// with \r made visible. Faults of YAML syntax cannot be written as JSON.
func TestGoldenFixes(t *testing.T) {
	for _, rule := range rules.All() {
		t.Run(rule.ID, func(t *testing.T) {
			fixed := golden(t, strings.ReplaceAll(rule.ID, "/", "-"), rule.ID, "its bad example", rule.Bad)
			if !fixed && rule.Remedy != "" && !offersOnly(t, rule) {
				t.Errorf("the page says what the repair does, but the bad example is not repaired")
			}
		})
	}
}

// TestFurtherGoldenFixes does the same for the projects in testdata/repairs, whose fixes do not occur in the bad
// example of their rule or depend on options. The line "rule: ID" of the comment names the rule.
func TestFurtherGoldenFixes(t *testing.T) {
	names := testkit.Glob(t, "testdata", "repairs", "*.txtar")
	for _, name := range names {
		text := testkit.Read(t, name)
		stem := strings.TrimSuffix(filepath.Base(name), ".txtar")
		t.Run(stem, func(t *testing.T) {
			_, after, _ := strings.Cut(text, "rule: ")
			rule, _, _ := strings.Cut(after, "\n")
			if !golden(t, stem, rule, "testdata/repairs/"+stem+".txtar", text) {
				t.Error("nothing is repaired in any form")
			}
		})
	}
}

// golden compares what a rule's fixes do to a project, in each form, with the golden file of that name, and reports
// whether they change anything.
func golden(t *testing.T, stem, rule, what, project string) (fixed bool) {
	t.Helper()
	archive := &txtar.Archive{Comment: []byte("What the fixes of " + rule + " do to " + what + ".\n")}
	for _, form := range forms {
		diff, made := goldenDiff(t, rule, project, form.rewrite)
		fixed = fixed || made
		archive.Files = append(archive.Files, txtar.File{Name: form.name, Data: []byte(diff)})
	}
	if !fixed {
		return false
	}
	name, got := filepath.Join("testdata", "fixes", stem+".txtar"), txtar.Format(archive)
	if *update {
		testkit.OK(t, os.WriteFile(name, got, 0o644))
		return true
	}
	want := []byte(testkit.Read(t, name))
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("(-want +got; -update rewrites it):\n%s", diff)
	}
	return true
}

// goldenDiff repairs a project with the fixes of only one rule, and returns the diff.
func goldenDiff(t *testing.T, rule, project string, rewrite func(string) string) (diff string, made bool) {
	archive := txtar.Parse([]byte(project))
	for i, f := range archive.Files {
		archive.Files[i].Data = []byte(rewrite(string(f.Data)))
	}
	p := loadFiles(t, archive)
	patch, err := fixers.Repair(p, fixers.Options{Recheck: rules.Check, Allow: func(f finding.Finding) bool {
		return f.Rule == rule && f.Fix.Applicability != finding.Choice
	}})
	testkit.OK(t, err)
	for _, r := range patch.Refused {
		diff += fmt.Sprintf("refused: %s: %s\n", r.Finding.Fix.Title, r.Reason)
	}
	for _, f := range patch.Files {
		if back, err := os.ReadFile(f.Path); err != nil && f.Old != nil || err == nil && string(back) != string(f.Old) {
			t.Errorf("%s: the patch starts from another text", f.Path)
		}
	}
	text := patch.Diff(fixers.DiffOptions{Raw: true, Name: func(path string) string {
		rel, _ := filepath.Rel(p.Root, path)
		return filepath.ToSlash(rel)
	}})
	diff += strings.ReplaceAll(string(text), "\r", `\r`)
	if diff == "" {
		diff = "nothing is repaired in this form\n"
	}
	return diff, len(patch.Files) > 0
}

// offersOnly reports whether a rule's bad example leads only to choices, or to findings whose fix depends on options.
func offersOnly(t *testing.T, rule *rules.Rule) bool {
	for _, f := range rules.Check(load(t, rule.Bad)) {
		if f.Rule == rule.ID && f.Fix != nil && f.Fix.Applicability != finding.Choice {
			return false
		}
	}
	return strings.Contains(rule.Remedy, "--") || strings.Contains(rule.Remedy, " if ")
}

// loadFiles unpacks an archive without changing line ends, and loads its only project.
func loadFiles(t testing.TB, archive *txtar.Archive) *schema.Project {
	t.Helper()
	dir := t.TempDir()
	for _, f := range archive.Files {
		testkit.Write(t, dir, f.Name, f.Data)
	}
	roots, err := schema.Discover([]string{dir})
	if err != nil || len(roots) != 1 {
		t.Fatalf("roots %v, error %v", roots, err)
	}
	return schema.Load(roots[0], optionsOf(archive))
}

// asJSON returns a YAML document as JSON, with its keys in order, or the text itself if it does not parse.
func asJSON(text string) string {
	stream := document.Parse(source.New("x", []byte(text)))
	if stream.Root() == nil || len(stream.Problems) > 0 {
		return text
	}
	return jsonText(stream.Root(), "\n") + "\n"
}

func jsonText(n *document.Node, newline string) string {
	var parts []string
	switch {
	case n.IsMapping():
		for _, e := range n.Entries() {
			parts = append(parts, jsonString(e.Key.Value)+": "+jsonText(e.Value, newline+"  "))
		}
		return "{" + newline + "  " + strings.Join(parts, ","+newline+"  ") + newline + "}"
	case n.IsSequence() && len(n.Items()) == 0:
		return "[]"
	case n.IsSequence():
		for _, item := range n.Items() {
			parts = append(parts, jsonText(item, newline+"  "))
		}
		return "[" + newline + "  " + strings.Join(parts, ","+newline+"  ") + newline + "]"
	case n.IsNull():
		return "null"
	case n.IsString():
		return jsonString(n.Value)
	}
	return n.Value
}

func jsonString(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}
