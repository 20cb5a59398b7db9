package main

import (
	"errors"

	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/listing"
	"github.com/amlfix/amlfix/fixers/transaction"
)

func (c *call) undoCommand() *cli.Command {
	return &cli.Command{
		Name:      "undo",
		Usage:     "undo the last --apply",
		ArgsUsage: "[PATH...]",
		Description: `Restores the files of the projects at or below PATH (default: this folder) to what
they were before the last amlfix --apply, all files of a project or none; when run
again, it undoes the --apply before that one. If a file was edited since, it is
reported and nothing in its project is undone. Undo data is kept for 30 days
(AMLFIX_UNDO_DAYS changes this), at most 64 MiB of it.`,
		UsageText: `amlfix undo
amlfix undo projects/digits
amlfix undo --list`,
		Flags:  []cli.Flag{&cli.BoolFlag{Name: "list", Usage: "list what can be undone, in all projects or in those at or below PATH; undo nothing"}},
		Action: c.undo,
	}
}

func (c *call) undo(ctx *cli.Context) error {
	folder, err := transaction.Folder()
	if err != nil {
		return err
	}
	paths := ctx.Args().Slice()
	if ctx.Bool("list") {
		records, err := c.Records(folder, paths)
		if err == nil && len(records) == 0 {
			c.Say("nothing to undo is on record")
		}
		listing.WriteRecords(c.Out, c.Engine, records)
		return err
	}
	f := c.Discover(paths)
	any, failed := false, f.Unreadable()
	for _, r := range c.Repaired(folder, f.Roots, paths) {
		restored, err := c.Undo(folder, r)
		if err != nil && !errors.Is(err, transaction.ErrNothingToUndo) {
			c.Say("%v", err)
			failed = true
		}
		listing.WriteRestored(c.Out, c.Engine, restored)
		any = any || len(restored) > 0
	}
	switch {
	case failed:
		return console.Status(console.Failure)
	case !any:
		c.Say("%s", c.NothingToUndo(folder, f.Roots))
		return console.Status(console.Findings)
	}
	return nil
}
