package main

import (
	"slices"

	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/jobs"
)

func (c *call) prepareCommand() *cli.Command {
	return &cli.Command{
		Name:      "prepare",
		ArgsUsage: "[FLAGS]",
		Usage:     "install a job's packages on its image before the run",
		Description: `Builds the environment that Azure ML would build for a job in a container: the
packages of the conda file on top of the base image. It is kept as an image called
amlfix/env and reused until the file or the image changes. amlfix run does the same
automatically, unless the run configuration says PrepareEnvironment: false. Images
without conda get only the packages under pip. Prints the name of the image.`,
		UsageText: `amlfix prepare -c docker
amlfix prepare`,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "config", Aliases: []string{"c", "run-configuration"}, Usage: "the run configuration `NAME`, or its file; not needed when there is only one"},
			&cli.StringFlag{Name: "target", Aliases: []string{"t"}, Usage: "use the run configuration that runs on compute target `TARGET`"},
		}, trustFlags(), cli.ColourFlags()),
		Action: c.prepare,
	}
}

func (c *call) prepare(ctx *cli.Context) error {
	if jobs.IsJobFile(ctx.Args().First()) {
		return console.Usage("prepare", "%s: an Azure ML v2 job needs no preparation: amlfix run builds its environment and keeps it", ctx.Args().First())
	}
	if ctx.NArg() > 0 {
		return console.Usage("prepare", "%s: prepare takes no arguments; give the run configuration with -c", ctx.Args().First())
	}
	return c.jobs().Prepare(ctx.Context, choice(ctx), c.errStyle(ctx))
}
