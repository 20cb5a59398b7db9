package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/amlfix/amlfix/schema/plain"
)

// MakeShared creates a folder that jobs write to, and its missing parents, with mode before umask; it is not an error
// if it exists. Links to existing folders are followed once; nothing is created below .git or .amlfix.
func MakeShared(name string, mode fs.FileMode) error {
	there, err := filepath.Abs(name)
	if err != nil {
		return err
	}
	rest := "."
	for ; ; there = filepath.Dir(there) {
		info, err := os.Stat(there)
		switch {
		case err == nil && info.IsDir() && rest == ".":
			return nil
		case err == nil && !info.IsDir():
			return &OtherError{there, "is not a folder"}
		case err == nil:
			return makeBelow(there, rest, mode)
		case !errors.Is(err, fs.ErrNotExist) || filepath.Dir(there) == there:
			return plain.Cause(err)
		}
		rest = filepath.Join(filepath.Base(there), rest)
	}
}

func makeBelow(there, rest string, mode fs.FileMode) error {
	d, err := Open(there)
	if err != nil {
		return err
	}
	defer d.Close()
	made, err := d.MakeSub(filepath.ToSlash(rest), mode)
	if err == nil {
		made.Close()
	}
	return err
}
