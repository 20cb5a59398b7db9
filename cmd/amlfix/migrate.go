package main

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/jobs"
)

func (c *call) migrateCommand() *cli.Command {
	formats := jobs.MigrationFormats()
	return &cli.Command{
		Name:      "migrate",
		Usage:     "rewrite a project for a newer service",
		ArgsUsage: "--to " + strings.Join(formats, "|") + " [FLAGS] [PATH]",
		Description: `Writes the jobs of the project at PATH (default: this folder), with their
environments and compute targets, into a new folder. If an earlier migration wrote
that folder and nobody has edited it, it is updated. The old files stay as they are;
a script that only a notebook contains, in a cell with %%writefile, is written to its
place in the project. MIGRATION.md says what became of each key, what the scripts need,
and how to decide differently.

What cannot be decided without you, such as a script that was only named at
submission, is marked with the word DECIDE, and the exit status is 1.

Only --check uses the network: it passes pip's part of each environment to uv, a
program on your PATH, which resolves it from wheels only and runs no code of any
package. An environment that pip cannot install is a decision, too.

Answers are also read from .amlfix.yaml:
  migrate: {vm-size: Standard_NC8as_T4_v3, docker/script: train.py}`,
		UsageText: `amlfix migrate --to v2 --script train.py
amlfix migrate --to v2 -c gpuvm --script train.py --dry-run
amlfix migrate --to v2 --answer compute=serverless --answer python=3.12
amlfix migrate --to v2 --check --dry-run
amlfix migrate --to v2 --out migrated projects/digits`,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "to", Usage: "write `FORMAT`: " + strings.Join(formats, ", ")},
			&cli.StringSliceFlag{Name: "run-configuration", Aliases: []string{"c"}, Usage: "migrate only `RUNCONFIG`; may be given several times"},
			&cli.StringFlag{Name: "script", Usage: "the script `FILE` for run configurations without one, relative to the project's folder"},
			&cli.StringFlag{Name: "out", Usage: "the new `FOLDER`; default: azureml in the project's folder"},
			&cli.StringSliceFlag{Name: "answer", Usage: "answer a decision: `ID=VALUE`, or RUNCONFIG/ID=VALUE for one of several; may be given several times"},
			&cli.BoolFlag{Name: "check", Usage: "check with uv, over the network, whether pip can install what the new environments list"},
			&cli.BoolFlag{Name: "rewrite-scripts", Usage: "rewrite the SDK v1 calls in the scripts themselves, instead of writing a diff next to the new files; amlfix undo reverts it"},
			&cli.BoolFlag{Name: "dry-run", Usage: "show the files and MIGRATION.md, and write nothing"},
			asOfFlag(),
		}, trustFlags()),
		Values: map[string]func() []cli.Candidate{"to": func() []cli.Candidate { return cli.Words(formats...) }},
		Action: c.migrate,
	}
}

func (c *call) migrate(ctx *cli.Context) error {
	return c.jobs().Migrate(ctx.Context, jobs.MigrateOptions{
		Paths: ctx.Args().Slice(), To: ctx.String("to"), Configs: ctx.StringSlice("run-configuration"), Script: ctx.String("script"),
		Out: ctx.String("out"), Answers: ctx.StringSlice("answer"), DryRun: ctx.Bool("dry-run"), Check: ctx.Bool("check"),
		RewriteScripts: ctx.Bool("rewrite-scripts"),
	})
}
