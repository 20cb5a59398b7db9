package rules_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/testkit"
)

// samePart checks that CheckPart returns what Check returns of a rule, and at least what it returns of faulty files.
func samePart(t *testing.T, p *schema.Project, all []finding.Finding, id string) {
	t.Helper()
	var want []string
	ofFile := func(f finding.Finding) bool {
		return strings.HasPrefix(f.Rule, "yaml/") || strings.HasPrefix(f.Rule, "schema/")
	}
	part := rules.CheckPart(p, id)
	plain := func(f finding.Finding) string { f.Suppression = nil; return said([]finding.Finding{f})[0] }
	var got []string
	for _, f := range part {
		got = append(got, plain(f))
	}
	for _, f := range all {
		if f.Rule == id || ofFile(f) {
			want = append(want, plain(f))
		}
	}
	for _, line := range want {
		if !slices.Contains(got, line) {
			t.Errorf("%s: the part for %s lacks %s", p.Root, id, line)
		}
	}
	for i, f := range part {
		if !strings.HasPrefix(id, "amlfix/") && !ofFile(f) && !slices.Contains(want, got[i]) {
			t.Errorf("%s: the part for %s has %s", p.Root, id, got[i])
		}
	}
}

// verdict returns what a preview says of a finding's fix.
func verdict(p *fixers.Preview, f finding.Finding) string {
	files, err := p.Edits(f)
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	for _, file := range files {
		fmt.Fprintln(&b, file.Source.Path, file.Creates, file.Edits)
	}
	return b.String()
}

// TestCheckPart compares proofs by a part of the rules with proofs by all rules, and what the parts find, over the
// examples of all rules and all real projects.
//
//testkit:norace
func TestCheckPart(t *testing.T) {
	t.Parallel()
	var dirs []string
	for _, rule := range rules.All() {
		dirs = append(dirs, testkit.Folder(t, strings.TrimLeft(rule.Bad, "\n")))
	}
	compared := 0
	for _, dir := range append(dirs, testkit.Corpus(t), testkit.CorpusV2(t)) {
		roots, err := schema.Discover([]string{dir})
		testkit.OK(t, err)
		for _, root := range roots {
			p := schema.Load(root, schema.Options{})
			all := rules.Check(p)
			ids := map[string]bool{}
			whole := fixers.NewPreview(p, fixers.Options{Found: all, Recheck: rules.Check})
			part := fixers.NewPreview(p, fixers.Options{Found: all, Recheck: rules.Check, RecheckPart: rules.CheckPart})
			for _, f := range all {
				if !ids[f.Rule] {
					ids[f.Rule] = true
					samePart(t, p, all, f.Rule)
				}
				if f.Fix != nil {
					testkit.Same(t, verdict(whole, f), verdict(part, f), "%s: %s", root.Dir, f.Rule)
					compared++
				}
			}
		}
	}
	if compared < 300 {
		t.Errorf("only %d fixes were compared", compared)
	}
}
