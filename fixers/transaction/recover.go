package transaction

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strconv"

	"github.com/amlfix/amlfix/schema/disk"
)

// recover finishes a committed transaction and reverts an uncommitted one. It may be killed at any point and run again.
func (s *Store) recover() (*Recovery, error) {
	dirs, err := s.dir.ReadDir(".")
	if err != nil {
		return nil, err
	}
	for _, d := range dirs {
		if n, err := strconv.Atoi(d.Name()); err == nil {
			s.last = max(s.last, n)
		}
	}
	if err := s.tidy(dirs); err != nil {
		return nil, err
	}
	open, err := s.read(dirs, journalName)
	if err != nil || len(open) == 0 {
		return nil, err
	}
	var last *Recovery
	for _, j := range open { // there is one, unless files of the store were copied about
		if last, err = s.recoverOne(j); err != nil {
			return nil, err
		}
	}
	return last, nil
}

// recoverOne finishes a transaction with a commit mark, if that is possible, and reverts others. If a file of one
// without a mark cannot get its old content back, only finishing makes the files belong together. An undo that has
// removed the record of what it undid is always finished: nothing could be undone after it was reverted.
func (s *Store) recoverOne(j *journal) (*Recovery, error) {
	r := &Recovery{}
	undone := j.Undoes != "" && !s.dir.Exists(path.Join(j.Undoes, undoName))
	possible, marked := true, undone || s.dir.Exists(path.Join(j.dir, commitName))
	for n, e := range j.Files {
		r.Files = append(r.Files, e.target())
		st, err := s.look(j, n)
		switch {
		case errors.Is(err, errDamaged):
			r.Damaged = append(r.Damaged, e.target())
		case errors.Is(err, errUnsaved):
			possible = false // the last copy would be lost
		case err != nil:
			return nil, &PathError{e.Path, err}
		}
		possible = possible && st != lost && st != editedBefore && st != editedDuring
	}
	var err error
	if !undone && (!possible || !marked && len(r.Damaged) == 0) {
		r.Edited, r.Damaged, err = s.revert(j)
		r.Files = slices.DeleteFunc(r.Files, func(f string) bool { return slices.Contains(r.Damaged, f) })
		return r, err
	}
	own, err := s.dir.Sub(j.dir)
	if err != nil {
		return nil, err
	}
	defer own.Close()
	if !marked {
		if err := s.mark(own); err != nil {
			return nil, err
		}
	}
	for _, e := range j.Files {
		st, err := s.advance(e)
		if err != nil {
			return nil, &PathError{e.Path, err}
		}
		if st != waiting && st != placed {
			r.Edited = append(r.Edited, e.target())
		}
	}
	r.Finished = true
	if j.Undoes != "" {
		r.Damaged = nil // nobody undoes an undo
	}
	return r, s.finish(j, own, func(n int) error { return drop(j.Files[n]) })
}

// advance puts a file in place if it is not there yet, and returns its previous state.
func (s *Store) advance(e entry) (state, error) {
	slot, done, err := e.slot()
	if err != nil {
		return 0, err
	}
	defer done()
	st, err := stateOf(e, slot)
	if err != nil || st != waiting {
		return st, err
	}
	s.step("finish a file")
	old, err := slot.Held(e.Name, sizeLimit)
	if err != nil {
		return st, err
	}
	updated, err := slot.Held(e.Temp, sizeLimit)
	if e.New == "" {
		updated = nil
	}
	if err != nil {
		return st, err
	}
	return st, slot.Place(old, updated)
}

// revert gives every file its old content, except those that somebody edited or whose old content is damaged, and
// forgets the transaction. It removes the commit mark first, so that the state is clear if it is killed.
func (s *Store) revert(j *journal) (edited, damaged []string, err error) {
	s.step("remove commit mark")
	if err := s.dir.Remove(path.Join(j.dir, commitName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	for n, e := range j.Files {
		left, err := s.revertFile(j, n)
		switch {
		case errors.Is(err, errDamaged): // waiting would not bring it back
			damaged = append(damaged, e.target())
		case err != nil:
			return nil, nil, &PathError{e.Path, err}
		case left:
			edited = append(edited, e.target())
		}
	}
	return edited, damaged, s.forget(j.dir, journalName)
}

// revertFile gives one file its old content; left is true if somebody edited it.
func (s *Store) revertFile(j *journal, n int) (left bool, err error) {
	e := j.Files[n]
	slot, done, err := e.slot()
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil // its folder is gone: nothing of ours is left in it
	}
	if err != nil {
		return false, err
	}
	defer done()
	st, err := stateOf(e, slot)
	if err != nil {
		return false, err
	}
	if st == editedDuring || st == placed {
		if left, err = s.restore(j, n, slot); err != nil {
			return false, err
		}
		return left || st == editedDuring, slot.Drop()
	}
	s.step("revert a file")
	return st == editedBefore || st == editedAfter, slot.Drop()
}

// restore replaces a file's new content by what was swapped out (its old content, or what somebody saved at that
// moment) or, if that is gone, by the saved old content. edited is true if somebody saves the file now; that edit
// stays.
func (s *Store) restore(j *journal, n int, slot *disk.Slot) (edited bool, err error) {
	e := j.Files[n]
	now, err := slot.Held(e.Name, sizeLimit)
	if err != nil {
		return false, err
	}
	back, err := slot.Held(e.Temp, sizeLimit)
	if err != nil {
		return false, err
	}
	if back == nil || hash(back) == e.New {
		if back, err = s.stageSaved(j, n, slot); err != nil {
			return false, err
		}
	}
	s.step("revert a file")
	if hash(now) != e.New {
		return true, nil
	}
	err = slot.Place(now, back)
	if errors.Is(err, disk.ErrChanged) {
		return true, nil
	}
	return false, err
}

// stageSaved puts the saved old content beside a file, and returns it; nil if there was no file.
func (s *Store) stageSaved(j *journal, n int, slot *disk.Slot) ([]byte, error) {
	if err := slot.Drop(); err != nil || j.Files[n].Old == "" {
		return nil, err
	}
	old, err := s.old(j, n)
	if err != nil {
		return nil, err
	}
	if _, err := slot.Look(sizeLimit); err != nil { // for owner and mode
		return nil, err
	}
	return old, slot.Stage(old)
}

// tidy removes what is left of transactions that never began, or that are forgotten.
func (s *Store) tidy(dirs []fs.DirEntry) error {
	for _, d := range dirs {
		if d.IsDir() && !s.dir.Exists(path.Join(d.Name(), journalName)) && !s.dir.Exists(path.Join(d.Name(), undoName)) {
			s.step("remove its content")
			if err := s.dir.RemoveAll(d.Name()); err != nil {
				return err
			}
		}
	}
	return nil
}
