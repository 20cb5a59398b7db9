// Package write replaces files so that each is whole at any instant: old or new.
package write

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/amlfix/amlfix/schema/source"
)

// TempPattern is how temporary files are named. One can only be left behind
// when the process is killed; it may then be deleted.
const TempPattern = ".amlfix-*.tmp"

// ErrChanged tells that a file is not any more what was read.
var ErrChanged = errors.New("the file has changed on disk since it was read; run the command again")

// File replaces the content of the file at path, which must still be old, by
// new. A nil old means that the file must not exist. The new content is written
// beside the file and renamed over it, with the same mode and, where that is
// allowed, the same owner. A symbolic link is followed when it stays inside root
// ("" for anywhere) and is kept. On an error nothing has changed and nothing is
// left behind. Not guaranteed: that another process does not change the file in
// the very moment of the rename; hard links to the file keep the old content;
// access control lists and extended attributes are not copied.
func File(path, root string, old, new []byte) error {
	if err := file(path, root, old, new); err != nil {
		return fmt.Errorf("%s: nothing was written: %w", path, err)
	}
	return nil
}

func file(path, root string, old, new []byte) error {
	if old == nil {
		return create(path, root, new)
	}
	target, err := resolve(path, root)
	if err != nil {
		return err
	}
	info, err := os.Stat(target)
	if err != nil {
		return plain(err)
	}
	switch {
	case !info.Mode().IsRegular():
		return errors.New("it is not a regular file")
	case info.Mode().Perm()&0o200 == 0:
		return errors.New("the file is read-only; make it writable and run the command again")
	}
	if err := unchanged(target, old); err != nil {
		return err
	}
	temp, err := prepare(target, new, info)
	if err != nil {
		return err
	}
	// Preparing took a while; look again, so that the moment for surprises is short.
	if err = unchanged(target, old); err == nil {
		err = plain(os.Rename(temp, target)) //nolint:forbidigo // this is the atomic writer; both are in one folder
	}
	if err != nil {
		return errors.Join(err, remove(temp))
	}
	syncFolder(filepath.Dir(target))
	return nil
}

// create writes a file that must not exist.
func create(path, root string, new []byte) error {
	dir, err := resolve(filepath.Dir(path), root)
	if err != nil {
		return err
	}
	target := filepath.Join(dir, filepath.Base(path))
	temp, err := prepare(target, new, nil)
	if err != nil {
		return err
	}
	// A link, unlike a rename, never replaces what another process put there.
	err = os.Link(temp, target)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		// Not every file system knows links.
		if _, statErr := os.Lstat(target); errors.Is(statErr, fs.ErrNotExist) {
			err = os.Rename(temp, target) //nolint:forbidigo // this is the atomic writer; both are in one folder
		}
	}
	if errors.Is(err, fs.ErrExist) {
		err = errors.New("the file exists by now; run the command again")
	}
	if err := errors.Join(plain(err), remove(temp)); err != nil {
		return err
	}
	syncFolder(dir)
	return nil
}

// resolve follows symbolic links, and refuses those that lead out of root. A path
// that is outside already, without a link, is its caller's choice.
func resolve(path, root string) (string, error) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", plain(err)
	}
	if root == "" {
		return target, nil
	}
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		return "", plain(err)
	}
	if inside(real, target) {
		return target, nil
	}
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink == 0 && !inside(root, path) {
		return target, nil
	}
	return "", fmt.Errorf("it is a link to %s, outside the project %s; change that file itself if you mean to", target, root)
}

// inside reports whether path, read as it is written, is root or below it.
func inside(root, path string) bool {
	root, rootErr := filepath.Abs(root)
	path, pathErr := filepath.Abs(path)
	rel, err := filepath.Rel(root, path)
	return rootErr == nil && pathErr == nil && err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// unchanged compares a file with what was read from it.
func unchanged(path string, old []byte) error {
	f, err := os.Open(path)
	if err != nil {
		return plain(err)
	}
	defer f.Close() //nolint:errcheck // only read from
	now, err := io.ReadAll(io.LimitReader(f, source.MaxSize+1))
	if err != nil {
		return plain(err)
	}
	if !bytes.Equal(now, old) {
		return ErrChanged
	}
	return nil
}

// prepare writes text to a new file beside target, with the mode and owner of
// info, and returns its name. On an error the file is removed.
func prepare(target string, text []byte, info fs.FileInfo) (name string, err error) {
	f, err := os.CreateTemp(filepath.Dir(target), TempPattern)
	if err != nil {
		return "", fmt.Errorf("no file can be created in its folder: %w", plain(err))
	}
	name = f.Name()
	defer func() {
		if err != nil {
			err = errors.Join(plain(err), remove(name))
		}
	}()
	mode := fs.FileMode(0o644)
	if info != nil {
		mode = info.Mode()
	}
	_, err = f.Write(text)
	if err == nil && info != nil {
		keepOwner(name, info)
	}
	if err == nil {
		err = f.Chmod(mode) // after the owner, because changing that can take mode bits away
	}
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return name, err
}

// remove deletes a temporary file that may be gone already.
func remove(name string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("a temporary file was left behind, delete it: %w", err)
	}
	return nil
}

// plain takes the path, which callers name, out of an error.
func plain(err error) error {
	var link *os.LinkError
	var path *fs.PathError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("no permission to write there: %w", fs.ErrPermission)
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}
