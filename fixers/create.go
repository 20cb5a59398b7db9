package fixers

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/amlfix/amlfix/schema/disk"
)

// ExistsError reports that a file to be created already exists.
type ExistsError struct{ Path string } // slash-separated, below the root

func (e *ExistsError) Error() string {
	return e.Path + ": already exists and is not changed: choose another name, or remove the file first"
}

// Create creates files below root, and the folders they are in: all or none. Nothing that exists is overwritten, even
// if it appears at this very moment, and nothing is written through a link. The error is an *ExistsError or names the
// path that could not be written. Creating a file is not a repair: undo does not remove it.
func Create(root string, files []disk.File) error {
	d, err := disk.Open(root)
	if err != nil {
		return err
	}
	defer d.Close()
	err = d.MakeAll(files)
	switch at := new(fs.PathError); {
	case errors.As(err, &at) && errors.Is(err, fs.ErrExist):
		return &ExistsError{Path: at.Path}
	case errors.As(err, &at):
		return fmt.Errorf("%s: cannot be written: %w", at.Path, at.Err)
	}
	return err
}
