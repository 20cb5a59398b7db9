package disk

import (
	"fmt"
	"io/fs"
	"path"

	"github.com/amlfix/amlfix/schema/plain"
)

// File is a file to be created.
type File struct {
	Name string // slash-separated
	Text []byte
}

// MakeAll creates files, which must not exist, and the folders they are in: all or none. All contents are on the disk
// before the first file gets its name. The error is a *fs.PathError with the file's name; it is fs.ErrExist if
// something already exists there.
func (d *Dir) MakeAll(files []File) (err error) {
	var undo []string
	defer func() {
		for i := len(undo) - 1; err != nil && i >= 0; i-- {
			_ = d.Remove(undo[i]) // a folder into which somebody put something stays
		}
	}()
	temps, swept := make([]string, len(files)), map[string]bool{}
	for i, f := range files {
		if _, err := d.Lstat(f.Name); err == nil {
			return made(f.Name, fs.ErrExist)
		}
		if folder := path.Dir(path.Clean(f.Name)); !swept[folder] {
			swept[folder] = true
			d.sweep(f.Name)
		}
		folders, err := d.makeParents(f.Name)
		undo = append(undo, folders...)
		if err == nil {
			temps[i] = path.Join(path.Dir(f.Name), freshName())
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

// makeParents creates the folders above name, and returns those that were missing.
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

// MakeFolder creates a folder with files, and its parents: it appears with all files, or not at all. The folder must be
// missing or empty. Errors are those of MakeAll; if the folder is taken, the error has its name.
func (d *Dir) MakeFolder(name string, files []File) (err error) {
	d.sweep(name)
	parents, err := d.makeParents(name)
	temp := path.Join(path.Dir(name), freshName())
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
