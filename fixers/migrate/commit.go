package migrate

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/amlfix/amlfix/fixers/transaction"
	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/plain"
)

// ExistsError reports, in a *transaction.PathError, that the folder to write exists and is not empty.
type ExistsError struct{}

func (ExistsError) Error() string {
	return "already exists and was not written by a migration to this format, so nothing is overwritten: choose another folder with --out, or remove this one"
}

// Commit writes the files into their folder, which must be empty or not exist, and the new files of the project. It
// writes all of them or none, except that a process that is killed may leave the latter without the folder. The error
// is a *transaction.PathError.
func (m *Migration) Commit() error {
	out := m.Options.Out
	d, below, err := m.openOut()
	if err != nil {
		return err
	}
	defer d.Close()
	var files []disk.File
	for _, f := range m.Files {
		files = append(files, disk.File{Name: f.Path, Text: f.Text})
	}
	back, err := m.writeBeside()
	if err != nil {
		return err
	}
	if err = d.MakeFolder(below, files); err != nil {
		back()
	}
	switch at := new(fs.PathError); {
	case errors.As(err, &at) && at.Path == below && errors.Is(err, fs.ErrExist):
		return &transaction.PathError{Path: out, Err: ExistsError{}}
	case errors.As(err, &at) && at.Path != below:
		return unwritable(filepath.Join(out, filepath.FromSlash(at.Path)), at.Err)
	case err != nil:
		return unwritable(out, err)
	}
	return nil
}

// unwritable is the error for a file or folder that cannot be written; callers may shorten its path.
func unwritable(name string, err error) error {
	return &transaction.PathError{Path: name, Err: fmt.Errorf("cannot be written: %w", plain.Cause(err))}
}
