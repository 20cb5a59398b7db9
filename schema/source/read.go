package source

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

var (
	// ErrOutside reports that a file is not read because it is really elsewhere.
	ErrOutside = errors.New("it leads out of the repository or into .git, so it is not read: replace it with the file itself")
	// ErrIrregular reports that what is there is a folder, a pipe or a device.
	ErrIrregular = errors.New("it is not a regular file")
)

// ReadWithin reads a regular file that, with all links followed, lies in a folder and not in a .git below it. It reads
// up to just beyond MaxSize and opens only regular files. The error is an *fs.PathError, with ErrOutside even if a
// missing file would be outside.
func ReadWithin(folder, name string) ([]byte, error) {
	failed := func(err error) ([]byte, error) {
		return nil, &fs.PathError{Op: "read", Path: name, Err: plain.Cause(err)}
	}
	rel, err := within(folder, name)
	if err != nil {
		return failed(err)
	}
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return failed(err)
	}
	root, err := os.OpenRoot(real)
	if err != nil {
		return failed(err)
	}
	defer root.Close() //nolint:errcheck // only read from
	f, err := Open(root, rel)
	if err != nil {
		return failed(err)
	}
	defer f.Close() //nolint:errcheck // only read from
	text, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	if err != nil {
		return failed(err)
	}
	return text, nil
}

// Open opens a regular file for reading; the error is ErrIrregular if it is something else, which is not opened.
func Open(root *os.Root, name string) (*os.File, error) {
	if info, err := root.Stat(name); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, ErrIrregular
	}
	return OpenListed(root, name)
}

// OpenListed is Open for what the listing of its folder showed as a regular file, and which need not be examined first.
func OpenListed(root *os.Root, name string) (*os.File, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|nonblock, 0) // do not wait if it has become a pipe since
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		_ = f.Close()
		return nil, errors.Join(err, ErrIrregular)
	}
	return f, nil
}

// within returns the path of a file from a folder, links followed.
func within(folder, name string) (string, error) {
	target, err := filepath.EvalSymlinks(name)
	if errors.Is(err, fs.ErrNotExist) {
		if dir, up := filepath.EvalSymlinks(filepath.Dir(name)); up == nil {
			if _, up = relative(folder, dir); up != nil {
				return "", up
			}
		}
	}
	if err != nil {
		if _, known := os.Stat(name); known != nil { // of a loop, EvalSymlinks has no error that can be compared
			err = known
		}
		return "", err
	}
	return relative(folder, target)
}

// relative returns a path without links from a folder; the error is ErrOutside.
func relative(folder, target string) (string, error) {
	folder, err1 := filepath.EvalSymlinks(folder)
	folder, err2 := filepath.Abs(folder)
	target, err3 := filepath.Abs(target)
	if err := errors.Join(err1, err2, err3); err != nil {
		return "", err
	}
	rel, err := filepath.Rel(folder, target)
	if err != nil || !filepath.IsLocal(rel) {
		return "", ErrOutside
	}
	for part := range strings.SplitSeq(filepath.ToSlash(rel), "/") {
		if strings.EqualFold(part, ".git") {
			return "", ErrOutside
		}
	}
	return rel, nil
}
