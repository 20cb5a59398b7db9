package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/fixers/transaction"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/disk"
)

func (c *Command) undoCommand() *cli.Command {
	return &cli.Command{
		Name:      "undo",
		Usage:     "take the last --apply back",
		ArgsUsage: "[PATH...]",
		Description: `Gives the files of the projects at or below PATH (this folder when there is none)
the bytes they had before the last amlfix --apply, all files of a project or none;
called again it goes on with the --apply before that one. A file that was edited
since is named, and nothing of its project is undone. What undo needs is kept for
30 days (AMLFIX_UNDO_DAYS sets another number), and at most 64 MiB of it.`,
		UsageText: `amlfix undo
amlfix undo projects/digits
amlfix undo --list`,
		Flags:  []cli.Flag{&cli.BoolFlag{Name: "list", Usage: "list what can be undone, in all projects or those at or below PATH; undo nothing"}},
		Action: c.undo,
	}
}

// listUndo writes what can be undone, the newest first.
func (c *Command) listUndo(folder string, below []string) error {
	for i, p := range below {
		real, err := disk.Real(c.path(p))
		if err != nil {
			return &schema.PathError{Path: p, Err: err}
		}
		below[i] = real
	}
	n := 0
	for _, r := range transaction.List(folder) {
		inside := func(top string) bool {
			rel, err := filepath.Rel(top, r.Root)
			return err == nil && filepath.IsLocal(rel)
		}
		if len(below) > 0 && !slices.ContainsFunc(below, inside) {
			continue
		}
		n++
		_, _ = fmt.Fprintf(c.out, "%s  %s  %s, kept until %s\n", r.Time.Local().Format("2006-01-02 15:04:05"),
			ui.Printable(c.rel(r.Root)), ui.Count(len(r.Files), "file"), r.Expires.Local().Format(day))
		for _, name := range r.Files {
			_, _ = fmt.Fprintf(c.out, "  %s\n", ui.Printable(c.rel(name)))
		}
	}
	if n == 0 {
		c.say("nothing to undo is on record")
	}
	return nil
}

// expireUndo forgets what was kept for undo long enough.
func expireUndo() {
	if folder, err := transaction.Folder(); err == nil {
		transaction.Expire(folder)
	}
}

func (c *Command) undo(ctx *cli.Context) error {
	folder, err := transaction.Folder()
	if err != nil {
		return err
	}
	if ctx.Bool("list") {
		return c.listUndo(folder, ctx.Args().Slice())
	}
	f := c.discover(ctx.Args().Slice())
	files, failed := 0, f.unreadable()
	for _, r := range f.roots {
		restored, err := c.undoProject(folder, r.Dir)
		switch {
		case errors.Is(err, transaction.ErrNothingToUndo):
			continue
		case err != nil:
			c.say("%v", err)
			failed = true
		}
		for _, name := range restored {
			done := "restored"
			if _, err := os.Stat(name); err != nil {
				done = "removed, as --apply had made it"
			}
			_, _ = fmt.Fprintf(c.out, "%s: %s\n", ui.Printable(c.rel(name)), done)
		}
		files += len(restored)
	}
	switch {
	case failed:
		return status(statusFailure)
	case files == 0:
		c.say("%v%s", transaction.ErrNothingToUndo, c.elsewhere(transaction.List(folder), f.roots))
		return status(statusFindings)
	}
	return nil
}

// elsewhere adds to "nothing to undo" where a project was moved from: its repairs
// are on record there.
func (c *Command) elsewhere(records []transaction.Record, roots []root) string {
	for _, r := range records {
		if slices.ContainsFunc(roots, func(here root) bool { return r.MovedTo(here.Dir) }) {
			return fmt.Sprintf("; this project was at %s, and its repairs are on record there: move it back, undo them, and move it again", c.rel(r.Root))
		}
	}
	return "; amlfix undo --list shows what is on record"
}

func (c *Command) undoProject(folder, dir string) ([]string, error) {
	if !transaction.Recorded(folder, dir) {
		return nil, transaction.ErrNothingToUndo
	}
	store, recovery, err := transaction.Open(folder, dir)
	if err != nil {
		return nil, transaction.Renamed(err, c.rel)
	}
	defer store.Close()
	c.tell(recovery)
	restored, err := store.Undo()
	return restored, transaction.Renamed(err, c.rel)
}

// commit writes a repair.
func (c *Command) commit(patch *fixers.Patch) error {
	folder, err := transaction.Folder()
	if err != nil {
		return err
	}
	recovery, err := patch.Commit(folder)
	c.tell(recovery)
	return err
}

// recoverProjects finishes, or takes back, what a killed amlfix left in the
// projects, and reports whether there was anything: files may have come or gone.
func (c *Command) recoverProjects(roots []root) bool {
	folder, err := transaction.Folder()
	if err != nil || !transaction.Used(folder) {
		return false
	}
	any := false
	for _, r := range roots {
		if !transaction.Pending(folder, r.Dir) {
			continue
		}
		store, recovery, err := transaction.Open(folder, r.Dir)
		if err != nil {
			c.say("%v", transaction.Renamed(err, c.rel))
			continue
		}
		store.Close()
		c.tell(recovery)
		any = true
	}
	return any
}

// tell says what was recovered.
func (c *Command) tell(recovery *transaction.Recovery) {
	if recovery == nil {
		return
	}
	for _, list := range [][]string{recovery.Files, recovery.Edited} {
		for i := range list {
			list[i] = c.rel(list[i])
		}
	}
	c.say("%s", recovery)
}
