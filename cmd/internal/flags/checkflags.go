package flags

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/cmd/internal/review"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/settings"
)

// review reads the flags of check.
func (c *Check) review(ctx context.Context) (*review.Review, error) {
	f := c.Flags
	options, err := checkOptions(f)
	if err != nil {
		return nil, err
	}
	k := &review.Review{
		Terminal: c.Terminal, Diff: f.Bool("diff"), Raw: f.Bool("raw"), ExitZero: f.Bool("exit-zero"), Paths: c.named(),
		Aside: f.IsSet("stdin-filename") && options.Write,
	}
	if k.Gate, err = gateOf(f); err != nil {
		return nil, err
	}
	if k.Outputs, err = review.ParseOutputs(f.StringSlice("format")); err != nil {
		return nil, console.Usage("check", "%v", err)
	}
	if err := c.contradiction(k.Outputs); err != nil {
		return nil, err
	}
	if c.Selection, err = selectionOf(f); err != nil {
		return nil, err
	}
	k.Checker = c.Checker(options)
	if f.Bool("interactive") {
		prompt := c.Prompt(ctx)
		if prompt == nil {
			return nil, console.Usage("check", "-i asks questions, but there is no terminal: leave it out, and answer with --choose, --gpu and --cpu")
		}
		k.Ask(prompt)
	}
	mode, err := Colour(f, "check")
	if err != nil {
		return nil, err
	}
	k.Report = report.Options{
		Style: c.Style(mode), Verbose: f.Bool("verbose"), Statistics: f.Bool("statistics"),
		Command: repairCommand(f, options.Answers), Paths: c.Args,
	}
	return k, nil
}

// checkOptions reads the flags that say what to do with each project.
func checkOptions(f Set) (o check.Options, err error) {
	apply, diff, add := f.Bool("apply"), f.Bool("diff"), f.Bool("add-ignores")
	o.Repair, o.Write, o.Unsafe = apply || diff && !add, apply || add && !diff, f.Bool("unsafe")
	if add {
		o.Ignores = &check.Ignores{Reason: cmp.Or(f.String("reason"), "added by amlfix --add-ignores"), AtLeast: finding.Warning}
		if f.Bool("verbose") {
			o.Ignores.AtLeast = finding.Info
		}
	}
	o.Answers, err = Answers(f, "check")
	return o, err
}

// contradiction returns a usage error if flags conflict, or if the reports cannot show what is requested.
func (c *Check) contradiction(wanted []report.Output) error {
	f := c.Flags
	apply, diff, ask, add := f.Bool("apply"), f.Bool("diff"), f.Bool("interactive"), f.Bool("add-ignores")
	statistics, watch, text := f.Bool("statistics"), f.Bool("watch"), f.IsSet("stdin-filename")
	other, uncounted := "", false // formats for programs, and those without statistics
	for _, o := range slices.Backward(wanted) {
		if !o.Format.ForPeople() {
			other, uncounted = string(o.Format), uncounted || o.Format != report.JSON
		}
	}
	for _, one := range []struct {
		wrong bool
		why   string
	}{
		{apply && diff, "--apply and --diff exclude each other: --apply writes files, --diff only shows the changes"},
		{ask && !apply, "-i can only be used with --apply"},
		{ask && text, "-i asks on the terminal, so it cannot be used with --stdin-filename"},
		{ask && f.IsSet("format"), "-i asks on the terminal, so it cannot be used with --format"},
		{f.Bool("raw") && !diff, "--raw can only be used with --diff"},
		{f.IsSet("reason") && !add, "--reason can only be used with --add-ignores"},
		{add && f.Bool("isolated"), "--add-ignores and --isolated exclude each other: one writes comments, the other ignores them"},
		{ask && add, "-i and --add-ignores exclude each other: --add-ignores asks no questions"},
		{diff && f.IsSet("format"), "--diff has its own format: leave --format out"},
		{statistics && uncounted, "--statistics supports only the formats text, concise and json"},
		{statistics && diff, "--diff and --statistics exclude each other: one shows repairs, the other counts findings"},
		{statistics && ask, "-i shows the findings that it asks about, so it cannot be used with --statistics"},
		{watch && other != "", "--watch supports only the formats text and concise: leave --format " + other + " out"},
		{watch && (apply || add), "--watch writes no files: leave --apply and --add-ignores out"},
		{watch && (text || slices.Contains(c.Args, "-")), "--watch watches files, so it cannot be used with --stdin-filename"},
	} {
		if one.wrong {
			return console.Usage("check", "%s", one.why)
		}
	}
	return nil
}

// gateOf reads the flags that say what fails a check.
func gateOf(f Set) (g check.Gate, err error) {
	g.MaxWarnings = f.Int("max-warnings")
	if f.IsSet("fail-on") {
		if g.FailOn, err = settings.ParseFailOn(f.String("fail-on")); err != nil {
			return g, console.Usage("check", "--fail-on: %v", err)
		}
	}
	if f.IsSet("max-warnings") && g.MaxWarnings < 0 {
		return g, console.Usage("check", "--max-warnings: %d is not a number of warnings", g.MaxWarnings)
	}
	return g, nil
}

// selectionOf reads --select and --ignore.
func selectionOf(f Set) (*settings.Selection, error) {
	var ids []string
	for _, r := range rules.All() {
		ids = append(ids, r.ID)
	}
	given := map[string][]string{}
	for _, flag := range []string{"select", "ignore"} {
		for _, name := range f.StringSlice(flag) {
			given[flag] = append(given[flag], strings.Trim(name, "[] "))
		}
		if _, err := settings.NewSelection(given[flag], nil, ids); err != nil {
			return nil, console.Usage("check", "--%s: %v", flag, err)
		}
	}
	return settings.NewSelection(given["select"], given["ignore"], ids)
}

// repairCommand returns the command that makes the repairs shown by this one, without the paths.
func repairCommand(f Set, a check.Answers) string {
	words := []string{"amlfix", "--apply"}
	words = append(words, a.Words()...)
	words = append(words, trustWords(f, escape.Word)...)
	for _, flag := range []string{"select", "ignore"} {
		if names := f.StringSlice(flag); len(names) > 0 {
			words = append(words, "--"+flag, escape.Word(strings.Join(names, ",")))
		}
	}
	if f.IsSet("stdin-filename") {
		words = append(words, "--stdin-filename", escape.Word(f.String("stdin-filename")))
	}
	return strings.Join(words, " ")
}
