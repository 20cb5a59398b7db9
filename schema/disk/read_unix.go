//go:build unix

package disk

import (
	"errors"
	"os"
	"syscall"
)

// ReadUpTo returns the beginning of a regular file, limit bytes at most, and its size. Anything else is ErrIrregular;
// other errors are *os.PathError. It calls the system directly: an os.File would double the cost, which matters for
// thousands of files.
func ReadUpTo(name string, limit int) (text []byte, size int64, err error) {
	var info syscall.Stat_t
	// It is examined before it is opened: opening a device may have an effect.
	if _, err := again(func() (int, error) { return 0, syscall.Stat(name, &info) }); err != nil {
		return nil, 0, &os.PathError{Op: "stat", Path: name, Err: err}
	}
	if info.Mode&syscall.S_IFMT != syscall.S_IFREG {
		return nil, 0, &os.PathError{Op: "read", Path: name, Err: ErrIrregular}
	}
	fd, err := openToRead(name, 0)
	if err != nil {
		return nil, 0, &os.PathError{Op: "open", Path: name, Err: err}
	}
	return readFrom(fd, name, info.Size, limit)
}

// ReadListed is ReadUpTo for what the listing of its folder showed as a regular file, and which need not be examined
// first. If it has become something else since, it is refused.
func ReadListed(name string, limit int) (text []byte, size int64, err error) {
	var info syscall.Stat_t
	fd, err := openToRead(name, syscall.O_NOFOLLOW)
	if err != nil {
		return ReadUpTo(name, limit) // which says why, or follows the link
	}
	if err := syscall.Fstat(fd, &info); err != nil || info.Mode&syscall.S_IFMT != syscall.S_IFREG {
		_ = syscall.Close(fd)
		return ReadUpTo(name, limit)
	}
	return readFrom(fd, name, info.Size, limit)
}

// openToRead opens a file, without waiting if it has become a pipe since.
func openToRead(name string, flags int) (fd int, err error) {
	return again(func() (int, error) {
		return syscall.Open(name, syscall.O_RDONLY|syscall.O_CLOEXEC|syscall.O_NONBLOCK|flags, 0)
	})
}

// readFrom reads a file of a size, and closes it.
func readFrom(fd int, name string, size int64, limit int) (text []byte, _ int64, err error) {
	defer syscall.Close(fd) //nolint:errcheck // only read from
	text, err = readSized(func(room []byte) (int, error) {
		n, err := again(func() (int, error) { return syscall.Read(fd, room) })
		return max(n, 0), err // it is -1 with an error, as on a damaged disk
	}, size, limit)
	if err != nil {
		return nil, 0, &os.PathError{Op: "read", Path: name, Err: err}
	}
	return text, size, nil
}

// again repeats a call that a signal interrupts.
func again(call func() (int, error)) (int, error) {
	for {
		if n, err := call(); !errors.Is(err, syscall.EINTR) {
			return n, err
		}
	}
}
