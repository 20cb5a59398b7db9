package disk

import (
	"errors"
	"io/fs"
	"os"
	"path"
)

// moveFree renames a file to a name that must be free, where the system has no call for it: a hard link fails if the
// name is taken. On a file system without hard links, the name may be taken between the check and the rename.
func moveFree(parent *os.Root, from, to string) error {
	err := parent.Link(from, to)
	if err == nil {
		return parent.Remove(from)
	}
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, lerr := parent.Lstat(to); !errors.Is(lerr, fs.ErrNotExist) {
		return fs.ErrExist
	}
	return parent.Rename(from, to)
}

func baseName(name string) string { return path.Base(path.Clean(name)) }
