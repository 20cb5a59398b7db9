package plain

import (
	"errors"
	"io/fs"
	"os"
)

// Cause removes the operation and the path, which callers name better, from an error of the os package, and describes a
// lack of permission in plain words. errors.Is still finds the original error.
func Cause(err error) error {
	var link *os.LinkError
	var at *fs.PathError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrPermission):
		return errPermission{}
	case errors.As(err, &at):
		return at.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// errPermission is fs.ErrPermission in plain words.
type errPermission struct{}

func (errPermission) Error() string        { return "no permission there" }
func (errPermission) Is(target error) bool { return target == fs.ErrPermission }
