package transaction

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/amlfix/amlfix/schema/disk"
)

// Commit writes all files or none. If it fails, nothing has changed: the error is a *ChangedError if a file has changed
// since it was read, and otherwise names the file and the reason. The undo data of earlier transactions is kept.
func (s *Store) Commit(files []File) error { return s.run(&journal{}, files) }

// work is a transaction in progress: the slot of each file.
type work struct {
	*journal
	files []File
	slots []*disk.Slot
	dirs  map[string]*disk.Dir // those of the files, opened once
	own   *disk.Dir            // the transaction's, while files are written
}

func (w *work) close() {
	for _, d := range w.dirs {
		d.Close()
	}
}

// open returns the folder at a name below another; "." is that folder itself.
func (w *work) open(base, name string) (*disk.Dir, error) {
	key := base + "\x00" + name
	if w.dirs[key] != nil {
		return w.dirs[key], nil
	}
	var d *disk.Dir
	var err error
	if name == "." {
		d, err = disk.OpenReal(base)
	} else if d, err = w.open(base, "."); err == nil {
		d, err = d.Sub(name)
	}
	if err == nil {
		w.dirs[key] = d
	}
	return d, err
}

// prepare opens the files' folders, and checks that every file can be written and is unchanged.
func (s *Store) prepare(j *journal, files []File) (_ *work, err error) {
	j.Version, j.Root, j.Time = journalVersion, s.bases[0], s.now().UTC()
	w := &work{journal: j, files: files, dirs: map[string]*disk.Dir{}}
	defer func() {
		if err != nil {
			w.close()
		}
	}()
	for _, f := range files {
		folder, name, err := s.locate(f.Path)
		if err != nil {
			return nil, err
		}
		if _, err := w.open(folder, "."); err != nil {
			return nil, fmt.Errorf("%w; nothing was written", err)
		}
		at, leaf := path.Split(path.Clean(name))
		parent, err := w.open(folder, path.Clean(at))
		if err != nil {
			return nil, &PathError{f.Path, fmt.Errorf("%w; nothing was written", err)}
		}
		slot := &disk.Slot{Dir: parent, Name: leaf, Temp: disk.TempName(), Mode: 0o666}
		now, err := slot.Look(sizeLimit)
		if err != nil {
			return nil, &PathError{f.Path, fmt.Errorf("%w; nothing was written", err)}
		}
		if (now == nil) != (f.Old == nil) || !bytes.Equal(now, f.Old) {
			return nil, &ChangedError{Path: f.Path, Repaired: now != nil && f.New != nil && bytes.Equal(now, f.New)}
		}
		w.slots = append(w.slots, slot)
		j.Files = append(j.Files, entry{Path: f.Path, Base: folder, Name: name, Temp: path.Join(at, slot.Temp), Mode: slot.Mode, Old: hash(f.Old), New: hash(f.New)})
	}
	return w, nil
}

// run carries out a whole transaction, or reverts all of it.
func (s *Store) run(j *journal, files []File) error {
	w, err := s.prepare(j, files)
	if err != nil {
		return err
	}
	defer w.close()
	if w.own, err = s.begin(j, files); err != nil {
		return &PathError{files[0].Path, fmt.Errorf("the undo data cannot be stored in %s: %w; nothing in its project was changed: %s",
			s.dir.Path(), err, advice(err, "free some space there, or set XDG_CACHE_HOME to another folder"))}
	}
	defer w.own.Close()
	n, err := s.write(w)
	if err != nil {
		w.own.Close() // it is removed now
		err = &PathError{files[n].Path, fmt.Errorf("cannot be written: %w; nothing in its project was changed", err)}
		if errors.Is(err, disk.ErrChanged) {
			err = &ChangedError{Path: files[n].Path}
		}
		_, stay, back := s.revert(j)
		if back != nil { // the journal stays: the next command tries again
			return fmt.Errorf("%w; some files could not be restored: %w: the next run of amlfix tries again", err, back)
		}
		if len(stay) > 0 {
			return fmt.Errorf("%w, but other files were: %s", err, because("is not", stay))
		}
		return err
	}
	return s.finish(j, w.own, func(n int) error { return w.slots[n].Drop() })
}

// write stages, commits and places the files. n is the index of the file that an error is about.
func (s *Store) write(w *work) (n int, err error) {
	for n, f := range w.files {
		if f.New == nil {
			continue
		}
		s.step("write temporary file")
		if err := w.slots[n].Stage(f.New); err != nil {
			return n, err
		}
	}
	if err := s.mark(w.own); err != nil {
		return 0, err
	}
	for n, f := range w.files {
		s.step("put in place")
		if err := w.slots[n].Place(f.Old, f.New); err != nil {
			return n, err
		}
	}
	for n, f := range w.files { // what was replaced may have been open in an editor
		if err := w.slots[n].Keeps(f.Old); err != nil {
			return n, err
		}
	}
	return 0, nil
}

// mark makes the commit mark in a transaction's folder.
func (s *Store) mark(own *disk.Dir) error {
	s.step("mark committed")
	// A hard link costs an eighth of a new file, where the file system has them.
	if own.Link(journalName, own, commitName) == nil {
		return nil
	}
	if err := own.WriteSoon(commitName, nil, 0o600); err != nil {
		return fmt.Errorf("the journal cannot be written: %w", err)
	}
	return nil
}

// finish removes what was replaced, and turns the journal into undo data; the journal of an undo removes the
// transaction that was undone, and then itself. own is the transaction's folder, and drop removes what is left beside
// one file of the journal.
func (s *Store) finish(j *journal, own *disk.Dir, drop func(n int) error) error {
	for n, e := range j.Files {
		s.step("remove the replaced file")
		if err := drop(n); err != nil {
			return &PathError{e.Path, fmt.Errorf("the new content is in place, but %s beside it cannot be removed: %w", path.Base(e.Temp), err)}
		}
	}
	if j.Undoes == "" {
		s.step("keep undo data")
		return own.Rename(journalName, undoName)
	}
	own.Close()
	// The undone transaction is removed first: until then this journal says that it is undone.
	if err := s.forget(j.Undoes, undoName); err != nil {
		return err
	}
	return s.forget(j.dir, journalName)
}

// forget removes a transaction, beginning with the file that makes it one.
func (s *Store) forget(dir, name string) error {
	s.step("forget a transaction")
	if err := s.dir.Remove(path.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	s.step("remove its content")
	return s.dir.RemoveAll(dir)
}

// drop removes what is left beside a file.
func drop(e entry) error {
	slot, done, err := e.slot()
	if err != nil {
		return err
	}
	defer done()
	return slot.Drop()
}
