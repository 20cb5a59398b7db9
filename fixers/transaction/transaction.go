// Package transaction writes several files as one: afterwards, or after the recovery from a crash, either all hold
// their new content or all hold their old. For each transaction it stores what undo needs. It survives a killed
// process, but not necessarily a power failure, which depends on the disks: files that lost their old content are
// named, and nothing is held up.
package transaction

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/source"
)

// File is one file of a transaction. Old and New are whole contents, byte for byte; the file on the disk is compared
// with Old before anything is written, and again when it is replaced. Mode, owner and extended attributes of an
// existing file are kept if the system lets this user set them; times are not.
type File struct {
	// Path is the file, as the caller names it in messages.
	Path string
	// Old is the content that was read; nil if the file must not exist yet.
	Old []byte
	// New is the content to write; nil removes the file.
	New []byte
}

// Store holds the journals and the undo data of one project. It is locked from Open to Close: a second process waits in
// Open.
//
// While it is open, every earlier transaction of the project is either complete or reverted; Open finishes or reverts
// one that a killed process left, or fails. A Store must not be used concurrently. The lock works among amlfix
// processes of one machine that share the cache folder: an editor, git, or an amlfix of another user or container may
// write at the same time, which Commit detects (see ChangedError) but does not prevent.
type Store struct {
	bases []string // the folders below which files may be written, the project's first
	dir   *disk.Dir
	lock  *disk.Lock
	last  int // the highest number of a transaction so far
	// step is called before every action that changes the disk; tests kill the process there.
	step func(name string)
	now  func() time.Time
}

// firstStep is the step of a Store that is not open yet; tests change it.
var firstStep = func(string) {}

// ChangedError reports that a file has changed since it was read. No file of the transaction was changed; the caller
// reads and plans again.
type ChangedError struct {
	Path string
	// Repaired is true if the file already holds what was to be written: most likely another amlfix was faster.
	Repaired bool
}

func (e *ChangedError) Error() string {
	return e.Path + ": changed on disk since it was read, so nothing was written: run the command again"
}

// PathError says what is wrong with one file or folder, in plain words. Path is the caller's name for it, and Err does
// not repeat it; the message says whether anything was written.
type PathError struct {
	Path string
	Err  error
}

func (e *PathError) Error() string { return e.Path + ": " + e.Err.Error() }
func (e *PathError) Unwrap() error { return e.Err }

// Renamed returns an error of this package with its path converted by name.
func Renamed(err error, name func(path string) string) error {
	at, changed, edited := new(PathError), new(ChangedError), new(EditedError)
	switch {
	case errors.As(err, &at):
		return instead(err, at, &PathError{name(at.Path), at.Err})
	case errors.As(err, &changed):
		return instead(err, changed, &ChangedError{name(changed.Path), changed.Repaired})
	case errors.As(err, &edited):
		return instead(err, edited, &EditedError{name(edited.Path)})
	}
	return err
}

// instead returns an error that wraps another one as if it wrapped now: with what it says besides.
func instead(err, old, now error) error {
	return &worded{strings.Replace(err.Error(), old.Error(), now.Error(), 1), now}
}

// worded is an error in other words.
type worded struct {
	text string
	err  error
}

func (e *worded) Error() string { return e.text }
func (e *worded) Unwrap() error { return e.err }

// sizeLimit bounds what is read of a file, in bytes: larger files are never loaded.
const sizeLimit = source.MaxSize + 1

// patience is how long a second amlfix waits for the first.
const patience = 10 * time.Second

// Folder returns where amlfix keeps journals and undo data: below the user's cache folder. The error says what the
// operating system lacks to name it.
func Folder() (string, error) {
	folder, err := disk.CacheFolder()
	if err != nil {
		return "", fmt.Errorf("no cache folder for the journal: %w", err)
	}
	return folder, nil
}

