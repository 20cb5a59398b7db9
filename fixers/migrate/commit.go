package migrate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ExistsError tells that the folder to be written is in use.
type ExistsError struct{ Path string }

func (e *ExistsError) Error() string {
	return e.Path + ": is there already, and nothing is overwritten: remove it, or name another folder with --out"
}

// Commit writes the files into their folder, which must not exist or be empty:
// all of them, or none. The error is an *ExistsError or tells what could not be
// written.
func (m *Migration) Commit() (err error) {
	out := m.Options.Out
	switch entries, err := os.ReadDir(out); {
	case err == nil && len(entries) > 0:
		return &ExistsError{out}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return &ExistsError{out}
	}
	parent := filepath.Dir(filepath.Clean(out))
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return fmt.Errorf("%s: the folder cannot be made: %w", parent, cause(err))
	}
	made, err := os.MkdirTemp(parent, ".amlfix-migrate-*")
	if err != nil {
		return fmt.Errorf("%s: no folder can be made in it: %w", parent, cause(err))
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(made))
		}
	}()
	for _, f := range m.Files {
		name := filepath.Join(made, filepath.FromSlash(f.Path))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, f.Text, 0o666)); err != nil {
			return fmt.Errorf("%s: the file cannot be written: %w", filepath.Join(out, f.Path), cause(err))
		}
	}
	if err := os.Chmod(made, 0o755); err != nil { // MkdirTemp makes it private
		return fmt.Errorf("%s: %w", out, cause(err))
	}
	_ = os.Remove(out)                           // an empty folder stands in the way on some systems
	if err := os.Rename(made, out); err != nil { //nolint:forbidigo // both are entries of one folder
		return fmt.Errorf("%s: the folder cannot be put in its place: %w", out, cause(err))
	}
	return nil
}

// cause drops the operation and the path, which the message says better.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
