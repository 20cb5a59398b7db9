package main

import (
	"slices"

	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/listing"
)

func (c *call) targetsCommand() *cli.Command {
	return &cli.Command{
		Name:      "targets",
		Usage:     "list the compute targets and whether they are correct",
		ArgsUsage: "[FLAGS] [PATH...]",
		Description: `Prints a row for each compute target: its type and image, what makes it a GPU
target (its name does not count), the framework and environment file of the run
configurations and v2 jobs that use it, and the verdict: gpu or cpu, with the
number of errors that amlfix check reports about it, or else of those that a
baseline or comments accept.`,
		UsageText: `amlfix targets
amlfix targets projects/digits
amlfix targets --format json`,
		Flags:  slices.Concat([]cli.Flag{cli.FormatFlag()}, trustFlags(), cli.ColourFlags()),
		Action: c.targets,
	}
}

func (c *call) targets(ctx *cli.Context) error {
	json, err := cli.JSON(ctx)
	if err != nil {
		return err
	}
	style, err := c.style(ctx)
	if err != nil {
		return err
	}
	f := c.Discover(ctx.Args().Slice())
	rows, hidden, err := listing.Targets(ctx.Context, c.Engine, &f)
	if err != nil {
		return err
	}
	if json {
		c.WriteJSON(struct {
			Version string           `json:"version"`
			Targets []listing.Target `json:"targets"`
		}{c.Version(), rows})
	} else {
		listing.WriteTargets(c.Out, style, rows)
	}
	c.SayIf(c.HiddenText(hidden, f.Excluded))
	if f.Unreadable() {
		return console.Status(console.Failure)
	}
	return nil
}
