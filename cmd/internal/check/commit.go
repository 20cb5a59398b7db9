package check

import (
	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/fixers/transaction"
)

// Commit writes a repair: all of its files or, after recovery, none.
func (e *Engine) Commit(patch *fixers.Patch) error {
	recovery, err := commit(patch)
	e.Recovered(recovery)
	return err
}

func commit(patch *fixers.Patch) (*transaction.Recovery, error) {
	if len(patch.Files) == 0 {
		return nil, nil // without a journal, which needs a folder
	}
	folder, err := transaction.Folder()
	if err != nil {
		return nil, err
	}
	return patch.Commit(folder)
}

// recoverProjects finishes, or reverts, what a killed amlfix left in the projects, and reports whether it did anything:
// files may have been added or removed.
func (e *Engine) recoverProjects(roots []Root) bool {
	folder, err := transaction.Folder()
	if err != nil {
		return false
	}
	dirs := make([]string, len(roots))
	for i, r := range roots {
		dirs[i] = r.Dir
	}
	any := false
	for _, dir := range transaction.Pending(folder, dirs) {
		if e.BeforeRecovery != nil {
			e.BeforeRecovery()
		}
		store, recovery, err := transaction.Open(folder, dir)
		if err != nil {
			e.notice(transaction.Renamed(err, e.Rel).Error())
			continue
		}
		store.Close()
		e.Recovered(recovery)
		any = true
	}
	return any
}

// Recovered reports what was recovered; nil is ignored.
func (e *Engine) Recovered(recovery *transaction.Recovery) {
	if recovery == nil {
		return
	}
	for _, list := range [][]string{recovery.Files, recovery.Edited, recovery.Damaged} {
		for i := range list {
			list[i] = e.Rel(list[i])
		}
	}
	e.notice(recovery.String())
}
