package main

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/fixers/transaction"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/disk"
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

// listUndo writes what can be undone, the newest first.
func (c *call) listUndo(folder string, below []string) error {
	for i, p := range below {
		real, err := disk.Real(c.Path(p))
		if err != nil {
			return &schema.PathError{Path: p, Err: err}
		}
		below[i] = real
	}
	n := 0
	for _, r := range transaction.List(folder) {
		inside := func(top string) bool { return schema.Below(top, r.Root) }
		if len(below) > 0 && !slices.ContainsFunc(below, inside) {
			continue
		}
		n++
		_, _ = fmt.Fprintf(c.Out, "%s  %s  %s, kept until %s\n", r.Time.Local().Format("2006-01-02 15:04:05"),
			ui.Printable(c.Rel(r.Root)), ui.Count(len(r.Files), "file"), r.Expires.Local().Format(check.Day))
		for _, name := range r.Files {
			_, _ = fmt.Fprintf(c.Out, "  %s\n", ui.Printable(c.Rel(name)))
		}
	}
	if n == 0 {
		c.Say("nothing to undo is on record")
	}
	return nil
}

// expireUndo forgets what was kept for undo long enough.
func expireUndo() {
	if folder, err := transaction.Folder(); err == nil {
		transaction.ExpireHourly(folder)
	}
}

func (c *call) undo(ctx *cli.Context) error {
	folder, err := transaction.Folder()
	if err != nil {
		return err
	}
	if ctx.Bool("list") {
		return c.listUndo(folder, ctx.Args().Slice())
	}
	f := c.Discover(ctx.Args().Slice())
	files, failed := 0, f.Unreadable()
	for _, r := range f.Roots {
		restored, err := c.undoProject(folder, r.Dir)
		switch {
		case errors.Is(err, transaction.ErrNothingToUndo):
			continue
		case err != nil:
			c.Say("%v", err)
			failed = true
		}
		for _, name := range restored {
			done := "restored"
			if _, err := os.Stat(name); err != nil {
				done = "removed, because --apply had created it"
			}
			_, _ = fmt.Fprintf(c.Out, "%s: %s\n", ui.Printable(c.Rel(name)), done)
		}
		files += len(restored)
	}
	switch {
	case failed:
		return cli.Status(cli.Failure)
	case files == 0:
		// The other projects' records are not read for this: there may be thousands.
		c.Say("%v; amlfix undo --list shows what is on record; a moved project is listed under its former folder", transaction.ErrNothingToUndo)
		return cli.Status(cli.Findings)
	}
	return nil
}

func (c *call) undoProject(folder, dir string) ([]string, error) {
	if !transaction.Recorded(folder, dir) {
		return nil, transaction.ErrNothingToUndo
	}
	store, recovery, err := transaction.Open(folder, dir)
	if err != nil {
		return nil, transaction.Renamed(err, c.Rel)
	}
	defer store.Close()
	c.Recovered(recovery)
	restored, err := store.Undo()
	return restored, transaction.Renamed(err, c.Rel)
}
