package main

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/flags"
	"github.com/amlfix/amlfix/cmd/internal/report"
)

const checkExamples = `amlfix
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
amlfix --since origin/main`

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
		UsageText: checkExamples,
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
			return c.checking(ctx).Run(ctx.Context, nil)
		},
	}
}

// checking returns the call of check.
func (c *call) checking(ctx *cli.Context) *flags.Check {
	return &flags.Check{Terminal: c.Terminal, Engine: c.Engine, Flags: ctx, Args: ctx.Args().Slice()}
}
