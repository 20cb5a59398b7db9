package main

import (
	"errors"
	"slices"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/flags"
	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/cmd/internal/review"
	"github.com/amlfix/amlfix/schema/plain"
)

func (c *call) fixCommand() *cli.Command {
	return &cli.Command{
		Name:      "fix",
		Usage:     "make selected fixes by id",
		ArgsUsage: "[FLAGS] ID...",
		Description: `Makes the fixes with these ids and no others. --format concise and --format json
print the id of each fix. Every fix is proved before a file is written, and "amlfix
undo" undoes it, as after --apply. An unsafe fix, and one whose finding is accepted
by a baseline or a comment, is made because you select it; a fix that leaves a
decision open needs the answer.

The fixes are looked up in this folder and below it, or where --in says. If one of
them is not found, nothing is written and the exit status is 2: its file may have
changed. The exit status is 1 if a fix could not be made, or with --diff if there is
a diff. docs/agents.md has examples.`,
		UsageText: `amlfix fix 66a8c1f3a1
amlfix fix --diff 66a8c1f3a1 e9d173f59c
amlfix fix --in projects/digits 66a8c1f3a1
amlfix fix --choose cuda=9.0 0229ba1ebe`,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringSliceFlag{Name: "in", Usage: "look up the fixes at or below `PATH`; may be given several times"},
			&cli.BoolFlag{Name: "diff", Usage: "print what would change as a unified diff, and write nothing"},
			&cli.BoolFlag{Name: "raw", Usage: "with --diff: show passwords and keys too, so that git apply accepts the diff"},
		}, answerFlags(), []cli.Flag{asOfFlag()}, trustFlags(), cli.ColourFlags()),
		Operands: func() []cli.Candidate { return nil },
		Action:   c.fix,
	}
}

func (c *call) fix(ctx *cli.Context) error {
	ids, err := fixIDs(ctx)
	if err != nil {
		return err
	}
	in, diff, raw := ctx.StringSlice("in"), ctx.Bool("diff"), ctx.Bool("raw")
	f := c.Discover(in)
	if f.Unreadable() {
		return console.Status(console.Failure)
	}
	c.Narrow(f.Roots, in)
	answers, err := flags.Answers(ctx, "fix")
	if err != nil {
		return err
	}
	if err := flags.KnownNames(ctx.Context, "fix", f.Roots, answers); err != nil {
		return err
	}
	checker := c.Checker(check.Options{Answers: answers, Write: !diff})
	list, err := checker.Locate(ctx.Context, f.Roots, ids)
	if wrong, ok := errors.AsType[*check.SelectionError](err); ok {
		return console.Usage("fix", "%v", wrong)
	} else if err != nil {
		return err
	}
	style, err := c.style(ctx)
	if err != nil {
		return err
	}
	k := review.Review{Terminal: c.Terminal, Checker: checker, Diff: diff, Raw: raw, Paths: in, Report: report.Options{Style: style}}
	return k.Fix(ctx.Context, list)
}

// likeID matches what looks like the ID of a fix.
var likeID = plain.Regexp{Text: `^[0-9a-f]{10}$`}

// fixIDs returns the operands, each once.
func fixIDs(ctx *cli.Context) (ids []string, _ error) {
	for _, word := range ctx.Args().Slice() {
		if !likeID.Get().MatchString(word) {
			return nil, console.Usage("fix", "%q is not the id of a fix: amlfix --format concise prints them, such as 66a8c1f3a1; a path follows --in", word)
		}
		if !slices.Contains(ids, word) {
			ids = append(ids, word)
		}
	}
	switch {
	case len(ids) == 0:
		return nil, console.Usage("fix", "give the ids of fixes, which amlfix --format concise prints; amlfix --apply makes all safe fixes")
	case ctx.Bool("raw") && !ctx.Bool("diff"):
		return nil, console.Usage("fix", "--raw can only be used with --diff")
	}
	return ids, nil
}
