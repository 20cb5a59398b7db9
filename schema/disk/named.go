package disk

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/amlfix/amlfix/schema/plain"
)

// CreateNamed opens a file that the user named, such as one for a report, for writing: it is created if missing, and
// otherwise emptied. trees are as in OpenAbove: in them, no link, pipe or device is written to. Elsewhere, a device or
// pipe such as /dev/stdout is what the user asked for.
func CreateNamed(name string, trees ...string) (*os.File, error) {
	abs, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	if top := treeOf(abs, trees); top == "" {
		abs = resolve(abs)
		if info, err := os.Stat(abs); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
			f, err := os.OpenFile(abs, os.O_WRONLY, 0)
			return f, plain.Cause(err)
		}
	}
	d, below, err := OpenAbove(abs, trees...)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	f, err := d.Edit(below, 0o666, false)
	if err != nil {
		return nil, err
	}
	if err := f.Truncate(0); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("cannot be emptied: %w", plain.Cause(err))
	}
	return f, nil
}

// CloseNamed closes a file from CreateNamed. If written, the error so far, or closing it reports a failure, a regular
// file is removed: half a report is worse than none. The error is the first one.
func CloseNamed(f *os.File, written error, name string, trees ...string) error {
	info, _ := f.Stat()
	closed := f.Close()
	err := cmp.Or(written, closed)
	if err == nil || info == nil || !info.Mode().IsRegular() {
		return err
	}
	abs, lost := filepath.Abs(name)
	if lost == nil && treeOf(abs, trees) == "" {
		abs = resolve(abs)
	}
	if d, below, lost := OpenAbove(abs, trees...); lost == nil {
		defer d.Close()
		if there, lost := d.Lstat(below); lost == nil && os.SameFile(info, there) {
			_ = d.Remove(below)
		}
	}
	return err
}

// OpenAbove opens a folder above a path that the user named for writing; below is what is left of the path,
// slash-separated. trees are the folders with content that somebody else wrote: for a path in one of them, that folder
// is opened, and the rest of the path must not contain a link. Elsewhere, the nearest existing folder is opened, and
// links are followed once.
func OpenAbove(name string, trees ...string) (d *Dir, below string, err error) {
	abs, err := filepath.Abs(name)
	if err != nil {
		return nil, "", err
	}
	there := treeOf(abs, trees)
	for at := abs; there == ""; {
		at = filepath.Dir(at)
		if _, err := os.Lstat(at); !errors.Is(err, fs.ErrNotExist) || filepath.Dir(at) == at {
			there = at
		}
	}
	if below, err = filepath.Rel(there, abs); err != nil {
		return nil, "", err
	}
	d, err = Open(there)
	return d, filepath.ToSlash(below), err
}

// treeOf returns the nearest folder above an absolute path that is one of the trees, or else the first that a link
// leads to one; "" if there is none. The root of the file system is not a tree: nobody else wrote /dev.
func treeOf(abs string, trees []string) (top string) {
	for at := filepath.Dir(abs); filepath.Dir(at) != at; at = filepath.Dir(at) {
		if isOneOf(at, trees) {
			return at
		}
		if real, err := Real(at); err == nil && isBelow(real, trees) {
			top = at
		}
	}
	return top
}

func isBelow(real string, trees []string) bool {
	for ; filepath.Dir(real) != real; real = filepath.Dir(real) {
		if isOneOf(real, trees) {
			return true
		}
	}
	return false
}

// isOneOf reports whether a folder is one of others, under any name.
func isOneOf(dir string, others []string) bool {
	info, err := os.Stat(dir)
	for _, other := range others {
		if o, err2 := os.Stat(other); err == nil && err2 == nil && os.SameFile(info, o) {
			return true
		}
	}
	return false
}

// resolve follows the links of a path, or of its folder if there is no file. A system link without a path, such as that
// of a pipe, is kept.
func resolve(abs string) string {
	if real, err := Real(abs); err == nil {
		return real
	}
	if _, err := os.Stat(abs); err == nil {
		return abs
	}
	if real, err := Real(filepath.Dir(abs)); err == nil {
		return filepath.Join(real, filepath.Base(abs))
	}
	return abs
}
