package review

import (
	"context"
	"maps"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
)

// becauseNamed is the note on a fix that --apply would not have made.
const becauseNamed = "this fix may change what the job does; it is made because you selected it"

// Fix makes or shows the selected fixes of projects, and reports what was done.
func (k *Review) Fix(ctx context.Context, list []check.Selected) error {
	k.Report.Dir = k.Dir
	writer := report.New(report.Concise, k.Out, k.Report)
	made, refused, over := 0, 0, map[string][]byte{}
	for _, s := range list {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		done := k.Checker.Fix(s.Root, s.IDs, over)
		if done.Err != nil {
			k.Say("%v", done.Err)
			k.failed = true
			continue
		}
		refused += len(done.Refused)
		kept, repairs := k.refusals(done.Refused), k.selected(done.Made)
		if k.Diff {
			maps.Copy(over, done.Patch.Changed())
			k.show(done.Patch.Diff(fixers.DiffOptions{Raw: k.Raw, Name: k.Whole}), kept)
			for _, r := range repairs {
				if r.Notice != "" {
					k.Say("%s:%d: %s: %s [%s]", r.Path, r.Line, r.Title, r.Notice, r.Rule)
				}
			}
			continue
		}
		for _, r := range append(kept, repairs...) {
			writer.Repair(r)
		}
		made += len(done.Made)
	}
	if k.Wrote() {
		undo := []string{"amlfix undo"}
		for _, p := range k.Paths {
			undo = append(undo, escape.Word(p))
		}
		k.Say("%s repaired: %s restores the files", plain.Count(made, "finding"), strings.Join(undo, " "))
	}
	k.ExpireUndo()
	switch {
	case k.failed:
		return console.Status(console.Failure)
	case refused > 0 || k.differs:
		return console.Status(console.Findings)
	}
	return nil
}

// selected is like repairs, with a note on unsafe ones.
func (k *Review) selected(made []fixers.Applied) []report.Repair {
	list := k.repairs(made)
	for i, a := range made {
		if a.Finding.Fix.Applicability != finding.Unsafe {
			continue
		}
		list[i].Notice = becauseNamed
		if notice := a.Finding.Fix.Notice; notice != "" {
			list[i].Notice += "; " + notice
		}
	}
	return list
}
