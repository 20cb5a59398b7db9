package transaction

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/amlfix/amlfix/schema/disk"
)

// Recovery tells what was done about a transaction that a killed process left.
type Recovery struct {
	// Finished is true when the files were given their new content, false when
	// they were left with, or given back, their old.
	Finished bool
	// Files are the files concerned, as absolute paths.
	Files []string
	// Edited are files that somebody changed in between; they were left alone.
	Edited []string
}

// String says it in a sentence for the user.
func (r *Recovery) String() string {
	var b strings.Builder
	if r.Finished {
		fmt.Fprintf(&b, "an interrupted repair was finished: %s", strings.Join(r.Files, ", "))
	} else {
		fmt.Fprintf(&b, "an interrupted repair was taken back: %s", strings.Join(r.Files, ", "))
	}
	if len(r.Edited) > 0 {
		fmt.Fprintf(&b, "; changed by somebody since and left alone: %s", strings.Join(r.Edited, ", "))
	}
	return b.String()
}

// recover finishes a committed transaction and reverts an uncommitted one. It may
// itself be killed at any point and be run again.
func (s *Store) recover() (*Recovery, error) {
	if err := s.tidy(); err != nil {
		return nil, err
	}
	open, err := s.journals(journalName)
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

func (s *Store) recoverOne(j *journal) (*Recovery, error) {
	r := &Recovery{}
	goOn := s.dir.Exists(path.Join(j.dir, commitName))
	for _, e := range j.Files {
		r.Files = append(r.Files, e.target())
		st, err := look(e)
		if err != nil {
			return nil, &PathError{e.Path, err}
		}
		goOn = goOn && st != lost && st != editedBefore
	}
	var err error
	if !goOn {
		r.Edited, err = s.revert(j)
		return r, err
	}
	for _, e := range j.Files {
		st, err := s.advance(e)
		if err != nil {
			return nil, &PathError{e.Path, err}
		}
		if st == editedAfter {
			r.Edited = append(r.Edited, e.target())
		}
	}
	r.Finished = true
	return r, s.finish(j)
}

// advance puts a file in its place that is not there yet, and returns its state
// before.
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
	err = slot.Place(old, updated)
	slot.Sync()
	return st, err
}

// revert gives every file its old content, except those that somebody edited, and
// forgets the transaction. It removes the commit mark first, so that it is not
// undecided if it is killed.
func (s *Store) revert(j *journal) (edited []string, err error) {
	s.step("remove commit mark")
	if err := s.dir.Remove(path.Join(j.dir, commitName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	s.dir.Sync()
	for n, e := range j.Files {
		left, err := s.revertFile(j, n)
		if err != nil {
			return nil, &PathError{e.Path, err}
		}
		if left {
			edited = append(edited, e.target())
		}
	}
	return edited, s.forget(j.dir, journalName)
}

// revertFile gives one file its old content; left is true when somebody edited it.
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
	s.step("revert a file")
	switch st {
	case editedDuring: // what somebody saved was swapped out: it goes back
		return true, slot.Restore()
	case placed:
		err = s.restore(j, n, slot)
		slot.Sync()
		return false, err
	}
	return st == editedBefore || st == editedAfter, slot.Drop()
}

// restore gives a file its old content: what was swapped out or, where it is
// gone, what was saved.
func (s *Store) restore(j *journal, n int, slot *disk.Slot) error {
	e := j.Files[n]
	if e.Old == "" {
		return slot.Dir.Remove(e.Name)
	}
	if old, err := slot.Held(e.Temp, sizeLimit); err == nil && hash(old) == e.Old {
		return slot.Restore()
	}
	if err := slot.Drop(); err != nil {
		return err
	}
	old, err := s.dir.ReadFile(j.saved(n), sizeLimit)
	if err != nil {
		return fmt.Errorf("its old content cannot be read: %w", err)
	}
	now, err := slot.Look(sizeLimit) // for owner and mode
	if err != nil {
		return err
	}
	if err := slot.Stage(old); err != nil {
		return err
	}
	return slot.Place(now, old)
}

// tidy removes what is left of transactions that never began, or that are
// forgotten.
func (s *Store) tidy() error {
	dirs, err := s.dir.ReadDir(".")
	if err != nil {
		return err
	}
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