// Open locks the store of the project at root, waiting up to ten seconds for another process, and finishes or reverts
// what a killed process left. folder is where stores are kept (see Folder). Files are written below root and below the
// further folders, which the user named on the command line. These are real paths (see disk.Real): if a link has since
// taken the place of one, or of a folder above, nothing is written. The recovery is nil if there was nothing to
// recover.
func Open(folder, root string, further ...string) (*Store, *Recovery, error) {
	s := &Store{step: firstStep, now: time.Now, bases: slices.Compact(append([]string{root}, further...))}
	var err error
	if s.dir, err = disk.Make(storeDir(folder, root)); err != nil {
		return nil, nil, fmt.Errorf("the undo data cannot be stored, so nothing was written: %w: %s", err, advice(err, "make that folder writable, or set XDG_CACHE_HOME to one that is"))
	}
	if s.lock, err = s.dir.Lock("lock", patience); err != nil {
		s.dir.Close()
		if errors.Is(err, disk.ErrBusy) {
			return nil, nil, &PathError{root, errors.New("another amlfix is repairing this project: try again when it has finished")}
		}
		return nil, nil, fmt.Errorf("%s: the lock cannot be acquired: %w: %s", s.dir.Name("lock"), err, advice(err, "make its folder writable, or set XDG_CACHE_HOME to one that is"))
	}
	recovery, err := s.recover()
	if err != nil {
		s.Close()
		if at, ok := errors.AsType[*PathError](err); ok {
			err = &PathError{at.Path, fmt.Errorf("an interrupted repair can be neither finished nor undone: %w", at.Err)}
		}
		return nil, nil, err
	}
	return s, recovery, nil
}

// advice returns what to do about an error in the folder of the undo data: the usual, unless the folder is not to
// blame.
func advice(err error, usual string) string {
	if errors.Is(err, syscall.EMFILE) {
		return "raise the limit of open files, as with ulimit -n 1024"
	}
	return usual
}

// Close releases the lock.
func (s *Store) Close() {
	s.lock.Close()
	s.dir.Close()
}

// Pending returns those of the projects at roots in which a killed process left an unfinished transaction, without
// locking or creating anything.
func Pending(folder string, roots []string) (pending []string) {
	stores := someNames(folder, len(roots)+1) // most people have none
	left := func(name string) bool { return holds(filepath.Join(folder, name), journalName) }
	// Checking many projects one by one costs more than reading a few stores.
	if len(stores) <= len(roots) && !slices.ContainsFunc(stores, left) {
		return nil
	}
	for _, root := range roots {
		if has(folder, root, journalName) {
			pending = append(pending, root)
		}
	}
	return pending
}

// someNames returns at most n names in a folder: there may be thousands of others.
func someNames(folder string, n int) []string {
	d, err := os.Open(folder)
	if err != nil {
		return nil
	}
	defer func() { _ = d.Close() }()
	names, _ := d.Readdirnames(n)
	return names
}

// Recorded reports whether there is a transaction of the project to undo, or one to finish first, without locking or
// creating anything.
func Recorded(folder, root string) bool {
	return has(folder, root, undoName) || has(folder, root, journalName)
}

func has(folder, root, name string) bool {
	real, err := disk.Real(root)
	if err != nil {
		return false
	}
	return holds(storeDir(folder, real), name)
}

// holds reports whether a transaction of the store at dir has a file of that name.
func holds(dir, name string) bool {
	list, _ := os.ReadDir(dir) // most projects have none
	return slices.ContainsFunc(list, func(e os.DirEntry) bool {
		_, err := os.Lstat(filepath.Join(dir, e.Name(), name))
		return err == nil
	})
}

// storeDir returns where the store of a project is; root is its real path.
func storeDir(folder, root string) string {
	sum := sha256.Sum256([]byte(root))
	return filepath.Join(folder, hex.EncodeToString(sum[:12]))
}

// locate returns the folder that a file is below, and its name there. The name is taken literally: a link in it is
// found when the file is opened.
func (s *Store) locate(path string) (folder, name string, err error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", "", err
	}
	for _, b := range s.bases {
		if rel, err := filepath.Rel(b, abs); err == nil && filepath.IsLocal(rel) {
			return b, filepath.ToSlash(rel), nil
		}
	}
	return "", "", &PathError{path, errors.New("is outside the project, so nothing was written: give a folder that contains both on the command line")}
}
