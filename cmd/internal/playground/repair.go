package playground

import (
	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/fixers/text"
	"github.com/amlfix/amlfix/schema/finding"
)

// repair is one way to repair a finding.
type repair struct {
	title string
	files map[string][]byte // the texts that it changes
}

// repairs returns the ways to repair a finding, each proved. What cannot be made is
// left out; the finding's message says what to do.
func repairs(root check.Root, result check.Result, f finding.Finding, seen *report.Fix, edits func(finding.Finding) ([]fixers.FileEdits, error)) (list []repair) {
	if f.Fix.Applicability == finding.Choice {
		for i, a := range f.Fix.Answers {
			if files := answered(root, result, f, a); len(files) > 0 {
				list = append(list, repair{title: title(seen.Answers[i].Title), files: files})
			}
		}
		return list
	}
	changed, err := edits(f)
	if err != nil {
		return nil
	}
	files := map[string][]byte{}
	for _, c := range changed {
		if files[c.Source.Path], err = text.Apply(c.Source.Text, c.Edits); err != nil {
			return nil
		}
	}
	name := title(seen.Title)
	if f.Fix.Applicability == finding.Unsafe {
		name += " (may change what the job does)"
	}
	return []repair{{title: name, files: files}}
}

// answered returns the texts that a decision leads to: the finding is repaired, and
// what else is found because of the decision, as far as that is safe.
func answered(root check.Root, before check.Result, f finding.Finding, answer finding.Answer) map[string][]byte {
	known := map[[3]string]bool{}
	for _, g := range before.All {
		known[[3]string{g.Rule, g.Source.Path, g.Message}] = g.Fix == nil || g.Fix.Applicability != finding.Choice
	}
	var with check.Answers
	with.Add(answer)
	patch, err := fixers.Repair(root.Load(with), fixers.Options{Recheck: root.All, Allow: func(g finding.Finding) bool {
		own := g.Rule == f.Rule && g.Span == f.Span && g.Source.Path == f.Source.Path && g.Fix != nil && g.Fix.Applicability != finding.Choice
		return root.Repairs(g) && (own || check.MaySafely(g) && !known[[3]string{g.Rule, g.Source.Path, g.Message}])
	}})
	if err != nil {
		return nil
	}
	return patch.Changed()
}
