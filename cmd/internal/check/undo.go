package check

import (
	"fmt"
	"slices"

	"github.com/amlfix/amlfix/fixers/transaction"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/disk"
)

// Undo restores the files of a project to what they were before its last repair, all or none, and returns their paths.
// folder is where repairs are on record (see transaction.Folder). The error is transaction.ErrNothingToUndo if this
// project has none there.
func (e *Engine) Undo(folder string, r Root) ([]string, error) {
	if !transaction.Recorded(folder, r.Dir) {
		return nil, transaction.ErrNothingToUndo
	}
	store, recovery, err := transaction.Open(folder, r.Dir)
	if err != nil {
		return nil, transaction.Renamed(err, e.Rel)
	}
	defer store.Close()
	e.Recovered(recovery)
	restored, err := store.Undo()
	return restored, transaction.Renamed(err, e.Rel)
}

// Records returns the repairs that can be undone, newest first: those of projects at or below paths or, without paths,
// all, beginning with those at, above or below the working directory.
func (e *Engine) Records(folder string, paths []string) (records []transaction.Record, err error) {
	tops := make([]string, len(paths))
	for i, p := range paths {
		if tops[i], err = disk.Real(e.Path(p)); err != nil {
			return nil, &schema.PathError{Path: p, Err: err}
		}
	}
	near := func(root string) bool {
		below := func(top string) bool { return schema.Below(top, root) }
		return slices.ContainsFunc(tops, below) || len(tops) == 0 && (below(e.Dir) || schema.Below(root, e.Dir))
	}
	list := transaction.List(folder)
	for _, first := range []bool{true, false} {
		for i := range list {
			if near(list[i].Root) == first && (first || len(tops) == 0) {
				records = append(records, list[i])
			}
		}
	}
	return records, nil
}

// Repaired returns roots, and the folders at or below paths whose last repair is on record and undisturbed: nothing may
// be left there that makes a folder a project.
func (e *Engine) Repaired(folder string, roots []Root, paths []string) []Root {
	records, _ := e.Records(folder, orHere(paths)) // discovery reports paths that cannot be read
	known := map[string]bool{}
	for _, r := range roots {
		known[r.Dir] = true
	}
	for _, r := range records {
		if !known[r.Root] && r.Undisturbed() {
			roots = append(roots, Root{Root: schema.Root{Dir: r.Root}})
		}
		known[r.Root] = true // an older repair is not undone first
	}
	return roots
}

// NothingToUndo returns a sentence that no repair of the projects is on record, and which ones are: those of a project
// that was moved are recorded under its old path.
func (e *Engine) NothingToUndo(folder string, roots []Root) string {
	for _, r := range transaction.List(folder) {
		if slices.ContainsFunc(roots, func(here Root) bool { return r.MovedTo(here.Dir) }) {
			return fmt.Sprintf("%v; this project seems to have been moved from %s, where its repairs are on record: move it back, undo them, and move it again", transaction.ErrNothingToUndo, e.Rel(r.Root))
		}
	}
	return fmt.Sprintf("%v; amlfix undo --list shows what is on record", transaction.ErrNothingToUndo)
}

// ExpireUndo removes what has been kept for Undo long enough, if a file was written.
func (c *Checker) ExpireUndo() {
	if folder, err := transaction.Folder(); err == nil && c.Wrote() {
		transaction.ExpireHourly(folder)
	}
}
