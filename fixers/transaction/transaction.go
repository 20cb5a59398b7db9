// Package transaction writes several files as one: after it, or after the
// recovery from a crash in its middle, all hold their new content or all their
// old. It keeps what undo needs. Power loss is not claimed to be survived: that
// depends on disks; a killed process is.
package transaction

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

// File is one file of a transaction.
type File struct {
	// Path is the file, as the caller names it in messages.
	Path string
	// Old is the content it was read with; nil when the file must not exist yet.
	Old []byte
	// New is the content to write; nil removes the file.
	New []byte
}

// Store holds the journal and the undo data of one project. It is locked from
// Open to Close: a second process waits in Open.
type Store struct {
	root  string // the project's folder, links followed
	given string // the same as it was given, absolute
	dir   string // where journal and undo data are
	lock  *flock.Flock
	// step is called before every action that changes the disk; tests kill the
	// process there.
	step func(name string)
}

// ChangedError tells that a file is not what it was when it was read.
type ChangedError struct{ Path string }

func (e *ChangedError) Error() string {
	return e.Path + ": changed on disk since it was read; nothing was written: run the command again"
}

// Folder returns where amlfix keeps journals and undo data: below the user's
// cache folder. The error says what the operating system lacks to tell it.
func Folder() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no cache folder for the journal: %w: set HOME or XDG_CACHE_HOME", err)
	}
	return filepath.Join(cache, "amlfix"), nil
}

// Open locks the store of the project at root, waiting up to ten seconds for
// another process, and finishes or takes back what a killed process left. folder
// is where stores are kept (see Folder). The recovery is nil when there was
// nothing to recover.
func Open(folder, root string) (*Store, *Recovery, error) {
	real, err := realPath(root)
	if err != nil {
		return nil, nil, err
	}
	given, err := filepath.Abs(root)
	if err != nil {
		return nil, nil, err
	}
	s := &Store{root: real, given: given, dir: storeDir(folder, real), step: func(string) {}}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, nil, fmt.Errorf("%s: the journal's folder cannot be made: %w", s.dir, err)
	}
	if s.lock, err = acquire(filepath.Join(s.dir, "lock")); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", root, err)
	}
	recovery, err := s.recover()
	if err != nil {
		s.Close()
		return nil, nil, err
	}
	return s, recovery, nil
}

// Close releases the lock.
func (s *Store) Close() {
	if s.lock != nil {
		_ = s.lock.Close() // closing ends the lock; the file holds nothing
		s.lock = nil
	}
}

// Used reports whether there is any store in folder.
func Used(folder string) bool { _, err := os.Stat(folder); return err == nil }

// Pending reports whether a killed process left work in a project, without
// locking or creating anything.
func Pending(folder, root string) bool { return has(folder, root, journalName) }

// Recorded reports whether there is a transaction of the project to undo, or one
// to finish first, without locking or creating anything.
func Recorded(folder, root string) bool {
	return has(folder, root, undoName) || has(folder, root, journalName)
}

func has(folder, root, name string) bool {
	real, err := realPath(root)
	if err != nil {
		return false
	}
	_, err = os.Stat(filepath.Join(storeDir(folder, real), name))
	return err == nil
}

// storeDir returns where the store of a project is; root is its real path.
func storeDir(folder, root string) string {
	sum := sha256.Sum256([]byte(root))
	return filepath.Join(folder, hex.EncodeToString(sum[:12]))
}

// realPath returns an absolute path with its links followed.
func realPath(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// target returns the file that a path leads to. A link that leads out of the
// project is refused, for what lies there is not the project's; a path that is
// written as one outside ("../shared/conda.yml") is its author's choice.
func (s *Store) target(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(abs)
	if errors.Is(err, os.ErrNotExist) {
		parent, perr := filepath.EvalSymlinks(filepath.Dir(abs))
		if perr != nil {
			return "", fmt.Errorf("%s: %w", path, plain(perr))
		}
		real, err = filepath.Join(parent, filepath.Base(abs)), nil
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, plain(err))
	}
	if inside(s.root, real) || !inside(s.given, abs) && real == abs {
		return real, nil
	}
	return "", fmt.Errorf("%s: is a link to %s, outside the project; nothing was written: change that file itself if you mean to", path, real)
}

// inside reports whether path, read as it is written, is root or below it.
func inside(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// plain takes the path, which callers name, out of an error.
func plain(err error) error {
	var link *os.LinkError
	var path *fs.PathError
	switch {
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("no permission to write there: %w", fs.ErrPermission)
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}
