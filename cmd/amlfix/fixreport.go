package main

import (
	"maps"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/finding"
)

// becauseNamed is the note on a fix that --apply would not have made.
const becauseNamed = "this fix may change what the job does; it is made because you selected it"

// fixAll makes or shows the fixes of each project, and reports what was done.
func (c *call) fixAll(ctx *cli.Context, checker *check.Checker, places []place) error {
	coloured, err := c.Coloured(ctx)
	if err != nil {
		return err
	}
	k := &checking{call: c, checker: checker, diff: ctx.Bool("diff"), raw: ctx.Bool("raw"), style: ui.NewStyle(coloured && !ctx.Bool("raw"))}
	writer := report.New(report.Concise, c.Out, report.Options{Coloured: coloured, Linked: c.Linked(ctx), Dir: c.Dir})
	made, refused, over := 0, 0, map[string][]byte{}
	for _, p := range places {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		done := checker.Fix(p.root, p.ids, over)
		if done.Err != nil {
			c.Say("%v", done.Err)
			k.failed = true
			continue
		}
		refused += len(done.Refused)
		if k.diff {
			maps.Copy(over, done.Patch.Changed())
			k.shown(done)
			continue
		}
		for _, r := range append(k.refusals(done.Refused), k.namedRepairs(done.Made)...) {
			writer.Repair(r)
		}
		made += len(done.Made)
	}
	if checker.Wrote() {
		expireUndo()
		c.Say("%s: %s restores the files", ui.Count(made, "finding")+" repaired", undoOf(ctx.StringSlice("in")))
	}
	switch {
	case k.failed:
		return cli.Status(cli.Failure)
	case refused > 0 || k.differs:
		return cli.Status(cli.Findings)
	}
	return nil
}

// shown writes the diff of a project, and lists the fixes that would not be made.
func (k *checking) shown(done check.Result) {
	diff := done.Patch.Diff(fixers.DiffOptions{Raw: k.raw, Name: k.Rel})
	k.differs = k.differs || len(diff) > 0
	_, _ = k.Out.Write(painted(k.style, diff))
	for _, r := range k.refusals(done.Refused) {
		k.Say("%s:%d: %s: %s: %s [%s]", r.Path, r.Line, r.Word(), r.Title, r.Reason, r.Rule)
	}
	for _, r := range k.namedRepairs(done.Made) {
		if r.Notice != "" {
			k.Say("%s:%d: %s: %s [%s]", r.Path, r.Line, r.Title, r.Notice, r.Rule)
		}
	}
}

// namedRepairs is like repairs, with a note on unsafe ones.
func (k *checking) namedRepairs(made []fixers.Applied) []report.Repair {
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

// undoOf returns the command that undoes fixes in the given paths.
func undoOf(in []string) string {
	words := []string{"amlfix", "undo"}
	for _, p := range in {
		words = append(words, escape.Word(p))
	}
	return strings.Join(words, " ")
}
