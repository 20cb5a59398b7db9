package main

import (
	"errors"

	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/setup"
	"github.com/amlfix/amlfix/cmd/internal/version"
)

func (c *call) initCommand() *cli.Command {
	return &cli.Command{
		Name:      "init",
		Usage:     "set up amlfix in a repository: settings, pre-commit, workflow",
		ArgsUsage: "[FOLDER]",
		Description: `Writes .amlfix.yaml, an entry in .pre-commit-config.yaml and the workflow
.github/workflows/amlfix.yml at the top of the repository that FOLDER, or this
folder, is in. The workflow is left out if git shows that the repository is not on
GitHub; outside a repository only .amlfix.yaml is written. No file is replaced: an
entry is added to the list in .pre-commit-config.yaml without changing anything
else, and a file that already uses amlfix is not changed.`,
		UsageText: `amlfix init
amlfix init projects/digits`,
		Action: func(ctx *cli.Context) error {
			if ctx.NArg() > 1 {
				return console.Usage("init", "unexpected argument %q: give one folder only", ctx.Args().Get(1))
			}
			dir := c.Path(ctx.Args().First())
			err := c.setup().Init(dir)
			if errors.Is(err, setup.ErrNoFolder) {
				return console.Usage("init", "%s %v", c.Rel(dir), err)
			}
			return err
		},
	}
}

// setup returns the part that writes files for the user.
func (c *call) setup() *setup.Setup {
	return &setup.Setup{Engine: c.Engine, Out: c.Out, Say: c.Say, Revision: version.Revision()}
}
