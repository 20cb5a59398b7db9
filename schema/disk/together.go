package disk

import (
	"fmt"
	"io/fs"
	"path"

	"github.com/amlfix/amlfix/schema/plain"
)

// File is a file to be made.
type File struct {
	Name string // slash-separated
	Text []byte
}

// MakeAll makes files that must not be there, and the folders they are in: all, or
// none. All contents are on the disk before the first file gets its name. The
// error is a *fs.PathError with the file's name; it is fs.ErrExist when something
// is there already.
func (d *Dir) MakeAll(files []File) (err error) {
	var undo []string
	defer func() {
		for i := len(undo) - 1; err != nil && i >= 0; i-- {
			_ = d.Remove(undo[i]) // a folder that somebody put something into stays
		}
	}()
	temps := make([]string, len(files))
	for i, f := range files {
		if _, err := d.Lstat(f.Name); err == nil {
			return made(f.Name, fs.ErrExist)
		}
		folders, err := d.makeParents(f.Name)
		undo = append(undo, folders...)
		if err == nil {
			temps[i] = path.Join(path.Dir(f.Name), TempName())
			err = d.WriteNew(temps[i], f.Text, 0o666)
		}
		if err != nil {
			return made(f.Name, err)
		}
		undo = append(undo, temps[i])
	}
	for i, f := range files {
		if err := d.MoveNew(temps[i], f.Name); err != nil {
			return made(f.Name, err)
		}
		undo = append(undo, f.Name)
	}
	return nil
}

func made(name string, err error) error {
	return &fs.PathError{Op: "make", Path: name, Err: plain.Cause(err)}
}

// makeParents makes the folders above name, and returns those that were absent.
func (d *Dir) makeParents(name string) (list []string, err error) {
	parent := path.Dir(path.Clean(name))
	if parent == "." || d.Exists(parent) {
		return nil, nil
	}
	if list, err = d.makeParents(parent); err != nil {
		return list, err
	}
	if err := d.Mkdir(parent, 0o777); err != nil {
		return list, fmt.Errorf("%s: %w", parent, err)
	}
	return append(list, parent), nil
}

// MakeFolder makes a folder that must be absent or empty, and those above it, with
// files in it: it appears with all of them, or not at all. Errors are those of
// MakeAll; the one that tells that the folder is taken has its name.
func (d *Dir) MakeFolder(name string, files []File) (err error) {
	parents, err := d.makeParents(name)
	temp := path.Join(path.Dir(name), TempName())
	defer func() {
		if err == nil {
			return
		}
		_ = d.RemoveAll(temp)
		for i := len(parents) - 1; i >= 0; i-- {
			_ = d.Remove(parents[i])
		}
	}()
	if err == nil {
		err = d.Mkdir(temp, 0o777)
	}
	if err != nil {
		return made(name, err)
	}
	sub, err := d.Sub(temp)
	if err != nil {
		return made(name, err)
	}
	err = sub.MakeAll(files)
	sub.Close()
	if err != nil {
		return err
	}
	if info, err := d.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return made(name, &LinkError{name})
	} else if err == nil && (!info.IsDir() || d.Remove(name) != nil) { // an empty folder is no loss
		return made(name, fs.ErrExist)
	}
	if err := d.MoveNew(temp, name); err != nil {
		return made(name, err)
	}
	return nil
}
