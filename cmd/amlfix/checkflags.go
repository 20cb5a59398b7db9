package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/cmd/internal/review"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/settings"
)

// review reads the flags of check.
func (c *call) review(ctx *cli.Context) (*review.Review, error) {
	options, err := checkOptions(ctx)
	if err != nil {
		return nil, err
	}
	k := &review.Review{
		Terminal: c.Terminal, Diff: ctx.Bool("diff"), Raw: ctx.Bool("raw"), ExitZero: ctx.Bool("exit-zero"), Paths: named(ctx),
		Aside: ctx.IsSet("stdin-filename") && options.Write,
	}
	if k.Gate, err = gateOf(ctx); err != nil {
		return nil, err
	}
	if k.Outputs, err = review.ParseOutputs(ctx.StringSlice("format")); err != nil {
		return nil, console.Usage("check", "%v", err)
	}
	if err := contradiction(ctx, k.Outputs); err != nil {
		return nil, err
	}
	if c.Selection, err = selectionOf(ctx); err != nil {
		return nil, err
	}
	k.Checker = c.Checker(options)
	if ctx.Bool("interactive") {
		prompt := c.Prompt(ctx.Context)
		if prompt == nil {
			return nil, console.Usage("check", "-i asks questions, but there is no terminal: leave it out, and answer with --choose, --gpu and --cpu")
		}
		k.Ask(prompt)
	}
	style, err := c.style(ctx)
	k.Report = report.Options{
		Style: style, Verbose: ctx.Bool("verbose"), Statistics: ctx.Bool("statistics"),
		Command: repairCommand(ctx, options.Answers), Paths: ctx.Args().Slice(),
	}
	return k, err
}

// checkOptions reads the flags that say what to do with each project.
func checkOptions(ctx *cli.Context) (o check.Options, err error) {
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

// contradiction returns a usage error if flags conflict, or if the reports cannot show what is requested.
func contradiction(ctx *cli.Context, wanted []report.Output) error {
	apply, diff, ask, add := ctx.Bool("apply"), ctx.Bool("diff"), ctx.Bool("interactive"), ctx.Bool("add-ignores")
	statistics, watch, text := ctx.Bool("statistics"), ctx.Bool("watch"), ctx.IsSet("stdin-filename")
	other, uncounted := "", false // formats for programs, and those without statistics
	for _, o := range slices.Backward(wanted) {
		if !o.Format.ForPeople() {
			other, uncounted = string(o.Format), uncounted || o.Format != report.JSON
		}
	}
	for _, c := range []struct {
		wrong bool
		why   string
	}{
		{apply && diff, "--apply and --diff exclude each other: --apply writes files, --diff only shows the changes"},
		{ask && !apply, "-i can only be used with --apply"},
		{ask && text, "-i asks on the terminal, so it cannot be used with --stdin-filename"},
		{ask && ctx.IsSet("format"), "-i asks on the terminal, so it cannot be used with --format"},
		{ctx.Bool("raw") && !diff, "--raw can only be used with --diff"},
		{ctx.IsSet("reason") && !add, "--reason can only be used with --add-ignores"},
		{add && ctx.Bool("isolated"), "--add-ignores and --isolated exclude each other: one writes comments, the other ignores them"},
		{ask && add, "-i and --add-ignores exclude each other: --add-ignores asks no questions"},
		{diff && ctx.IsSet("format"), "--diff has its own format: leave --format out"},
		{statistics && uncounted, "--statistics supports only the formats text, concise and json"},
		{statistics && diff, "--diff and --statistics exclude each other: one shows repairs, the other counts findings"},
		{statistics && ask, "-i shows the findings that it asks about, so it cannot be used with --statistics"},
		{watch && other != "", "--watch supports only the formats text and concise: leave --format " + other + " out"},
		{watch && (apply || add), "--watch writes no files: leave --apply and --add-ignores out"},
		{watch && (text || slices.Contains(ctx.Args().Slice(), "-")), "--watch watches files, so it cannot be used with --stdin-filename"},
	} {
		if c.wrong {
			return console.Usage("check", "%s", c.why)
		}
	}
	return nil
}

// gateOf reads the flags that say what fails a check.
func gateOf(ctx *cli.Context) (g check.Gate, err error) {
	g.MaxWarnings = ctx.Int("max-warnings")
	if ctx.IsSet("fail-on") {
		if g.FailOn, err = settings.ParseFailOn(ctx.String("fail-on")); err != nil {
			return g, console.Usage("check", "--fail-on: %v", err)
		}
	}
	if ctx.IsSet("max-warnings") && g.MaxWarnings < 0 {
		return g, console.Usage("check", "--max-warnings: %d is not a number of warnings", g.MaxWarnings)
	}
	return g, nil
}

// selectionOf reads --select and --ignore.
func selectionOf(ctx *cli.Context) (*settings.Selection, error) {
	var ids []string
	for _, r := range rules.All() {
		ids = append(ids, r.ID)
	}
	given := map[string][]string{}
	for _, flag := range []string{"select", "ignore"} {
		for _, name := range ctx.StringSlice(flag) {
			given[flag] = append(given[flag], strings.Trim(name, "[] "))
		}
		if _, err := settings.NewSelection(given[flag], nil, ids); err != nil {
			return nil, console.Usage("check", "--%s: %v", flag, err)
		}
	}
	return settings.NewSelection(given["select"], given["ignore"], ids)
}

// repairCommand returns the command that makes the repairs shown by this one, without the paths.
func repairCommand(ctx *cli.Context, a check.Answers) string {
	words := []string{"amlfix", "--apply"}
	words = append(words, a.Words()...)
	words = append(words, trustWords(ctx, escape.Word)...)
	for _, flag := range []string{"select", "ignore"} {
		if names := ctx.StringSlice(flag); len(names) > 0 {
			words = append(words, "--"+flag, escape.Word(strings.Join(names, ",")))
		}
	}
	if ctx.IsSet("stdin-filename") {
		words = append(words, "--stdin-filename", escape.Word(ctx.String("stdin-filename")))
	}
	return strings.Join(words, " ")
}
