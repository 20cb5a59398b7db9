package main

import (
	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/listing"
)

func (c *call) configCommand() *cli.Command {
	return &cli.Command{
		Name:      "config",
		Usage:     "show which settings apply, and why",
		ArgsUsage: "[FLAGS] [PATH...]",
		Description: `Shows, for the projects at or below PATH, which .amlfix.yaml applies, each
setting with the line that it comes from, and the rules that are off or have
another severity, with the setting that decides this. For a file, the settings under
"paths" that match it are included.`,
		UsageText: `amlfix config
amlfix config projects/digits
amlfix config projects/digits/aml_config/gpuvm.compute`,
		Flags: append(trustFlags(), cli.ColourFlags()...),
		Action: func(ctx *cli.Context) error {
			style, err := c.style(ctx)
			if err != nil {
				return err
			}
			named := ctx.Args().Slice()
			f := c.Discover(named)
			listing.WriteSettings(c.Out, style, c.Engine, f.Roots, named)
			if f.Unreadable() {
				return console.Status(console.Failure)
			}
			return nil
		},
	}
}
