// Package disk is the only part of amlfix that changes the file system. A repository comes from somebody else: its
// links, devices, hidden folders and file names must never determine where amlfix writes. Therefore every change
//
//   - is made below a folder that was opened once (os.Root), one path element at
//     a time, and an element that is a link is refused rather than followed;
//   - creates files exclusively, under unpredictable names where the name is
//     ours to choose;
//   - is refused below .git, and below .amlfix for everything but amlfix's own
//     records (OpenOwn), under whatever name the file system knows these folders;
//   - replaces a file only after another look at what is there (Slot).
//
// Archtest's TestOneDoor asks the type checker that no other package of the program creates, writes, renames, removes
// or links anything.
//
// There are limits: if another process of the same user maliciously changes folders at the same moment, all that is
// guaranteed is that amlfix opens the folder that was meant (OpenReal), and stays inside it.
package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

// Dir is a folder that was opened once. Names given to its methods are slash-separated, relative, and stay below it.
// Whatever happens to the folder's path afterwards, the Dir remains the same folder. It must be closed.
type Dir struct {
	root *os.Root
	path string // absolute; for messages
	own  bool   // below .amlfix, for amlfix itself
}

// Open opens a folder that the user named: links in its path are resolved once. The error says in plain words what is
// wrong: there is no such folder, no permission, or the folder belongs to git.
func Open(name string) (*Dir, error) {
	real, err := Real(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, plain.Cause(err))
	}
	return openReal(name, real)
}

func openRoot(real string, own bool) (*Dir, error) {
	root, err := os.OpenRoot(real)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", real, plain.Cause(err))
	}
	return &Dir{root: root, path: real, own: own}, nil
}

// Make opens one of the user's own folders, such as one in the cache, and creates it and its parents if they are
// missing; only the user may read what is created. It is not for folders of a project: links in the path are followed,
// and stay in Path.
func Make(name string) (*Dir, error) {
	abs, err := filepath.Abs(name)
	if err == nil {
		err = os.MkdirAll(abs, 0o700)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: cannot be created: %w", name, plain.Cause(err))
	}
	return openRoot(abs, true)
}

// Path returns the folder's absolute path at the time it was opened.
func (d *Dir) Path() string { return d.path }

// Name returns the absolute path of something below the folder, for messages and for programs that are started there;
// the path may lead through links.
func (d *Dir) Name(name string) string { return filepath.Join(d.path, filepath.FromSlash(name)) }

// Close closes the folder.
func (d *Dir) Close() { _ = d.root.Close() }

// Destroy removes the folder with everything in it, and closes it. It is for folders from Temp and TempNamed.
func (d *Dir) Destroy() error {
	// A job may have removed the permission to enter it, which its own "." needs too.
	if info, err := os.Lstat(d.path); err == nil && info.IsDir() {
		_ = os.Chmod(d.path, 0o700)
	}
	err := d.removeContent()
	d.Close()
	return errors.Join(err, plain.Cause(os.Remove(d.path)))
}

// Lstat describes what is at name, which may be a link. The error is fs.ErrNotExist if nothing is there.
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
	f, err := d.openDir(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read from
	list, err := f.ReadDir(-1)
	plain.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, plain.Cause(err)
}

// openDir opens a folder for listing.
func (d *Dir) openDir(name string) (*os.File, error) {
	clean, err := local(name)
	if err != nil {
		return nil, err
	}
	folder, done, err := d.walk(clean, nil)
	if err != nil {
		return nil, err
	}
	defer done()
	f, err := openItself(folder)
	return f, plain.Cause(err)
}

// openItself opens a folder as a file. Without noBlock, Go would make five calls of the system to find out that it
// cannot wait for it.
func openItself(folder *os.Root) (*os.File, error) {
	return folder.OpenFile(".", os.O_RDONLY|noBlock, 0)
}

// ReadFile returns the content of a regular file. More than limit bytes are an error.
func (d *Dir) ReadFile(name string, limit int64) ([]byte, error) {
	f, info, err := d.existing(name, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read from
	return readAll(f, info.Size(), limit)
}

// OpenRead opens a regular file for reading; a link, device or pipe is refused.
func (d *Dir) OpenRead(name string) (*os.File, error) {
	f, _, err := d.existing(name, os.O_RDONLY)
	return f, err
}
