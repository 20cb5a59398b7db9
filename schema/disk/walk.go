package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
	names "github.com/amlfix/amlfix/schema/reserved"
)

// The folders in which no file of a project may be written: git runs what is in its folder, and amlfix trusts what is
// in its own.
const (
	gitFolder = ".git"
	// OwnFolder is the folder, in a project's root, that belongs to amlfix.
	OwnFolder = ".amlfix"
)

// LinkError reports a link in the path. amlfix never writes through links.
type LinkError struct{ Path string }

func (e *LinkError) Error() string {
	return e.Path + " is a link, and amlfix does not write through links: write to the place it leads to instead"
}

// OtherError reports that something other than the expected file or folder is there.
type OtherError struct{ Path, What string }

func (e *OtherError) Error() string { return e.Path + ": " + e.What }

// IsReplaced reports whether an error says that a file or a folder has been replaced by a link, or by the other.
func IsReplaced(err error) bool {
	link, other := new(LinkError), new(OtherError)
	return errors.As(err, &link) || errors.As(err, &other)
}

// ReservedError reports that a place belongs to git, or to amlfix itself.
type ReservedError struct{ Path string }

func (e *ReservedError) Error() string {
	return e.Path + " belongs to git or amlfix itself, so no project file is written there"
}

// Sub opens a folder below this one. No element of name may be a link.
func (d *Dir) Sub(name string) (*Dir, error) { return d.sub(name, nil) }

// MakeSub is Sub, but creates missing folders, with mode before umask.
func (d *Dir) MakeSub(name string, mode fs.FileMode) (*Dir, error) { return d.sub(name, &mode) }

func (d *Dir) sub(name string, mode *fs.FileMode) (*Dir, error) {
	clean, err := local(name)
	if err != nil {
		return nil, err
	}
	root, _, err := d.walk(clean, mode) // the caller now owns the opened folder
	if err != nil {
		return nil, err
	}
	if root == d.root { // name is "."
		if root, err = d.root.OpenRoot("."); err != nil {
			return nil, plain.Cause(err)
		}
	}
	return &Dir{root: root, path: d.Name(clean), own: d.own}, nil
}

// at returns the opened folder that holds name, and name's last element. done closes the folder.
func (d *Dir) at(name string) (parent *os.Root, leaf string, done func(), err error) {
	clean, err := local(name)
	if err != nil {
		return nil, "", nil, err
	}
	if parent, done, err = d.walk(path.Dir(clean), nil); err != nil {
		return nil, "", nil, err
	}
	leaf = path.Base(clean)
	if !d.own && leaf != "." && reserved(parent, leaf) {
		done()
		return nil, "", nil, &ReservedError{clean}
	}
	return parent, leaf, done, nil
}

// in does something to the entry name of the opened folder that holds it.
func (d *Dir) in(name string, do func(parent *os.Root, leaf string) error) error {
	parent, leaf, done, err := d.at(name)
	if err != nil {
		return err
	}
	defer done()
	return plain.Cause(do(parent, leaf))
}

// walk opens the folder at a clean name, one element after the other. With mode, it creates those that are missing.
func (d *Dir) walk(clean string, mode *fs.FileMode) (*os.Root, func(), error) {
	at, done := d.root, func() {}
	if clean == "." {
		return at, done, nil
	}
	so := ""
	for element := range strings.SplitSeq(clean, "/") {
		so = path.Join(so, element)
		next, err := d.step(at, element, so, mode)
		done()
		if err != nil {
			return nil, nil, err
		}
		at, done = next, func() { _ = next.Close() }
	}
	return at, done, nil
}

// step opens one folder in another. Its identity, checked after opening, shows that it is the entry itself and not the
// target of a link.
func (d *Dir) step(at *os.Root, element, so string, mode *fs.FileMode) (*os.Root, error) {
	if !d.own && reserved(at, element) {
		return nil, &ReservedError{so}
	}
	info, err := at.Lstat(element)
	if errors.Is(err, fs.ErrNotExist) && mode != nil {
		if err = at.Mkdir(element, *mode); err == nil || errors.Is(err, fs.ErrExist) {
			info, err = at.Lstat(element)
		}
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", so, plain.Cause(err))
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, &LinkError{so}
	case !info.IsDir():
		return nil, &OtherError{so, "is not a folder"}
	}
	next, err := at.OpenRoot(element)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", so, plain.Cause(err))
	}
	if opened, err := next.Stat("."); err != nil || !os.SameFile(info, opened) {
		_ = next.Close()
		return nil, &LinkError{so}
	}
	return next, nil
}

// local returns name cleaned, if it certainly stays below the folder.
func local(name string) (string, error) {
	clean := path.Clean(name)
	if name == "" || strings.ContainsRune(name, 0) || !filepath.IsLocal(filepath.FromSlash(clean)) ||
		runtime.GOOS == "windows" && strings.ContainsAny(name, `:\`) {
		return "", fmt.Errorf("%q is not a path below the folder", name)
	}
	return clean, nil
}

// reserved reports whether an entry is git's or amlfix's own folder, or would be. On a file system that folds case or
// has short names, folders are compared by identity.
func reserved(at *os.Root, element string) bool {
	if names.Is(element) {
		return true
	}
	if plainName(element) { // the common case needs no access to the disk
		return false
	}
	info, err := at.Lstat(element)
	if err != nil {
		return false
	}
	for _, name := range []string{gitFolder, OwnFolder} {
		if other, err := at.Lstat(name); err == nil && os.SameFile(info, other) {
			return true
		}
	}
	return false
}

// plainName reports whether a name is certainly not another name of a hidden folder.
func plainName(element string) bool {
	return !strings.ContainsFunc(element, func(r rune) bool { return r == '~' || r > 0x7e })
}

// reservedElement returns the last element of an absolute path that is git's or amlfix's own folder, or "". Its links
// must already be followed.
func reservedElement(real string) string {
	for at := real; filepath.Dir(at) != at; at = filepath.Dir(at) {
		name := filepath.Base(at)
		if names.Is(name) {
			return at
		}
		if plainName(name) {
			continue
		}
		info, err := os.Lstat(at)
		for _, own := range []string{gitFolder, OwnFolder} {
			if other, err2 := os.Lstat(filepath.Join(filepath.Dir(at), own)); err == nil && err2 == nil && os.SameFile(info, other) {
				return at
			}
		}
	}
	return ""
}
