package main

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/runtime"
	"github.com/amlfix/amlfix/runtime/process"
)

func (c *Command) prepareCommand() *cli.Command {
	return &cli.Command{
		Name:      "prepare",
		ArgsUsage: "[FLAGS]",
		Usage:     "install a job's packages on its image ahead of the run",
		Description: `Makes the environment that Azure ML would build for a job in a container: the
packages of the conda file on top of the base image. It is kept as an image called
amlfix/env and used until the file or the image changes. amlfix run does the same
by itself, unless the run configuration says PrepareEnvironment: false. Images
without conda get the packages under pip alone. Prints the name of the image.`,
		UsageText: `amlfix prepare -c docker
amlfix prepare`,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "config", Aliases: []string{"c", "run-configuration"}, Usage: "the run configuration `NAME`, or its file; not needed when there is only one"},
			&cli.StringFlag{Name: "target", Aliases: []string{"t"}, Usage: "take the run configuration that runs on compute target `TARGET`"},
		}, trustFlags(), colourFlags()),
		Action: c.prepareEnvironment,
	}
}

func (c *Command) prepareEnvironment(ctx *cli.Context) error {
	if ctx.NArg() > 0 {
		return usage("prepare", "%s: prepare takes no arguments; name the run configuration with -c", ctx.Args().First())
	}
	chosen, err := c.choose(ctx)
	if err != nil {
		return err
	}
	stopped, err := c.inOrder(ctx, &chosen)
	if err != nil {
		return err
	}
	options := c.planOptions(chosen)
	options.NoScript = true
	plan, err := runtime.NewPlan(chosen.job, options)
	file, image, ok := runtime.Environment(plan)
	switch {
	case err != nil && !stopped:
		return c.noPlan(ctx, err)
	case stopped:
		return status(statusFindings)
	case !ok:
		c.say("there is nothing to prepare: %s", c.whyNoEnvironment(chosen))
		return nil
	}
	opts := c.runOptions()
	opts.Stdout = c.err // standard output is for the image's name
	env, err := runtime.Prepare(ctx.Context, plan, opts)
	switch {
	case ctx.Err() != nil:
		c.say("stopped: no environment was made")
		return status(process.CancelCode(ctx.Context))
	case err != nil:
		c.say("%s", runtime.Explain(err))
		return status(statusFindings)
	case !env.Made:
		c.say("the environment of %s on image %s is there already", file, image)
	}
	_, _ = fmt.Fprintln(c.out, ui.Printable(env.Image))
	return nil
}

// whyNoEnvironment says why nothing is installed for a job.
func (c *Command) whyNoEnvironment(k chosen) string {
	job, target := k.job, k.job.Target
	switch {
	case target.UserManaged.Bool:
		return fmt.Sprintf("the environment of target %s is the user's own (%s)", target.Name, c.rel(target.File.Path))
	case !target.Provisions():
		return fmt.Sprintf("target %s runs jobs with a Python that is there already", target.Name)
	case job.Environment == nil:
		return c.rel(job.File.Path) + " names no conda file"
	}
	return c.rel(job.Environment.File.Path) + " lists no packages"
}
