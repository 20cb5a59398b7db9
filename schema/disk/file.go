package disk

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"time"

	"github.com/amlfix/amlfix/schema/plain"
)

// Create creates a file, which must not exist, not even as a link; mode is before umask. The error is fs.ErrExist if
// something has that name.
func (d *Dir) Create(name string, mode fs.FileMode) (*os.File, error) {
	parent, leaf, done, err := d.at(name)
	if err != nil {
		return nil, err
	}
	defer done()
	f, err := parent.OpenFile(leaf, os.O_RDWR|os.O_CREATE|os.O_EXCL|noBlock, mode) // see openItself
	return f, plain.Cause(err)
}

// Edit opens a regular file for reading and writing, and creates it if it is missing. With appends, every write goes to
// its end.
func (d *Dir) Edit(name string, mode fs.FileMode, appends bool) (*os.File, error) {
	flag := os.O_RDWR
	if appends {
		flag |= os.O_APPEND
	}
	for range 3 { // it may appear or vanish in between
		f, _, err := d.existing(name, flag)
		if !errors.Is(err, fs.ErrNotExist) {
			return f, err
		}
		if f, err = d.Create(name, mode); !errors.Is(err, fs.ErrExist) {
			if err != nil || !appends {
				return f, err
			}
			_ = f.Close()
		}
	}
	return nil, fmt.Errorf("%s: keeps appearing and disappearing", path.Base(name))
}

// existing opens a regular file, and describes it. Its identity, checked after opening, shows that it is the entry
// itself and not a link; a pipe is never opened.
func (d *Dir) existing(name string, flag int) (*os.File, fs.FileInfo, error) {
	parent, leaf, done, err := d.at(name)
	if err != nil {
		return nil, nil, err
	}
	defer done()
	return openRegular(parent, leaf, flag)
}

// replacements is how often a file may be replaced while it is being opened.
const replacements = 100

func openRegular(parent *os.Root, leaf string, flag int) (*os.File, fs.FileInfo, error) {
	for range replacements {
		info, err := parent.Lstat(leaf)
		if err != nil {
			return nil, nil, plain.Cause(err)
		}
		if err := regular(leaf, info); err != nil {
			return nil, nil, err
		}
		f, err := parent.OpenFile(leaf, flag|noBlock, 0)
		if err != nil {
			return nil, nil, plain.Cause(err)
		}
		if opened, err := f.Stat(); err == nil && os.SameFile(info, opened) {
			return f, opened, nil
		}
		_ = f.Close() // replaced in between, by a file or by a link
	}
	return nil, nil, &LinkError{leaf}
}

func regular(name string, info fs.FileInfo) error {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return &LinkError{name}
	case !info.Mode().IsRegular():
		return &OtherError{name, "is not a regular file"}
	}
	return nil
}

// WriteNew creates a file, which must not exist, and syncs its content to the disk.
func (d *Dir) WriteNew(name string, text []byte, mode fs.FileMode) error {
	f, err := d.Create(name, mode)
	if err != nil {
		return err
	}
	return d.fill(f, name, text, (*os.File).Sync)
}

// WriteSoon is WriteNew without waiting for the disk: other processes see the content, but a power failure may lose it.
func (d *Dir) WriteSoon(name string, text []byte, mode fs.FileMode) error {
	f, err := d.Create(name, mode)
	if err != nil {
		return err
	}
	return d.fill(f, name, text, func(*os.File) error { return nil })
}

// fill writes a file that was just created, and then does the rest; if either fails, the file is removed.
func (d *Dir) fill(f *os.File, name string, text []byte, rest func(*os.File) error) error {
	_, err := f.Write(text)
	if err == nil {
		err = rest(f)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		_ = d.Remove(name) // the first error is the one to report
	}
	return plain.Cause(err)
}

