package transaction

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// The files of a store. The journal is there from before the first temporary
// file until after the last rename; the commit mark decides the direction in
// which a recovery goes.
const (
	journalName = "journal.json"
	commitName  = "commit"
	undoName    = "undo.json"
)

// journal says what a transaction does, so that another process can finish it
// or take it back.
type journal struct {
	Version int     `json:"version"`
	Root    string  `json:"root"`
	Files   []entry `json:"files"`
	// Undo is true when the transaction takes another one back.
	Undo bool `json:"undo,omitempty"`
}

// entry is one file of a journal. Contents stand in files of the store, readable
// by their owner only: they may hold what a repair removed, such as a password.
type entry struct {
	Path   string      `json:"path"`   // as named in messages
	Target string      `json:"target"` // the file itself, links followed
	Temp   string      `json:"temp"`   // the temporary file beside it
	Mode   os.FileMode `json:"mode"`
	Old    string      `json:"old"` // hash of the old content, "" for a new file
	New    string      `json:"new"` // hash of the new content, "" for a removal
}

func hash(text []byte) string {
	if text == nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// current returns the hash of what a file holds now, "" when it is not there.
func current(name string) (string, error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	if text == nil {
		text = []byte{}
	}
	return hash(text), nil
}

// saved returns the name in the store of a file's old or new content.
func (s *Store) saved(which string, n int) string {
	return filepath.Join(s.dir, fmt.Sprintf("%s-%d", which, n))
}

func (s *Store) readJournal(name string) (*journal, error) {
	text, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		return nil, err
	}
	j := new(journal)
	if err := json.Unmarshal(text, j); err != nil {
		return nil, fmt.Errorf("%s: damaged: %w", filepath.Join(s.dir, name), err)
	}
	return j, nil
}

// writeJournal makes the journal appear at once and whole.
func (s *Store) writeJournal(name string, j *journal) error {
	text, err := json.MarshalIndent(j, "", "  ")
	if err != nil {
		return err
	}
	temp := filepath.Join(s.dir, name+".new")
	if err := writeFile(temp, text, 0o600, ""); err != nil {
		return err
	}
	return rename(temp, filepath.Join(s.dir, name))
}

// writeFile creates a file with its content on the disk, and with the owner of
// the file at like when there is one; an unfinished one is removed.
func writeFile(name string, text []byte, mode os.FileMode, like string) (err error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return plain(err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(name) // the first error is the one to tell
		}
	}()
	if _, err = f.Write(text); err == nil {
		if info, staterr := os.Stat(like); like != "" && staterr == nil {
			keepOwner(name, info)
		}
		// after the owner, because changing that can take mode bits away, and
		// because the mode given at creation is cut by the umask
		if err = f.Chmod(mode); err == nil {
			err = f.Sync()
		}
	}
	return plain(errors.Join(err, f.Close()))
}

// rename replaces a file by its new version, which stands in the same folder,
// and brings the folder's entry to the disk where the system can.
func rename(from, to string) error {
	if err := os.Rename(from, to); err != nil { //nolint:forbidigo // both are in one folder
		return plain(err)
	}
	if dir, err := os.Open(filepath.Dir(to)); err == nil {
		_ = dir.Sync() // not every file system can; the content itself is safe
		_ = dir.Close()
	}
	return nil
}
