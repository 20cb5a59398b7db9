package transaction

import (
	"errors"
	"fmt"
)

// ErrNothingToUndo reports that no transaction of the project can be undone.
var ErrNothingToUndo = errors.New("nothing to undo: no repair of this project is on record, or it has already been undone")

// EditedError reports that a file was edited after the repair, so that undoing it would lose the edit. No file was
// changed, and the transaction can be undone once the edit is reverted.
type EditedError struct{ Path string }

func (e *EditedError) Error() string {
	return e.Path + ": edited since it was repaired, so nothing was undone: undo your edit first, or restore the file by hand"
}

// Undo restores the old content of the files of the last transaction, all or none, and returns their absolute paths;
// called again, it undoes the one before. What it needs is discarded only when the last byte is on the disk. The error
// is ErrNothingToUndo, an *EditedError, or why writing failed.
func (s *Store) Undo() ([]string, error) {
	done, err := s.journals(undoName)
	if err != nil {
		return nil, err
	}
	if len(done) == 0 {
		return nil, ErrNothingToUndo
	}
	last := done[len(done)-1]
	var files []File
	var paths []string
	for n, e := range last.Files {
		f, err := s.reverse(last, n)
		if err != nil {
			return nil, err
		}
		files, paths = append(files, f), append(paths, e.target())
	}
	defer func(bases []base) { s.bases = bases }(s.bases)
	s.bases = s.bases[:1:1]
	for _, e := range last.Files {
		s.bases = append(s.bases, base{e.Base, e.Base}) // allowed when it was written
	}
	err = s.run(&journal{Undoes: last.dir}, files)
	if changed := new(ChangedError); errors.As(err, &changed) {
		return nil, &EditedError{Path: changed.Path}
	}
	if err != nil {
		return nil, err
	}
	return paths, nil
}

// reverse returns what is written to undo one file.
func (s *Store) reverse(j *journal, n int) (File, error) {
	e := j.Files[n]
	slot, done, err := e.slot()
	if err != nil {
		return File{}, &PathError{e.Path, err}
	}
	defer done()
	f := File{Path: e.target()}
	if f.Old, err = slot.Held(e.Name, sizeLimit); err != nil {
		return File{}, &PathError{e.Path, fmt.Errorf("cannot be read: %w; nothing was undone", err)}
	}
	if hash(f.Old) != e.New {
		return File{}, &EditedError{Path: e.Path}
	}
	if e.Old != "" {
		if f.New, err = s.old(j, n); err != nil {
			return File{}, &PathError{e.Path, fmt.Errorf("%w; nothing was undone", err)}
		}
	}
	return f, nil
}
