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

// repairs returns the ways to repair a finding, each proved. It omits those that cannot be made; the finding's message
// says what to do.
func repairs(root check.Root, result check.Result, f finding.Finding, seen *report.Fix, edits func(finding.Finding) ([]fixers.FileEdits, error)) (list []repair) {
	if f.Fix.Applicability == finding.Choice {
		for i, a := range f.Fix.Answers {
			if patch, err := root.Answered(result, f, a); err == nil && len(patch.Files) > 0 {
				list = append(list, repair{title: title(seen.Answers[i].Title), files: patch.Changed()})
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
