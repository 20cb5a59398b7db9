package transaction

import (
	"errors"
	"fmt"
	"os"
)

// ErrNothingToUndo tells that no transaction of the project can be undone.
var ErrNothingToUndo = errors.New("nothing to undo: no repair of this project is on record, or it was undone already")

// EditedError tells that a file was edited after the repair, so that undoing it
// would lose the edit.
type EditedError struct{ Path string }

func (e *EditedError) Error() string {
	return e.Path + ": edited since it was repaired, so nothing was undone: undo your edit first, or repair the file by hand"
}

// Undo gives the files of the last transaction their old content, all or none,
// and returns their absolute paths. After it there is nothing more to undo. The error is
// ErrNothingToUndo, an *EditedError, or why writing failed.
func (s *Store) Undo() ([]string, error) {
	j, err := s.readJournal(undoName)
	if errors.Is(err, os.ErrNotExist) {
		return nil, ErrNothingToUndo
	}
	if err != nil {
		return nil, err
	}
	var files []File
	var paths []string
	for n, e := range j.Files {
		now, err := current(e.Target)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.Path, err)
		}
		if now != e.New {
			return nil, &EditedError{Path: e.Path}
		}
		back := File{Path: e.Target}
		if e.New != "" {
			if back.Old, err = os.ReadFile(e.Target); err != nil {
				return nil, fmt.Errorf("%s: %w", e.Path, err)
			}
		}
		if e.Old != "" {
			if back.New, err = os.ReadFile(s.saved("old", n)); err != nil {
				return nil, fmt.Errorf("%s: its old content is lost: %w", e.Path, err)
			}
		}
		files, paths = append(files, back), append(paths, e.Target)
	}
	undone, err := s.prepare(files)
	if err != nil {
		return nil, err
	}
	undone.Undo = true
	if err := s.run(undone, files); err != nil {
		return nil, err
	}
	return paths, s.finish(false)
}
