package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/pool"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/secret"
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

// place is a project with the fixes to make in it.
type place struct {
	root check.Root
	ids  []string
}

func (c *call) fix(ctx *cli.Context) error {
	ids, err := fixIDs(ctx)
	if err != nil {
		return err
	}
	f := c.Discover(ctx.StringSlice("in"))
	if f.Unreadable() {
		return cli.Status(cli.Failure)
	}
	c.Narrow(f.Roots, ctx.StringSlice("in"))
	answers, err := answersOf(ctx, "fix")
	if err != nil {
		return err
	}
	if err := knownNames(ctx, f.Roots, answers); err != nil {
		return err
	}
	checker := c.Checker(check.Options{Answers: answers, Write: !ctx.Bool("diff")})
	places, err := c.places(ctx, checker, f.Roots, ids)
	if err != nil {
		return err
	}
	return c.fixAll(ctx, checker, places)
}

// likeID matches what looks like the ID of a fix.
var likeID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{10}$`) })

// fixIDs returns the operands, each once.
func fixIDs(ctx *cli.Context) (ids []string, _ error) {
	for _, word := range ctx.Args().Slice() {
		if !likeID().MatchString(word) {
			return nil, cli.Usage("fix", "%q is not the id of a fix: amlfix --format concise prints them, such as 66a8c1f3a1; a path follows --in", word)
		}
		if !slices.Contains(ids, word) {
			ids = append(ids, word)
		}
	}
	switch {
	case len(ids) == 0:
		return nil, cli.Usage("fix", "give the ids of fixes, which amlfix --format concise prints; amlfix --apply makes all safe fixes")
	case ctx.Bool("raw") && !ctx.Bool("diff"):
		return nil, cli.Usage("fix", "--raw can only be used with --diff")
	}
	return ids, nil
}

// places finds the project of each fix: the first one, if projects share a file. The error says which fix does not
// exist, or for which one it is unclear how to make it.
func (c *call) places(ctx *cli.Context, checker *check.Checker, roots []check.Root, ids []string) (list []place, _ error) {
	type found struct {
		check.Named
		at int
	}
	all, ambiguous := map[string]found{}, map[string][]string{}
	at := 0
	search := func(r check.Root) map[string]check.Named {
		named, err := pool.Guarded(c.Rel(r.Dir), func() map[string]check.Named { return checker.Named(r, ids) })
		if err != nil {
			c.Say("%v", err)
		}
		return named
	}
	err := pool.Each(ctx.Context, roots, search, func(named map[string]check.Named) bool {
		for id, one := range named {
			first, ok := all[id]
			if !ok {
				all[id] = found{one, at}
			} else if first.File != one.File {
				ambiguous[id] = append(ambiguous[id], c.Rel(roots[at].Dir))
			}
		}
		at++
		return true
	})
	if err != nil {
		return nil, err
	}
	in := map[int][]string{}
	for _, id := range ids {
		one, ok := all[id]
		switch {
		case !ok:
			return nil, cli.Usage("fix", "there is no fix %s here: its files may have changed since it was printed, or it was printed with other flags; run amlfix again for the current ids", id)
		case len(ambiguous[id]) > 0:
			where := append([]string{c.Rel(roots[one.at].Dir)}, ambiguous[id]...)
			return nil, cli.Usage("fix", "several projects have a fix %s: choose one of them with --in: %s", id, ui.ShortList(where))
		case one.Open != nil:
			return nil, undecided(id, one.Named)
		}
		in[one.at] = append(in[one.at], id)
	}
	for _, at := range slices.Sorted(maps.Keys(in)) {
		list = append(list, place{roots[at], in[at]})
	}
	return list, nil
}

// undecided returns an error that lists the answers from which a fix needs one.
func undecided(id string, one check.Named) error {
	var text strings.Builder
	for _, a := range one.Open.Answers {
		fmt.Fprintf(&text, "\n  --%s %s: %s", a.Flag, escape.Word(a.Argument()), secret.Hide(a.Title))
	}
	if text.Len() == 0 {
		return cli.Usage("fix", "fix %s cannot be made by amlfix: %s", id, secret.Hide(one.Open.Title))
	}
	return cli.Usage("fix", "fix %s leaves a decision to you, so answer with one of%s", id, text.String())
}
