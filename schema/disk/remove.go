package disk

import (
	"errors"
	"io/fs"
	"os"
)

// RemoveAll removes what is at name with everything below it. Links are removed, never followed; folders that their
// owner may not enter are made accessible first. It is not an error if nothing is there.
func (d *Dir) RemoveAll(name string) error {
	err := d.in(name, func(parent *os.Root, leaf string) error {
		err := parent.RemoveAll(leaf)
		if err != nil { // a job may leave folders without permissions
			if info, lerr := parent.Lstat(leaf); lerr == nil && info.IsDir() {
				unlock(parent, leaf)
				err = parent.RemoveAll(leaf)
			}
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// removeContent removes everything in the folder.
func (d *Dir) removeContent() error {
	list, err := d.ReadDir(".")
	if err != nil {
		return err
	}
	var errs []error
	for _, e := range list {
		errs = append(errs, d.RemoveAll(e.Name()))
	}
	return errors.Join(errs...)
}

// unlock lets the owner enter a folder and all below it.
func unlock(parent *os.Root, leaf string) {
	_ = parent.Chmod(leaf, 0o700)
	sub, err := parent.OpenRoot(leaf)
	if err != nil {
		return
	}
	defer sub.Close() //nolint:errcheck // only looked into
	list, _ := fs.ReadDir(sub.FS(), ".")
	for _, e := range list {
		if e.IsDir() {
			unlock(sub, e.Name())
		}
	}
}