// Replace gives one of amlfix's own files new content: at every moment it holds either the old text or the new one,
// even after a power failure; only after Sync is it certain to be the new one. For files that others edit, see Slot.
func (d *Dir) Replace(name string, text []byte, mode fs.FileMode) error {
	return d.replace(name, text, mode, (*os.File).Sync)
}

// ReplaceSoon is Replace without waiting for the disk: a power failure may lose both texts.
func (d *Dir) ReplaceSoon(name string, text []byte, mode fs.FileMode) error {
	return d.replace(name, text, mode, func(*os.File) error { return nil })
}

func (d *Dir) replace(name string, text []byte, mode fs.FileMode, written func(*os.File) error) error {
	temp := path.Join(path.Dir(name), TempName())
	f, err := d.Create(temp, mode)
	if err != nil {
		return err
	}
	if err := d.fill(f, temp, text, written); err != nil {
		return err
	}
	err = d.in(name, func(parent *os.Root, leaf string) error {
		if info, err := parent.Lstat(leaf); err == nil {
			if err := regular(leaf, info); err != nil {
				return err
			}
		}
		return parent.Rename(path.Base(temp), leaf)
	})
	if err != nil {
		_ = d.Remove(temp)
	}
	return err
}

// TempName returns an unpredictable file name.
func TempName() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // it never fails
	return ".amlfix-" + hex.EncodeToString(b[:]) + ".tmp"
}

// Mkdir creates one folder, which must not exist.
func (d *Dir) Mkdir(name string, mode fs.FileMode) error {
	return d.in(name, func(parent *os.Root, leaf string) error { return parent.Mkdir(leaf, mode) })
}

// Remove removes a file, a link (not what it leads to) or an empty folder. The error is fs.ErrNotExist if nothing is
// there, even on a file system that is read-only, which looks later.
func (d *Dir) Remove(name string) error {
	return d.in(name, func(parent *os.Root, leaf string) error {
		err := parent.Remove(leaf)
		if err != nil {
			if _, gone := parent.Lstat(leaf); errors.Is(gone, fs.ErrNotExist) {
				return gone
			}
		}
		return err
	})
}

// Rename moves an entry to another name in the same folder, replacing a file.
func (d *Dir) Rename(from, to string) error {
	return d.move(from, to, (*os.Root).Rename)
}

// MoveNew gives an entry another name in the same folder, which must be free: the error is fs.ErrExist if it is not.
func (d *Dir) MoveNew(from, to string) error { return d.move(from, to, moveNew) }

// move renames an entry of one folder by the given function.
func (d *Dir) move(from, to string, by func(parent *os.Root, from, to string) error) error {
	if path.Dir(path.Clean(from)) != path.Dir(path.Clean(to)) {
		return fmt.Errorf("%s and %s are not in one folder", from, to)
	}
	return d.in(from, func(parent *os.Root, leaf string) error {
		to := baseName(to)
		if !d.own && reserved(parent, to) {
			return &ReservedError{to}
		}
		return by(parent, leaf, to)
	})
}

// Symlink creates a symbolic link, which must not exist. The caller is responsible for its target.
func (d *Dir) Symlink(target, name string) error {
	return d.in(name, func(parent *os.Root, leaf string) error { return parent.Symlink(target, leaf) })
}

// Readlink returns the target of a link.
func (d *Dir) Readlink(name string) (string, error) {
	var target string
	err := d.in(name, func(parent *os.Root, leaf string) (err error) {
		target, err = parent.Readlink(leaf)
		return err
	})
	return target, err
}

// SetTime sets a file's modification time.
func (d *Dir) SetTime(name string, t time.Time) error {
	return d.in(name, func(parent *os.Root, leaf string) error { return parent.Chtimes(leaf, t, t) })
}

// Sync syncs the entries of a folder to the disk, if the system can.
func (d *Dir) Sync() { syncFolder(d.root) }

func syncFolder(root *os.Root) {
	if f, err := openItself(root); err == nil {
		_ = f.Sync() // not every file system can; the content itself is safe
		_ = f.Close()
	}
}
