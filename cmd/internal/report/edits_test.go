package report

import (
	"bytes"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/tools/txtar"

	"github.com/amlfix/amlfix/fixers"
	edit "github.com/amlfix/amlfix/fixers/text"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestEditsOfSecrets removes a password that begins and ends like its replacement: the edit must not reveal that.
func TestEditsOfSecrets(t *testing.T) {
	src := source.New("x", []byte("password: nul1-hunter2-ull\n"))
	f := finding.Finding{Rule: "a/b", Location: at(src, "nul1-hunter2-ull", ""), Fix: &finding.Fix{Applicability: finding.Unsafe}}
	r := Resolver{Dir: "/", Edits: func(f finding.Finding) ([]fixers.FileEdits, error) {
		return []fixers.FileEdits{{Source: src, Edits: []edit.Edit{{Span: f.Span, New: "null"}}}}, nil
	}}
	want := []Edit{{Path: "x", Region: Region{1, 11, 1, 27}, Start: 10, End: 26, Text: "null"}}
	testkit.Same(t, want, r.Finding(f).Fix.Edits)
}

// TestOnlySafe checks that SARIF's reports do not wait for proofs of fixes that they do not contain.
func TestOnlySafe(t *testing.T) {
	src := source.New("x", []byte("a: 1\n"))
	asked := 0
	r := Resolver{Dir: "/", OnlySafe: true, Edits: func(f finding.Finding) ([]fixers.FileEdits, error) {
		asked++
		return []fixers.FileEdits{{Source: src, Edits: []edit.Edit{{Span: f.Span, New: "2"}}}}, nil
	}}
	for _, how := range []finding.Applicability{finding.Unsafe, finding.Safe} {
		f := finding.Finding{Rule: "a/b", Location: at(src, "1", ""), Fix: &finding.Fix{Applicability: how}}
		if edits := r.Finding(f).Fix.Edits; (len(edits) == 1) != (how == finding.Safe) {
			t.Errorf("%s: %v", how, edits)
		}
	}
	testkit.Same(t, 1, asked)
}

// TestPreviewsEnd computes fixes until the limit: the next one has a reason instead of edits.
func TestPreviewsEnd(t *testing.T) {
	rule, _ := rules.ByID("gpu/framework")
	roots, err := schema.Discover([]string{testkit.Unpack(t, txtar.Parse([]byte(rule.Bad)).Files)})
	testkit.OK(t, err)
	p := schema.Load(roots[0], schema.Options{})
	found := rules.Check(p)
	at := slices.IndexFunc(found, func(f finding.Finding) bool { return f.Fix != nil && f.Fix.Applicability != finding.Choice })
	if at < 0 {
		t.Fatalf("nothing to repair: %+v", found)
	}
	edits := Previews(p, found)
	for n := range maxPreviews + 1 {
		if _, err := edits(found[at]); (err == nil) != (n < maxPreviews) {
			t.Fatalf("fix %d: %v", n, err)
		}
	}
}

// goldenProjects returns the rules' examples and their test projects, on disk.
func goldenProjects(t *testing.T) map[string]*schema.Project {
	t.Helper()
	archives := map[string]*txtar.Archive{}
	for _, r := range rules.All() {
		archives[r.ID] = txtar.Parse([]byte(r.Bad))
	}
	for _, pattern := range []string{"*.txtar", "repairs/*.txtar"} {
		for _, name := range testkit.Glob(t, "../../../rules/testdata", pattern) {
			archive := testkit.Archive(t, name)
			archives[name] = archive
		}
	}
	for name, archive := range maps.Clone(archives) {
		cut := &txtar.Archive{}
		for _, f := range archive.Files {
			cut.Files = append(cut.Files, txtar.File{Name: f.Name, Data: bytes.TrimSuffix(f.Data, []byte("\n"))})
		}
		archives["without a final newline: "+name] = cut
	}
	projects := map[string]*schema.Project{}
	for name, archive := range archives {
		roots, err := schema.Discover([]string{testkit.Unpack(t, archive.Files)})
		testkit.OK(t, err)
		for _, root := range roots {
			projects[name+" "+filepath.Base(root.Dir)] = schema.Load(root, schema.Options{Host: "windows"})
		}
	}
	return projects
}

// TestEditsAreTheRepair makes the edits of each finding in the golden cases, and checks that they have the same result
// as repairing that finding alone, that their positions in bytes, lines and columns agree, and that none could be
// smaller.
//
//testkit:norace
func TestEditsAreTheRepair(t *testing.T) {
	t.Parallel()
	made, created, kept := 0, 0, map[string]int{}
	for name, p := range goldenProjects(t) {
		findings := rules.Check(p)
		r := Resolver{Dir: p.Root, Edits: Previews(p, nil)}
		for i, f := range r.Findings(findings) {
			if f.Fix == nil {
				continue
			}
			if (f.Fix.Edits == nil) == (f.Fix.Kept == "") {
				t.Fatalf("%s: %s: edits and why there are none: %+v", name, f.Rule, f.Fix)
			}
			if f.Fix.Edits == nil {
				kept[f.Fix.Kept]++
				continue
			}
			want := repairedAlone(t, p, findings[i])
			got := map[string]string{}
			for at, e := range f.Fix.Edits {
				path := filepath.Join(p.Root, filepath.FromSlash(e.Path))
				if _, begun := got[path]; !begun {
					if e.Creates {
						got[path] = ""
						created++
					} else {
						got[path] = string(p.File(path).Source.Text)
						made++
					}
				}
				checkPlace(t, name, p, path, e, !strings.HasPrefix(f.Rule, "secret/"))
				if at > 0 && f.Fix.Edits[at-1].Path == e.Path && f.Fix.Edits[at-1].End >= e.Start {
					t.Errorf("%s: %s: edits overlap or touch: %+v", name, f.Rule, f.Fix.Edits)
				}
			}
			for at := len(f.Fix.Edits) - 1; at >= 0; at-- {
				e := f.Fix.Edits[at]
				path := filepath.Join(p.Root, filepath.FromSlash(e.Path))
				got[path] = got[path][:e.Start] + e.Text + got[path][e.End:]
			}
			testkit.Same(t, want, got, "%s: %s: the edits are not the repair", name, f.Rule)
		}
	}
	if made < 150 || created < 3 || kept["the new text contains a secret, or part of one"] == 0 || kept["the fix leaves a decision to you"] == 0 {
		t.Errorf("only %d edited files, %d created; without edits: %v", made, created, kept)
	}
}

// repairedAlone returns the files changed by repairing a single finding.
func repairedAlone(t *testing.T, p *schema.Project, only finding.Finding) map[string]string {
	t.Helper()
	patch, err := fixers.Repair(p, fixers.Options{Recheck: rules.Check, Allow: func(f finding.Finding) bool {
		// another source: what follows a removed line can have the same finding
		return f.Source == only.Source && finding.Compare(f, only) == 0 && f.Fix.Title == only.Fix.Title
	}})
	testkit.OK(t, err)
	files := map[string]string{}
	for _, f := range patch.Files {
		files[f.Path] = string(f.New)
	}
	return files
}

// checkPlace finds an edit's position by counting, as a reader of the report does.
func checkPlace(t *testing.T, name string, p *schema.Project, path string, e Edit, small bool) {
	t.Helper()
	if e.Creates {
		return
	}
	text := string(p.File(path).Source.Text)
	for _, at := range []struct{ offset, line, column int }{{e.Start, e.Line, e.Column}, {e.End, e.EndLine, e.EndColumn}} {
		before := strings.TrimPrefix(text[:at.offset], "\ufeff")
		line := strings.Count(before, "\n") + 1
		column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
		if !strings.Contains(strings.ReplaceAll(text, "\r\n", ""), "\r") && (line != at.line || column != at.column) {
			t.Errorf("%s: byte %d is at %d:%d, not %d:%d", name, at.offset, line, column, at.line, at.column)
		}
	}
	old := text[e.Start:e.End]
	if old == e.Text || small && common(old, e.Text)+commonEnd(old, e.Text) > 0 {
		t.Errorf("%s: %q → %q can be smaller", name, old, e.Text)
	}
}

func TestSmallest(t *testing.T) {
	for _, tt := range []struct{ old, new, wantOld, wantNew string }{
		{"tensorflow==1", "tensorflow-gpu==1", "", "-gpu"},
		{"aaa", "aa", "a", ""},
		{"größe", "grüße", "ö", "ü"}, // never a single byte of a character
		{"a\r\n", "a\n", "\r\n", "\n"},
		{"x", "y", "x", "y"},
		{"", "new", "", "new"},
	} {
		src := source.New("x", []byte("<"+tt.old+">"))
		got := smallest(fixers.FileEdits{Source: src, Edits: []edit.Edit{{Span: source.Span{Start: 1, End: 1 + len(tt.old)}, New: tt.new}}}, nil)
		if len(got) != 1 || string(src.Slice(got[0].Span)) != tt.wantOld || got[0].New != tt.wantNew {
			t.Errorf("%q → %q: %+v", tt.old, tt.new, got)
		}
	}
}
