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
// called again, it undoes the one before. A file that holds its old content already counts as restored. What Undo needs
// is discarded only when the last byte is on the disk. The error is ErrNothingToUndo, an *EditedError, or why reading
// or writing failed.
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
		if paths = append(paths, e.target()); hash(f.Old) != hash(f.New) {
			files = append(files, f)
		}
	}
	if len(files) == 0 {
		return paths, s.forget(last.dir, undoName)
	}
	defer func(bases []string) { s.bases = bases }(s.bases)
	s.bases = s.bases[:1:1]
	for _, e := range last.Files {
		s.bases = append(s.bases, e.Base) // allowed when it was written
	}
	err = s.run(&journal{Undoes: last.dir}, files)
	if changed, ok := errors.AsType[*ChangedError](err); ok {
		return nil, instead(err, changed, &EditedError{Path: changed.Path})
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
	f.New, err = s.old(j, n)
	switch now := hash(f.Old); {
	case now == e.Old: // somebody has restored it
		f.New = f.Old
	case now != e.New:
		return File{}, &EditedError{Path: e.Path}
	case err != nil:
		return File{}, &PathError{e.Path, fmt.Errorf("%w; nothing was undone: restore this file with version control and run amlfix undo again, or remove %s to give up this undo", err, s.dir.Name(j.dir))}
	}
	return f, nil
}
