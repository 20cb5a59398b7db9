package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/git"
	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema/source"
)

func (c *call) checkCommand() *cli.Command {
	return &cli.Command{
		Name:      "check",
		Usage:     "find problems in job files, and repair them with --apply",
		ArgsUsage: "[FLAGS] [PATH...]",
		Description: `PATH is a folder, which is searched, or a file: its whole project is checked,
but only the file's findings are reported. The default PATH is this folder. The
word "check" can be left out.

Each finding shows the file, line and column, what is wrong and why, and what
would repair it. Correct files produce no output. --apply makes the safe
repairs: it changes only the bytes that it must, and proves each repair before a file
is written. --diff prints the same changes as a diff and writes nothing.`,
		UsageText: `amlfix
amlfix projects/digits projects/faces
amlfix --diff projects/digits
amlfix --apply projects/digits
amlfix --apply --gpu gpuvm
amlfix --apply -i
amlfix --add-ignores --reason "the old cluster needs it"
amlfix --format json --fail-on warning
amlfix --format text --format sarif=amlfix.sarif
amlfix --select gpu,yaml/syntax --statistics
amlfix --watch --format concise
amlfix --since origin/main`,
		Flags: slices.Concat([]cli.Flag{
			&cli.BoolFlag{Name: "apply", Usage: "repair the files in place, where that is safe"},
			&cli.BoolFlag{Name: "diff", Usage: "print what --apply would change as a unified diff, and nothing else"},
			&cli.BoolFlag{Name: "raw", Usage: "with --diff: show passwords and keys too, so that git apply accepts the diff"},
			&cli.BoolFlag{Name: "add-ignores", Usage: "add comments that suppress the findings, or with --apply the remaining findings"},
			&cli.StringFlag{Name: "reason", Usage: "with --add-ignores: the `REASON` to add to the comments"},
			&cli.BoolFlag{Name: "unsafe", Usage: "also make repairs that may change what the job does"},
			&cli.BoolFlag{Name: "interactive", Aliases: []string{"i"}, Usage: "with --apply: ask about repairs that need a decision, and show the diff before it is written"},
		}, answerFlags(), []cli.Flag{
			&cli.StringSliceFlag{Name: "format", Usage: "write the report as `FORMAT`, or to a file as FORMAT=FILE; may be given several times: " + strings.Join(report.Formats(), ", ")},
			&cli.BoolFlag{Name: "statistics", Usage: "show the number of findings for each rule instead of the findings; with --format json, in addition to them"},
			&cli.StringSliceFlag{Name: "select", Usage: "report only `RULES`: comma-separated names, groups or patterns such as gpu/cpu-*; settings still apply"},
			&cli.StringSliceFlag{Name: "ignore", Usage: "do not report `RULES`, given as for --select"},
			&cli.BoolFlag{Name: "watch", Usage: "check again whenever files change, until you press Ctrl-C"},
			&cli.StringFlag{Name: "fail-on", Usage: "exit with 1 if findings of `SEVERITY` or worse are left: error (the default, unless the settings change it), warning, info or never"},
			&cli.IntFlag{Name: "max-warnings", Value: -1, Usage: "also exit with 1 if more than `NUMBER` warnings are left"},
			&cli.BoolFlag{Name: "exit-zero", Usage: "exit with 0 even if there are findings"},
			&cli.StringFlag{Name: "since", Usage: "check only projects that differ from the git `REVISION`, in commits or in the working tree"},
			&cli.StringFlag{Name: "stdin-filename", Usage: "read standard input as the content of `FILE`, and check it in the project of that file"},
			&cli.BoolFlag{Name: "no-baseline", Usage: "also report the findings that the baseline accepts; with --apply, repair them"},
			asOfFlag(),
		}, trustFlags(), []cli.Flag{
			&cli.BoolFlag{Name: "verbose", Usage: "also show findings of severity info, and all notes of each finding"},
		}, cli.ColourFlags()),
		Values: map[string]func() []cli.Candidate{
			"format": func() []cli.Candidate { return cli.Words(report.Formats()...) },
			"select": ruleWords, "ignore": ruleWords,
		},
		Action: func(ctx *cli.Context) error {
			if ctx.Bool("watch") {
				return c.watch(ctx)
			}
			return c.check(ctx, nil)
		},
	}
}

// check checks projects. met, unless it is nil, receives the files that matter to the check.
func (c *call) check(ctx *cli.Context, met map[string]bool) error {
	k, err := c.review(ctx)
	if err != nil {
		return err
	}
	f, err := c.projects(ctx)
	if err != nil {
		return err
	}
	if ctx.Bool("no-baseline") {
		f.ForgetBaselines()
	}
	if err := knownNames(ctx, f.Roots, k.Answers); err != nil {
		return err
	}
	k.Met = met
	return k.Check(ctx.Context, f)
}

// projects finds the projects to check.
func (c *call) projects(ctx *cli.Context) (check.Found, error) {
	args, since := ctx.Args().Slice(), ctx.String("since")
	name, err := stdinArgs(ctx.String("stdin-filename"), ctx.IsSet("stdin-filename"), args, since)
	switch {
	case err != nil:
		return check.Found{}, err
	case name != "":
		text, err := io.ReadAll(io.LimitReader(ui.Stoppable(ctx.Context, c.Stdin), source.MaxSize+1))
		if err != nil {
			return check.Found{}, fmt.Errorf("standard input cannot be read: %w", err)
		}
		return c.FromText(name, text), nil
	}
	f := c.Discover(args)
	c.Narrow(f.Roots, args)
	if since != "" {
		f.Roots, err = c.touched(ctx.Context, f.Roots, args, since)
	}
	return f, err
}

// touched returns the projects that have changed since a revision.
func (c *call) touched(ctx context.Context, roots []check.Root, args []string, revision string) ([]check.Root, error) {
	var changed []string
	for _, dir := range c.Folders(args) {
		paths, err := git.Changed(ctx, dir, revision)
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, console.Usage("check", "--since %s: %v", revision, err)
		}
		changed = append(changed, paths...)
	}
	return check.Touched(ctx, roots, changed)
}

// named returns the paths on a command line.
func named(ctx *cli.Context) []string {
	if ctx.IsSet("stdin-filename") {
		return []string{ctx.String("stdin-filename")}
	}
	return ctx.Args().Slice()
}

// stdinArgs reads the arguments for standard input. It returns the name of the file that the text stands for, or "" if
// standard input is not read.
func stdinArgs(name string, named bool, args []string, since string) (string, error) {
	switch {
	case !slices.Contains(args, "-") && !named:
		return "", nil
	case !named:
		return "", console.Usage("check", `"-" is standard input: use --stdin-filename to say which file it contains`)
	case strings.TrimSpace(name) == "":
		return "", console.Usage("check", "--stdin-filename: the file name is missing")
	case len(args) > 1 || len(args) == 1 && args[0] != "-":
		return "", console.Usage("check", "--stdin-filename checks only standard input: give no other path")
	case since != "":
		return "", console.Usage("check", "--since compares files with git: leave --stdin-filename out")
	}
	return name, nil
}
