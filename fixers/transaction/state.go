package transaction

import (
	"errors"
	"io/fs"

	"github.com/amlfix/amlfix/schema/disk"
)

// state is how far a file of a transaction has got, judged from the disk alone: the content at its name, and at the
// temporary name beside it.
type state int

const (
	waiting      state = iota // holds old, and the new content is at hand
	placed                    // holds new
	lost                      // holds old, and the new content is gone
	editedBefore              // somebody changed it before it was replaced
	editedDuring              // what was swapped out is neither: somebody saved at that moment
	editedAfter               // somebody changed it after it was replaced
)

// look returns the state of a file, and saves its old content again if need be. The error is errDamaged if the file is
// in place and its old content is lost, and errUnsaved if it would be lost now.
func (s *Store) look(j *journal, n int) (state, error) {
	e := j.Files[n]
	slot, done, err := e.slot()
	if errors.Is(err, fs.ErrNotExist) {
		return editedAfter, nil // the folder is gone
	}
	if err != nil {
		return 0, err
	}
	defer done()
	st, err := stateOf(e, slot)
	switch {
	case err != nil:
	case st == waiting || st == placed: // finishing would remove the last copy
		err = s.saveAgain(j, n, slot)
	case st == editedAfter:
		_ = s.saveAgain(j, n, slot) // for an undo, once the edit is taken back
	}
	return st, err
}

func stateOf(e entry, slot *disk.Slot) (state, error) {
	held, err := slot.Held(e.Name, sizeLimit)
	if err != nil && !disk.IsReplaced(err) {
		return 0, err
	}
	beside, err2 := slot.Held(e.Temp, sizeLimit)
	if err2 != nil && !disk.IsReplaced(err2) {
		return 0, err2
	}
	now, temp := hash(held), hash(beside)
	switch {
	case err != nil: // a link or a folder is there now
		if temp == e.New && e.New != "" {
			return editedBefore, nil
		}
		return editedAfter, nil
	case now == e.New && (temp == "" || temp == e.Old || temp == e.New):
		return placed, nil
	case now == e.New:
		return editedDuring, nil
	case now == e.Old && temp == e.New:
		return waiting, nil
	case now == e.Old:
		return lost, nil
	case temp == e.New && e.New != "":
		return editedBefore, nil
	}
	return editedAfter, nil
}
