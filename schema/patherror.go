package schema

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"github.com/amlfix/amlfix/schema/plain"
)

// PathError reports that a path given by the user, or a folder found on the way, cannot be used.
type PathError struct {
	Path string
	Err  error
}

func (e *PathError) Error() string {
	return fmt.Sprintf("%s: %v", shortPath(e.Path), readCause(e.Err))
}

func (e *PathError) Unwrap() error { return e.Err }

// readCause says why a path cannot be read, and what the user can do about it, if anything.
func readCause(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("no such file or folder")
	case errors.Is(err, fs.ErrPermission):
		return errors.New("no permission to read it")
	case errors.Is(err, syscall.ENAMETOOLONG):
		return errors.New("its path is too long for this system, so what is below it was not checked: move the project to a shorter path")
	case errors.Is(err, syscall.ELOOP):
		return errors.New("a link that leads back to itself")
	}
	return plain.Cause(err)
}

// shortPath returns the first 300 bytes of a path that is too long to read.
func shortPath(name string) string {
	const most = 300
	if len(name) <= most {
		return name
	}
	return strings.ToValidUTF8(name[:most], "") + "…"
}

// PathErrors returns the errors of Discover one by one.
func PathErrors(err error) (list []*PathError) {
	several, ok := err.(interface{ Unwrap() []error }) // that of errors.Join
	if !ok {
		return nil
	}
	for _, e := range several.Unwrap() {
		if one, ok := errors.AsType[*PathError](e); ok {
			list = append(list, one)
		}
	}
	return list
}
