package rules_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/testkit"
)

// load unpacks an archive and loads its only project. The lines "gpu: TARGET…", "cpu: TARGET…", "choose:
// QUESTION=ANSWER…" and "host: SYSTEM" in the archive's comment are options; the host is Linux by default.
func load(t testing.TB, archive string) *schema.Project {
	t.Helper()
	return loadFiles(t, txtar.Parse([]byte(archive)))
}

// optionsOf reads the options in an archive's comment.
func optionsOf(archive *txtar.Archive) schema.Options {
	options := schema.Options{Host: "linux", AsOf: "2026-11-22"}
	for line := range bytes.Lines(archive.Comment) {
		switch key, value, _ := strings.Cut(strings.TrimSpace(string(line)), ": "); key {
		case "gpu":
			options.GPU = strings.Fields(value)
		case "host":
			options.Host = value
		case "as-of":
			options.AsOf = value
		case "cpu":
			options.CPU = strings.Fields(value)
		case "choose":
			options.Choices = map[string]string{}
			for _, answer := range strings.Fields(value) {
				question, value, _ := strings.Cut(answer, "=")
				options.Choices[question] = value
			}
		}
	}
	return options
}

// lines formats findings as "file:line:column severity rule [fix]".
func lines(p *schema.Project, list []finding.Finding) []string {
	var out []string
	for _, f := range list {
		at := f.Source.Position(f.Span.Start)
		rel, _ := filepath.Rel(p.Root, f.Source.Path)
		line := fmt.Sprintf("%s:%d:%d %s %s", filepath.ToSlash(rel), at.Line, at.Column, f.Severity, f.Rule)
		if f.Suppression != nil {
			line += fmt.Sprintf(" (ignored: %s)", f.Suppression.Justification)
		}
		if f.Fix != nil {
			line += fmt.Sprintf(" [%s]", f.Fix.Applicability)
		}
		out = append(out, line)
	}
	return out
}

// TestExamples runs every rule's own examples.
func TestExamples(t *testing.T) {
	for _, rule := range rules.All() {
		t.Run(rule.ID, func(t *testing.T) {
			bad := load(t, rule.Bad)
			found := 0
			for _, f := range rules.Check(bad) {
				if f.Rule == rule.ID {
					found++
				} else if f.Severity == finding.Error {
					t.Errorf("the bad example also shows %s: %s", f.Rule, f.Message)
				}
			}
			if found == 0 {
				t.Errorf("the bad example is not reported; all findings: %v", lines(bad, rules.Check(bad)))
			}
			good := load(t, rule.Good)
			for _, f := range rules.Check(good) {
				if f.Suppression == nil && (f.Rule == rule.ID || f.Severity != finding.Info) {
					t.Errorf("the good example is reported: %v: %s", lines(good, []finding.Finding{f}), f.Message)
				}
			}
		})
	}
}

// TestRulesAreComplete checks what every rule must have.
func TestRulesAreComplete(t *testing.T) {
	id := regexp.MustCompile(`^[a-z][a-z0-9]*/[a-z0-9-]+$`)
	seen := map[string]bool{}
	for _, r := range rules.All() {
		switch {
		case !id.MatchString(r.ID), seen[r.ID]:
			t.Errorf("%q: not a new group/name", r.ID)
		case r.Doc == "" || r.Why == "" || r.Bad == "" || r.Good == "" || r.Check == nil || r.Severity == 0:
			t.Errorf("%s: incomplete", r.ID)
		case strings.Contains(r.Doc, "\n") || !strings.HasSuffix(r.Doc, "."):
			t.Errorf("%s: doc is not one sentence on one line: %q", r.ID, r.Doc)
		}
		if since, err := time.Parse(time.DateOnly, r.Since); err != nil || since.After(time.Now().AddDate(0, 0, 2)) {
			t.Errorf("%s: Since is %q, want the day on which the rule was added", r.ID, r.Since)
		}
		seen[r.ID] = true
	}
}

// wanted reports whether a case covers a finding: one of the rules whose ids begin with a word of its line "only:" or,
// without that line, any that is not true of nearly every image of those years.
func wanted(f finding.Finding, only []string) bool {
	if only == nil {
		return f.Rule != "image/removed"
	}
	return slices.ContainsFunc(only, func(prefix string) bool { return strings.HasPrefix(f.Rule, prefix) })
}

// TestCheck runs all rules over whole projects, and compares the findings and their positions.
func TestCheck(t *testing.T) {
	files := testkit.Glob(t, "testdata/*.txtar")
	for _, name := range files {
		text := []byte(testkit.Read(t, name))
		archive := txtar.Parse(text)
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			var only, want, rest []string
			for line := range strings.Lines(string(archive.Comment)) {
				line = strings.TrimSpace(line)
				switch {
				case strings.HasPrefix(line, "gpu: "), strings.HasPrefix(line, "host: "), strings.HasPrefix(line, "as-of: "), strings.HasPrefix(line, "cpu: "), strings.HasPrefix(line, "choose: "):
				case strings.HasPrefix(line, "only: "):
					only = strings.Fields(line)[1:]
				case line != "" && !strings.HasPrefix(line, "#"):
					want = append(want, line)
				default:
					rest = append(rest, line)
				}
			}
			if len(rest) == 0 {
				t.Error("a case begins with a comment that says what it shows")
			}
			p := load(t, string(text))
			all := slices.DeleteFunc(rules.Check(p), func(f finding.Finding) bool { return !wanted(f, only) })
			testkit.Same(t, want, lines(p, all))
			for _, f := range all {
				if f.Fix != nil {
					onPage(t, f)
				}
			}
		})
	}
}

// onPage checks that the page of a finding's rule says that there is a fix such as the finding's.
func onPage(t *testing.T, f finding.Finding) {
	t.Helper()
	rule, _ := rules.ByID(f.Rule)
	unsafe := f.Fix.Applicability == finding.Unsafe
	if rule.Remedy == "" || unsafe && !strings.Contains(rule.Remedy, "unsafe") || f.Fix.Applicability == finding.Safe && strings.HasPrefix(rule.Remedy, "With --unsafe") && !strings.Contains(rule.Remedy, ". ") {
		t.Errorf("the page of %s does not mention that amlfix can %s (%s)", f.Rule, f.Fix.Title, f.Fix.Applicability)
	}
}

// TestOneFilePerRule checks that each rule is in the file that its id names, and other code in files with the prefix
// shared_.
func TestOneFilePerRule(t *testing.T) {
	all := testkit.Glob(t, "*.go")
	want, got := []string{"rule.go"}, []string(nil)
	for _, r := range rules.All() {
		name := strings.NewReplacer("/", "_", "-", "_").Replace(r.ID) + ".go"
		want = append(want, name)
		if text, err := os.ReadFile(name); err != nil || !bytes.Contains(text, []byte(`"`+r.ID+`"`)) {
			t.Errorf("%s: does not hold %s (%v)", name, r.ID, err)
		}
	}
	for _, name := range all {
		if !strings.HasSuffix(name, "_test.go") && !strings.HasPrefix(name, "shared_") {
			got = append(got, name)
		}
	}
	slices.Sort(want)
	testkit.Same(t, want, got)
}
