package main

import (
	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/listing"
	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/rules"
)

func (c *call) rulesCommand() *cli.Command {
	return &cli.Command{
		Name:       "rules",
		Folderless: true,
		Usage:      "list the rules that amlfix checks",
		ArgsUsage:  "[FLAGS]",
		Description: `Prints a row for each rule: its name, its severity, whether amlfix can repair some
of its findings, and what it finds. amlfix explain RULE shows more.`,
		UsageText: `amlfix rules
amlfix rules --format json`,
		Flags: append([]cli.Flag{cli.FormatFlag()}, cli.ColourFlags()...),
		Action: func(ctx *cli.Context) error {
			if ctx.NArg() > 0 {
				return console.Usage("rules", "rules takes no arguments; did you mean `amlfix explain %s`?", ctx.Args().First())
			}
			style, err := c.style(ctx)
			if err != nil {
				return err
			}
			switch json, err := cli.JSON(ctx); {
			case err != nil:
				return err
			case json:
				report.WriteRules(c.Out, rules.All())
			default:
				listing.WriteRules(c.Out, style, rules.All())
			}
			return nil
		},
	}
}
