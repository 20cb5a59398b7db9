package disk

import (
	"errors"
	"fmt"
	"io/fs"
)

// OpenOwn opens the folder .amlfix of a project, in which amlfix keeps records of
// runs, and makes it, for the user alone, when it is absent and makes is true. A
// link of that name, and a folder that another user owns, are refused: what is in
// it is believed. The error is fs.ErrNotExist when it is absent and not made.
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
	if info, err := own.root.Stat("."); err != nil || !OwnedByUser(info) {
		own.Close()
		return nil, fmt.Errorf("%s: belongs to another user, so what it says is not believed: remove it, or ask its owner to", d.Name(OwnFolder))
	}
	return own, nil
}
