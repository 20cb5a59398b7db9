package main

import (
	"cmp"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/settings"
)

// checking reads the flags.
func (c *call) checking(ctx *cli.Context) (*checking, error) {
	k := &checking{call: c, raw: ctx.Bool("raw"), diff: ctx.Bool("diff"), apply: ctx.Bool("apply"), exitZero: ctx.Bool("exit-zero")}
	options, err := c.checkOptions(ctx)
	if err != nil {
		return nil, err
	}
	if k.gate, err = gateOf(ctx); err != nil {
		return nil, err
	}
	if k.wanted, err = wantedOutputs(ctx.StringSlice("format")); err != nil {
		return nil, err
	}
	if err := contradiction(ctx); err != nil {
		return nil, err
	}
	if err := presentable(ctx, k.wanted); err != nil {
		return nil, err
	}
	if c.Selection, err = selectionOf(ctx); err != nil {
		return nil, err
	}
	if ctx.Bool("interactive") {
		if k.asker, err = c.asker(ctx.Context, k); err != nil {
			return nil, err
		}
		options.Person = k.asker
	}
	coloured, err := c.Coloured(ctx)
	if err != nil {
		return nil, err
	}
	k.checker = c.Checker(options)
	k.style = ui.NewStyle(coloured && !k.raw) // raw is for programs, wherever it is written
	k.opts = report.Options{
		Version: c.Version, Coloured: coloured, Verbose: ctx.Bool("verbose"), Unsafe: options.Unsafe, Applied: options.Write,
		Command: repairCommand(ctx, options.Answers), Base: c.base(), Rules: rules.All(),
		Linked: c.Linked(ctx), Dir: c.Dir, Statistics: ctx.Bool("statistics"),
	}
	return k, nil
}

// checkOptions reads the flags that say what to do with each project.
func (c *call) checkOptions(ctx *cli.Context) (o check.Options, err error) {
	apply, diff, add := ctx.Bool("apply"), ctx.Bool("diff"), ctx.Bool("add-ignores")
	o.Repair, o.Write, o.Unsafe = apply || diff && !add, apply || add && !diff, ctx.Bool("unsafe")
	if add {
		o.Ignores = &check.Ignores{Reason: cmp.Or(ctx.String("reason"), "added by amlfix --add-ignores"), AtLeast: finding.Warning}
		if ctx.Bool("verbose") {
			o.Ignores.AtLeast = finding.Info
		}
	}
	o.Answers, err = answersOf(ctx, "check")
	return o, err
}

// contradiction returns a usage error if flags conflict.
func contradiction(ctx *cli.Context) error {
	apply, diff, ask, add := ctx.Bool("apply"), ctx.Bool("diff"), ctx.Bool("interactive"), ctx.Bool("add-ignores")
	for _, c := range []struct {
		wrong bool
		why   string
	}{
		{apply && diff, "--apply and --diff exclude each other: --apply writes files, --diff only shows the changes"},
		{ask && !apply, "-i can only be used with --apply"},
		{ask && ctx.IsSet("stdin-filename"), "-i asks on the terminal, so it cannot be used with --stdin-filename"},
		{ask && ctx.IsSet("format"), "-i asks on the terminal, so it cannot be used with --format"},
		{ctx.Bool("raw") && !diff, "--raw can only be used with --diff"},
		{ctx.IsSet("reason") && !add, "--reason can only be used with --add-ignores"},
		{add && ctx.Bool("isolated"), "--add-ignores and --isolated exclude each other: one writes comments, the other ignores them"},
		{ask && add, "-i and --add-ignores exclude each other: --add-ignores asks no questions"},
		{diff && ctx.IsSet("format"), "--diff has its own format: leave --format out"},
	} {
		if c.wrong {
			return cli.Usage("check", "%s", c.why)
		}
	}
	return nil
}

// gateOf reads the flags that say what fails a check.
func gateOf(ctx *cli.Context) (g check.Gate, err error) {
	g.MaxWarnings = ctx.Int("max-warnings")
	if ctx.IsSet("fail-on") {
		if g.FailOn, err = settings.ParseFailOn(ctx.String("fail-on")); err != nil {
			return g, cli.Usage("check", "--fail-on: %v", err)
		}
	}
	if ctx.IsSet("max-warnings") && g.MaxWarnings < 0 {
		return g, cli.Usage("check", "--max-warnings: %d is not a number of warnings", g.MaxWarnings)
	}
	return g, nil
}
