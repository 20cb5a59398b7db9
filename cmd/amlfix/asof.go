package main

import (
	"time"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/cli"
)

// asOfFlag returns the flag of commands that depend on what is retired or supported.
func asOfFlag() cli.Flag {
	return &cli.StringFlag{Name: "as-of", Usage: "check what is retired or out of support as of `DATE`, such as " + dayExample + ", instead of today"}
}

const dayExample = "2027-01-31"

// readFlags reads the flags shared by all commands, before the command itself does anything.
func (c *call) readFlags(ctx *cli.Context) error {
	if c.AsOf = ctx.String("as-of"); ctx.IsSet("as-of") {
		if _, err := time.Parse(check.Day, c.AsOf); err != nil {
			return cli.Usage(ctx.Command.Name, "--as-of: %q is not a date: write it as in %s", c.AsOf, dayExample)
		}
	}
	return c.readTrust(ctx)
}
