package review

import (
	"fmt"

	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/secret"
)

// repairs returns the repairs that were made, for a report.
func (k *Review) repairs(made []fixers.Applied) (list []report.Repair) {
	for _, a := range made {
		list = append(list, report.Repair{
			Path: k.Rel(a.Path), Line: a.Line, Rule: a.Finding.Rule, Title: secret.Hide(a.Title), Notice: a.Finding.Fix.Notice,
			Changes: k.changes(a.Finding.Fix.Changes), Ignored: a.Finding.Fix.Ignores(), Uncovered: a.Uncovered,
		})
	}
	return list
}

// refusals returns the repairs that could not be made, for a report.
func (k *Review) refusals(refused []fixers.Refused) (list []report.Repair) {
	for _, r := range refused {
		at := r.Finding.Source.Position(r.Finding.Span.Start)
		list = append(list, report.Repair{
			Path: k.Rel(r.Finding.Source.Path), Line: at.Line, Rule: r.Finding.Rule,
			Title: secret.Hide(r.Finding.Fix.Title), Reason: k.reason(r), Clause: r.Clause,
			Ignored: r.Finding.Fix.Ignores(),
		})
	}
	return list
}

// reason returns why a repair could not be made, for a report.
func (k *Review) reason(r fixers.Refused) string {
	return secret.Hide(report.Relative(k.Dir, r.Reason))
}

// changes returns the declared changes, for a report.
func (k *Review) changes(list []finding.Change) (out []report.Change) {
	for _, c := range list {
		out = append(out, report.Change{Op: c.Op.String(), Path: k.Rel(c.File), Pointer: c.Pointer})
		out = append(out, k.changes(c.Changes)...)
	}
	return out
}

// withRefusals adds the reason why a fix was not made to resolved findings.
func (k *Review) withRefusals(resolved []report.Finding, findings []finding.Finding, refused []fixers.Refused) {
	for _, r := range refused {
		for i, f := range findings {
			if resolved[i].Fix != nil && finding.Compare(f, r.Finding) == 0 {
				resolved[i].Fix.Refused = &report.Refusal{Clause: r.Clause, Reason: k.reason(r)}
			}
		}
	}
}

// disclaimer is the note at the end of a repair for --gpu: what the repair guarantees, and what not.
const disclaimer = "The repairs make the files consistent with each other; they do not ensure that the image can still be pulled or that its packages can still be installed."

// goneImages is the note at the end of a repair of files that name a removed image: infos are not shown, and a user who
// has just repaired the files is about to run them.
func goneImages(places int) string {
	where := "one place"
	if places > 1 {
		where = fmt.Sprintf("%d places", places)
	}
	return "In " + where + " the image can no longer be pulled, only used where it was pulled in time: amlfix --verbose shows where."
}

// close ends the reports, and writes the notes below them.
func (k *Review) close() error {
	err := k.writer.close(k.summary)
	if k.forGPU && len(k.Answers.GPU)+len(k.Answers.CPU) > 0 {
		k.note(disclaimer)
	}
	if k.gone > 0 && k.applies() && k.summary.Repaired > 0 && !k.Report.Verbose {
		k.note(goneImages(k.gone))
	}
	return err
}

// note writes a sentence below the report, or to standard error if the report is for programs.
func (k *Review) note(text string) {
	if k.writer.forPeople() && !k.Aside {
		_, _ = fmt.Fprintln(k.Out, text)
		return
	}
	k.Say("%s", text)
}
