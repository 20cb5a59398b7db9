//go:build linux || darwin

package disk

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// lookNoLinks describes the folder that an absolute path leads to, if no element of the path is a link. The system
// decides that in one step, so that no element can be swapped in between.
func lookNoLinks(real string) (fs.FileInfo, error) {
	fd, err := again(func() (int, error) { return openNoLinks(real) })
	switch {
	case errors.Is(err, unix.ELOOP):
		return nil, &LinkError{real}
	case errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM) || errors.Is(err, unix.EINVAL):
		return lookAtEach(real) // a system, or a sandbox, that lacks the call
	case err != nil:
		return nil, err
	}
	f := os.NewFile(uintptr(fd), real)
	defer f.Close() //nolint:errcheck // only looked at
	return f.Stat()
}
