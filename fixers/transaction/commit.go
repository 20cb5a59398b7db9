package transaction

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Commit writes all files or none. When it fails nothing has changed: the error
// is a *ChangedError when a file is not what it was, and otherwise names the
// file and the reason. The undo data of the transaction before is replaced.
func (s *Store) Commit(files []File) error {
	j, err := s.prepare(files)
	if err != nil {
		return err
	}
	if err := s.run(j, files); err != nil {
		return err
	}
	return s.finish(true)
}

// prepare checks that every file can be written and is what it was.
func (s *Store) prepare(files []File) (*journal, error) {
	j := &journal{Version: 1, Root: s.root}
	for n, f := range files {
		target, err := s.target(f.Path)
		if err != nil {
			return nil, err
		}
		e := entry{Path: f.Path, Target: target, Mode: 0o644, Old: hash(f.Old), New: hash(f.New),
			Temp: filepath.Join(filepath.Dir(target), fmt.Sprintf(".amlfix-%d-%s.tmp", n, filepath.Base(target)))}
		now, err := os.ReadFile(target)
		switch {
		case errors.Is(err, os.ErrNotExist) && f.Old == nil:
		case errors.Is(err, os.ErrNotExist), err == nil && (f.Old == nil || !bytes.Equal(now, f.Old)):
			return nil, &ChangedError{Path: f.Path}
		case err != nil:
			return nil, fmt.Errorf("%s: cannot be read again before writing: %w", f.Path, plain(err))
		default:
			info, err := os.Stat(target)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.Path, err)
			}
			if !info.Mode().IsRegular() {
				return nil, fmt.Errorf("%s: is not a regular file; nothing was written", f.Path)
			}
			e.Mode = info.Mode().Perm()
			if e.Mode&0o200 == 0 {
				return nil, fmt.Errorf("%s: is read-only; nothing was written: make it writable first", f.Path)
			}
		}
		j.Files = append(j.Files, e)
	}
	return j, nil
}

// run takes a transaction from nothing to its last rename. An error before the
// commit mark takes everything back; after it the work is finished by recovery.
func (s *Store) run(j *journal, files []File) error {
	if err := s.forget(); err != nil {
		return err
	}
	for n, f := range files {
		s.step("save content")
		if err := s.save(n, f); err != nil {
			return fmt.Errorf("%s: what undo needs cannot be kept: %w; nothing was written", f.Path, err)
		}
	}
	s.step("write journal")
	if err := s.writeJournal(journalName, j); err != nil {
		return fmt.Errorf("%s: the journal cannot be written: %w; nothing was written", s.dir, err)
	}
	for n, f := range files {
		if f.New == nil {
			continue
		}
		s.step("write temporary file")
		if err := writeFile(j.Files[n].Temp, f.New, j.Files[n].Mode, j.Files[n].Target); err != nil {
			s.takeBack(j)
			return fmt.Errorf("%s: cannot be written: %w; nothing was changed", f.Path, err)
		}
	}
	s.step("mark committed")
	if err := writeFile(filepath.Join(s.dir, commitName), nil, 0o600, ""); err != nil {
		s.takeBack(j)
		return fmt.Errorf("%s: the journal cannot be written: %w; nothing was changed", s.dir, err)
	}
	for n := range files {
		s.step("put in place")
		if err := s.place(j.Files[n]); err != nil {
			return errors.Join(fmt.Errorf("%s: cannot be put in place: %w", files[n].Path, err), s.revert(j, n))
		}
	}
	return nil
}

func (s *Store) save(n int, f File) error {
	if f.Old != nil {
		if err := writeFile(s.saved("old", n), f.Old, 0o600, ""); err != nil {
			return err
		}
	}
	if f.New != nil {
		return writeFile(s.saved("new", n), f.New, 0o600, "")
	}
	return nil
}

// place gives one file its new content.
func (s *Store) place(e entry) error {
	if e.New == "" {
		return os.Remove(e.Target)
	}
	return rename(e.Temp, e.Target)
}

// takeBack removes what an uncommitted transaction left.
func (s *Store) takeBack(j *journal) {
	for _, e := range j.Files {
		_ = os.Remove(e.Temp) // most were never made
	}
	_ = os.Remove(filepath.Join(s.dir, journalName))
}

// revert puts the first n files of a committed transaction back: a rename failed,
// and all or none is the promise.
func (s *Store) revert(j *journal, n int) error {
	var errs []error
	for i, e := range j.Files[:n] {
		errs = append(errs, s.restore(e, i))
	}
	if err := errors.Join(errs...); err != nil {
		return err // the journal stays: the next command tries again
	}
	_ = os.Remove(filepath.Join(s.dir, commitName))
	s.takeBack(j)
	return nil
}

// restore gives one file its old content.
func (s *Store) restore(e entry, n int) error {
	if e.Old == "" {
		return os.Remove(e.Target)
	}
	text, err := os.ReadFile(s.saved("old", n))
	if err != nil {
		return err
	}
	if err := writeFile(e.Temp, text, e.Mode, e.Target); err != nil {
		return err
	}
	return rename(e.Temp, e.Target)
}

// finish turns the journal into undo data, or drops it.
func (s *Store) finish(keep bool) error {
	s.step("keep undo data")
	if keep {
		if err := rename(filepath.Join(s.dir, journalName), filepath.Join(s.dir, undoName)); err != nil {
			return err
		}
	} else if err := os.Remove(filepath.Join(s.dir, journalName)); err != nil {
		return err
	}
	s.step("remove commit mark")
	if err := os.Remove(filepath.Join(s.dir, commitName)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// forget drops the undo data of an earlier transaction, the record first.
func (s *Store) forget() error {
	for _, pattern := range []string{undoName, commitName, "old-*", "new-*"} {
		names, err := filepath.Glob(filepath.Join(s.dir, pattern))
		if err != nil {
			return err
		}
		for _, name := range names {
			if err := os.Remove(name); err != nil {
				return fmt.Errorf("%s: old undo data cannot be removed: %w", name, err)
			}
		}
	}
	return nil
}
