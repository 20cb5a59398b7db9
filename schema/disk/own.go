package disk

import (
	"errors"
	"fmt"
	"io/fs"
)

// OpenOwn opens the folder .amlfix of a project, in which amlfix keeps records of runs. If it is missing and makes is
// true, it is created for the user alone. A link of that name, and a folder that another user owns, are refused,
// because its content is trusted: the error is then a *LinkError, *OtherError or *OwnerError. It is fs.ErrNotExist if
// the folder is missing and not created.
func OpenOwn(project string, makes bool) (*Dir, error) {
	d, err := Open(project)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	d.own = true
	if makes {
		if err := d.Mkdir(OwnFolder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("%s: %w", d.Name(OwnFolder), err)
		}
	}
	own, err := d.Sub(OwnFolder)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.Name(OwnFolder), err)
	}
	if !own.OwnedByUser() {
		own.Close()
		return nil, &OwnerError{d.Name(OwnFolder)}
	}
	return own, nil
}

// OwnedByUser reports whether the folder belongs to the user who runs the program.
func (d *Dir) OwnedByUser() bool {
	info, err := d.root.Stat(".")
	return err == nil && OwnedByUser(info)
}

// RemoveOwn removes the folder .amlfix of a project if it is empty.
func RemoveOwn(project string) error {
	d, err := Open(project)
	if err != nil {
		return err
	}
	defer d.Close()
	d.own = true
	return d.Remove(OwnFolder)
}
