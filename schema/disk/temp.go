package disk

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/amlfix/amlfix/schema/plain"
)

// TempNamed creates a folder with a given name, for the user alone, in the system's folder for temporary files, where
// other processes of the user can find it by name. The error is fs.ErrExist if something has that name. Remove it with
// Destroy.
func TempNamed(name string) (*Dir, error) {
	full := filepath.Join(os.TempDir(), filepath.Base(name))
	if err := os.Mkdir(full, 0o700); err != nil {
		return nil, plain.Cause(err)
	}
	return OpenTemp(full)
}

// OpenTemp opens a folder from Temp or TempNamed, of this process or another. It is refused if it is a link
// (*LinkError), not a folder (*OtherError) or another user's (*OwnerError).
func OpenTemp(name string) (*Dir, error) {
	info, err := os.Lstat(name)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, plain.Cause(err))
	case info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0: // Windows has links of both kinds
		return nil, &LinkError{name}
	case !info.IsDir():
		return nil, &OtherError{name, "is not a folder"}
	}
	real, err := Real(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, plain.Cause(err))
	}
	d, err := openRoot(real, true)
	if err != nil {
		return nil, err
	}
	opened, err := d.root.Stat(".")
	switch {
	case err != nil || !os.SameFile(info, opened):
		err = &LinkError{name}
	case !OwnedByUser(opened):
		err = &OwnerError{name}
	default:
		return d, nil
	}
	d.Close()
	return nil, err
}

// OwnerError reports that a folder that only amlfix writes to is another user's.
type OwnerError struct{ Path string }

func (e *OwnerError) Error() string {
	return e.Path + ": belongs to another user, so it is not trusted: remove it, or ask its owner to"
}
