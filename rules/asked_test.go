package rules_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestAsked repairs the v2 projects in testdata/asked with the options in their comment, and compares the diff and the
// remaining findings about GPUs with the section "want". In every other form of the files, the repairs and the
// remaining findings are the same.
func TestAsked(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("testdata", "asked", "*.txtar"))
	if err != nil || len(names) < 20 {
		t.Fatalf("%d projects: %v", len(names), err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive := testkit.Archive(t, name)
			archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return f.Name == "want" })
			diff, outcome := repairAsked(t, archive, forms[0].rewrite)
			want := fmt.Sprintf("%s\n%s", diff, outcome)
			for _, form := range forms[1:] {
				if form.name == "json" && strings.Contains(string(txtar.Format(archive)), ": *") {
					continue // has no aliases
				}
				if _, other := repairAsked(t, archive, form.rewrite); other != outcome {
					t.Errorf("as %s:\n%s", form.name, cmp.Diff(outcome, other))
				}
			}
			full := *archive
			full.Files = append(slices.Clone(full.Files), txtar.File{Name: "want", Data: []byte(want)})
			got := txtar.Format(&full)
			if *update {
				testkit.OK(t, os.WriteFile(name, got, 0o644))
				return
			}
			before := testkit.Read(t, name)
			if diff := cmp.Diff(before, string(got)); diff != "" {
				t.Errorf("(-want +got; -update rewrites it):\n%s", diff)
			}
		})
	}
}

// repairAsked makes all safe repairs of a project, checks that they converge, and returns the diff, and the titles of
// the repairs with the remaining findings about GPUs.
func repairAsked(t *testing.T, archive *txtar.Archive, rewrite func(string) string) (diff, outcome string) {
	t.Helper()
	written := &txtar.Archive{Comment: archive.Comment}
	for _, f := range archive.Files {
		if !strings.HasSuffix(f.Name, ".py") && filepath.Base(f.Name) != "Dockerfile" {
			f.Data = []byte(rewrite(string(f.Data)))
		}
		written.Files = append(written.Files, f)
	}
	p := loadFiles(t, written)
	patch, err := fixers.Repair(p, fixers.Options{Recheck: rules.Check})
	testkit.OK(t, err)
	var lines []string
	for _, made := range slices.Concat(patch.Applied, patch.Also) {
		line := made.Finding.Rule + ": " + made.Title
		if made.Finding.Fix.Notice != "" {
			line += " (" + made.Finding.Fix.Notice + ")"
		}
		lines = append(lines, line)
	}
	for _, r := range patch.Refused {
		lines = append(lines, "refused: "+r.Finding.Rule+": "+r.Finding.Fix.Title+": "+r.Reason)
	}
	slices.Sort(lines)
	for _, f := range patch.Remaining {
		if strings.HasPrefix(f.Rule, "gpu/") {
			lines = append(lines, "left: "+f.Severity.String()+" "+f.Rule+": "+f.Message+answers(f))
		}
	}
	after := p.With(patch.Changed())
	if again, err := fixers.Repair(after, fixers.Options{Recheck: rules.Check}); err != nil || len(again.Files) > 0 {
		t.Errorf("repaired again: %v\n%s", err, again.Diff(fixers.DiffOptions{Raw: true}))
	}
	raw := patch.Diff(fixers.DiffOptions{Raw: true, Name: func(path string) string {
		rel, _ := filepath.Rel(schema.Identity(p.Root), path)
		return filepath.ToSlash(rel)
	}})
	return string(raw), strings.Join(append(lines, ""), "\n")
}

// answers lists the choices that a finding offers.
func answers(f finding.Finding) (list string) {
	if f.Fix == nil {
		return ""
	}
	for _, a := range f.Fix.Answers {
		list += fmt.Sprintf(" [--%s %s]", a.Flag, a.Argument())
	}
	return list
}
