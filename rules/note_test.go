package rules_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers/edit"
	"github.com/amlfix/amlfix/fixers/text"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// said returns everything that findings say, one line each.
func said(list []finding.Finding) (lines []string) {
	for _, f := range list {
		line := fmt.Sprint(f.Rule, " ", f.Severity, " ", f.Source.Path, " ", f.Span, " ", f.Message, " ", f.Suppression)
		for _, r := range f.Related {
			line += fmt.Sprint(" / ", r.Source.Path, " ", r.Span, " ", r.Message)
		}
		if f.Fix != nil {
			line += fmt.Sprintf(" fix: %+v", *f.Fix)
		}
		lines = append(lines, line)
	}
	return lines
}

// versions returns changed versions of a project: one for each fix, and the given number of mutants.
func versions(p *schema.Project, found []finding.Finding, r *rand.Rand, mutants int) (list []map[string][]byte) {
	for _, f := range found {
		if f.Fix == nil || len(f.Fix.Changes) == 0 || slices.ContainsFunc(f.Fix.Changes, func(c finding.Change) bool {
			return c.Op == finding.NewFile || c.Op == finding.CopyFile || c.File != f.Fix.Changes[0].File
		}) {
			continue
		}
		file := p.File(f.Fix.Changes[0].File)
		edits, err := edit.New(file.Stream).Edits(f.Fix.Changes)
		if err != nil {
			continue
		}
		text.Sort(edits)
		if after, err := text.Apply(file.Source.Text, edits); err == nil {
			list = append(list, map[string][]byte{file.Path: after})
		}
	}
	for range mutants {
		file := p.Files[r.IntN(len(p.Files))]
		how := mutations[r.IntN(len(mutations))]
		if made, ok := mutate(r, source.New(file.Path, file.Source.Text), how); ok {
			list = append(list, map[string][]byte{file.Path: made.text})
		}
		if len(file.Source.Text) > 0 {
			at := r.IntN(len(file.Source.Text))
			list = append(list, map[string][]byte{file.Path: slices.Delete(slices.Clone(file.Source.Text), at, at+1)})
		}
	}
	return list
}

// sameChecked checks that findings in changed versions of a project, and after changing them back, do not depend on
// what earlier checks cached about its files. Both copies take the same steps: a file that a change names remains part
// of the project when the change is reverted. Nor do they depend on what is shared with the earlier version: they are
// those of a project that is loaded with the change, if it has the same files.
func sameChecked(t *testing.T, root schema.Root, r *rand.Rand, mutants, most int, loaded *int) (compared int) {
	t.Helper()
	noted := schema.Load(root, schema.Options{})
	if len(noted.Files) == 0 {
		return 0
	}
	found := rules.Check(noted)
	list := versions(noted, found, r, mutants)
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	for _, changed := range list[:min(len(list), most)] {
		after, before := noted.With(changed), map[string][]byte{}
		for name := range changed {
			before[name] = noted.File(name).Source.Text
		}
		fresh, again := schema.Load(root, schema.Options{}).With(changed), schema.Load(root, schema.Options{}).With(changed).With(before)
		testkit.Same(t, said(rules.Check(fresh)), said(rules.Check(after)), "%s", root.Dir)
		testkit.Same(t, said(rules.Check(again)), said(rules.Check(after.With(before))), "%s, changed back", root.Dir)
		whole := schema.Load(root, schema.Options{Text: func(path string) ([]byte, bool) { text, ok := changed[path]; return text, ok }})
		if slices.EqualFunc(whole.Files, after.Files, func(a, b *schema.File) bool { return a.Path == b.Path }) {
			testkit.Same(t, said(rules.Check(whole)), said(rules.Check(after)), "%s, loaded", root.Dir)
			*loaded++
		}
		compared++
	}
	return compared
}

// TestNotes compares checks with and without cached facts about files, over the examples of all rules and all real
// projects, changed by fixes and mistakes. AMLFIX_THOROUGH=N makes N mistakes in each project, and compares everything.
//
//testkit:norace
func TestNotes(t *testing.T) {
	t.Parallel()
	mutants, most := 1, 2
	if n, err := strconv.Atoi(os.Getenv("AMLFIX_THOROUGH")); err == nil {
		mutants, most = n, 1_000_000
	}
	seed := uint64(os.Getpid())
	r := rand.New(rand.NewPCG(seed, 19))
	var dirs []string
	for _, rule := range rules.All() {
		dirs = append(dirs, testkit.Folder(t, strings.TrimLeft(rule.Bad, "\n")))
	}
	compared, loaded := 0, 0
	for _, dir := range append(dirs, testkit.Corpus(t), testkit.CorpusV2(t)) {
		roots, err := schema.Discover([]string{dir})
		testkit.OK(t, err)
		for _, root := range roots {
			compared += sameChecked(t, root, r, mutants, most, &loaded)
		}
	}
	t.Logf("%d versions compared, %d also loaded, seed %d", compared, loaded, seed)
	if compared < 200 || loaded < 200 {
		t.Errorf("only %d versions were compared, and %d also loaded", compared, loaded)
	}
}
