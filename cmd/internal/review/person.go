package review

import (
	"fmt"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/secret"
)

// person asks the person at the terminal about a review; it implements check.Person.
type person struct {
	*ui.Prompt
	review *Review
}

// Ask lets the review ask the person at a terminal.
func (k *Review) Ask(prompt *ui.Prompt) { k.Person = person{prompt, k} }

// Choose asks which answer to give if a finding's fix leaves something open.
func (p person) Choose(f finding.Finding) (int, error) {
	p.finding(f)
	var titles []string
	for _, answer := range f.Fix.Answers {
		titles = append(titles, secret.Hide(answer.Title))
	}
	return p.Pick(titles)
}

// Permit asks whether to make a repair that may change what the job does.
func (p person) Permit(f finding.Finding) (bool, error) {
	p.finding(f)
	return p.Confirm("This may change what the job does. Make the repair?")
}

// Accept shows a project's repair and asks whether to write it.
func (p person) Accept(r check.Root, patch *fixers.Patch) (bool, error) {
	_, _ = p.review.Out.Write(p.review.painted(patch.Diff(fixers.DiffOptions{Name: p.review.Whole})))
	question := "Write these changes?"
	if dir := p.review.Rel(r.Dir); dir != "." {
		question = fmt.Sprintf("Write these changes to %s?", dir)
	}
	return p.Confirm(question)
}

// finding prints a single finding, with what the user must know before repairing it.
func (p person) finding(f finding.Finding) {
	resolver := report.Resolver{Dir: p.review.Dir, Snippets: true, Columns: p.review.columns}
	for _, resolved := range resolver.Findings([]finding.Finding{f}) {
		resolved.Fix.Applicability, resolved.Fix.Answers = finding.Choice, nil // the user is asked
		p.review.writer.Finding(resolved)
	}
}
