package attach

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ExistsError tells that a file to be made is there already.
type ExistsError struct{ Path string }

func (e *ExistsError) Error() string {
	return e.Path + ": exists already and is left as it is: choose another name, or remove the file first"
}

// Create makes the files below root, and the folder they stand in. Nothing that
// exists is overwritten, not even when it appears at this very moment: then, or
// when writing fails, the files made so far are removed again. The error is an
// *ExistsError or names the path that could not be written.
func Create(root string, files []File) (err error) {
	for _, f := range files {
		name := filepath.Join(root, filepath.FromSlash(f.Path))
		if _, err := os.Lstat(name); err == nil {
			return &ExistsError{Path: f.Path}
		}
	}
	var made []string
	defer func() {
		if err != nil {
			for _, name := range made {
				err = errors.Join(err, os.Remove(name))
			}
		}
	}()
	for _, f := range files {
		name := filepath.Join(root, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return fmt.Errorf("%s: the folder cannot be made: %w", filepath.ToSlash(filepath.Dir(f.Path)), cause(err))
		}
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			return &ExistsError{Path: f.Path}
		}
		if err != nil {
			return fmt.Errorf("%s: the file cannot be made: %w", f.Path, cause(err))
		}
		made = append(made, name)
		_, err = file.WriteString(f.Text)
		if err = errors.Join(err, file.Close()); err != nil {
			return fmt.Errorf("%s: the file cannot be written: %w", f.Path, cause(err))
		}
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

// Missing returns those of the environment files that are not there.
func Missing(root string) (paths []string) {
	for _, p := range EnvironmentFiles() {
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(p))); err != nil {
			paths = append(paths, p)
		}
	}
	return paths
}
