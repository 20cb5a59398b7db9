// Package disk is the only part of amlfix that changes the file system. A
// repository is written by somebody else: its links, devices, hidden folders and
// file names must never decide where amlfix writes. Therefore every change
//
//   - is made below a folder that was opened once (os.Root), one path element at
//     a time, and an element that is a link is refused rather than followed;
//   - creates files exclusively, under names nobody can foresee where the name is
//     ours to choose;
//   - is refused below .git, and below .amlfix for everything but amlfix's own
//     records (OpenOwn), under whatever name the file system knows these folders;
//   - replaces a file only after another look at what is there (Slot).
//
// Archtest's TestOneDoor asks the type checker that no other package of the
// program creates, writes, renames, removes or links anything.
//
// Not guaranteed: protection from another process of the same user that changes
// folders on purpose at the same moment cannot go further than staying inside
// the opened folder.
package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/amlfix/amlfix/schema/plain"
)

// Dir is a folder that was opened once. Names given to its methods are
// slash-separated, relative, and stay below it. Whatever happens to the path that
// led to the folder afterwards, the Dir remains the same folder. It must be closed.
type Dir struct {
	root *os.Root
	path string // absolute; for messages
	own  bool   // below .amlfix, for amlfix itself
}

// Open opens a folder that the user named: links in its path are resolved, this
// once. The error says what is wrong in plain words: there is no such folder, no
// permission, or the folder belongs to git.
func Open(name string) (*Dir, error) {
	real, err := Real(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, plain.Cause(err))
	}
	if element := reservedElement(real); element != "" {
		return nil, fmt.Errorf("%s: %w", name, &ReservedError{element})
	}
	return openRoot(real, false)
}

func openRoot(real string, own bool) (*Dir, error) {
	root, err := os.OpenRoot(real)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", real, plain.Cause(err))
	}
	return &Dir{root: root, path: real, own: own}, nil
}

// Make opens a folder of the user's own, such as one in the cache, and makes it
// and those above it when they are absent; only the user may read what is made.
// It is not for folders of a project: links in the path are followed.
func Make(name string) (*Dir, error) {
	if err := os.MkdirAll(name, 0o700); err != nil {
		return nil, fmt.Errorf("%s: cannot be made: %w", name, plain.Cause(err))
	}
	real, err := Real(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, plain.Cause(err))
	}
	return openRoot(real, true)
}

// Real returns the absolute path of a file or folder, its links followed.
func Real(name string) (string, error) {
	abs, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// Path returns the folder's absolute path at the time it was opened.
func (d *Dir) Path() string { return d.path }

// Name returns the absolute path of something below the folder, for messages and
// for programs that are started there; it promises nothing about links.
func (d *Dir) Name(name string) string { return filepath.Join(d.path, filepath.FromSlash(name)) }

// Close gives the folder back to the system.
func (d *Dir) Close() { _ = d.root.Close() }

// Destroy removes the folder with everything in it, and closes it. It is for
// folders from Temp and TempNamed.
func (d *Dir) Destroy() error {
	// A job may have taken the right to look into it; its own "." is behind that right.
	if info, err := os.Lstat(d.path); err == nil && info.IsDir() {
		_ = os.Chmod(d.path, 0o700)
	}
	err := d.removeContent(".")
	d.Close()
	return errors.Join(err, plain.Cause(os.Remove(d.path)))
}

// Lstat describes what is at name, which may be a link. The error is
// fs.ErrNotExist when nothing is there.
func (d *Dir) Lstat(name string) (fs.FileInfo, error) {
	parent, leaf, done, err := d.at(name)
	if err != nil {
		return nil, err
	}
	defer done()
	info, err := parent.Lstat(leaf)
	return info, plain.Cause(err)
}

// ReadDir lists a folder, sorted by name.
func (d *Dir) ReadDir(name string) ([]fs.DirEntry, error) {
	sub, err := d.Sub(name)
	if err != nil {
		return nil, err
	}
	defer sub.Close()
	list, err := fs.ReadDir(sub.root.FS(), ".")
	return list, plain.Cause(err)
}

// ReadFile returns what a regular file holds. More than limit bytes are an error.
func (d *Dir) ReadFile(name string, limit int64) ([]byte, error) {
	f, err := d.OpenRead(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read from
	return readAll(f, limit)
}

// OpenRead opens a regular file for reading; a link, device or pipe is refused.
func (d *Dir) OpenRead(name string) (*os.File, error) { return d.existing(name, os.O_RDONLY) }
