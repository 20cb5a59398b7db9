package transaction

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
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

// recover finishes a committed transaction and takes an uncommitted one back. It
// may itself be killed at any point and be run again.
func (s *Store) recover() (*Recovery, error) {
	j, err := s.readJournal(journalName)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r := &Recovery{}
	for _, e := range j.Files {
		r.Files = append(r.Files, e.Target)
	}
	if _, err := os.Stat(filepath.Join(s.dir, commitName)); err != nil {
		s.step("take back")
		s.takeBack(j)
		return r, nil
	}
	r.Finished = true
	for n, e := range j.Files {
		now, err := current(e.Target)
		if err != nil {
			return nil, fmt.Errorf("%s: an interrupted repair cannot be finished: %w", e.Path, err)
		}
		switch now {
		case e.New:
			_ = os.Remove(e.Temp) // there is none once it was renamed
		case e.Old:
			s.step("finish a file")
			if err := s.replay(e, n); err != nil {
				return nil, fmt.Errorf("%s: an interrupted repair cannot be finished: %w", e.Path, err)
			}
		default:
			r.Edited = append(r.Edited, e.Target)
			_ = os.Remove(e.Temp)
		}
	}
	return r, s.finish(!j.Undo)
}

// replay gives one file its new content, from the temporary file or the store.
func (s *Store) replay(e entry, n int) error {
	if now, err := current(e.Temp); e.New != "" && (err != nil || now != e.New) {
		text, err := os.ReadFile(s.saved("new", n))
		if err != nil {
			return err
		}
		if err := writeFile(e.Temp, text, e.Mode, e.Target); err != nil {
			return err
		}
	}
	return s.place(e)
}
