//go:build linux || darwin

package disk

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// exchange swaps two files of a folder atomically.
func exchange(parent *os.Root, a, b string) error { return rename(parent, a, b, swapNames) }

// moveNew renames a file to a name that must be free.
func moveNew(parent *os.Root, from, to string) error {
	err := rename(parent, from, to, freeName)
	if errors.Is(err, errNoExchange) {
		return moveFree(parent, from, to)
	}
	return err
}

func rename(parent *os.Root, from, to string, flags uint) error {
	dir, err := openItself(parent)
	if err != nil {
		return err
	}
	defer dir.Close() //nolint:errcheck // nothing was written to it
	err = renameIn(int(dir.Fd()), from, to, flags)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.ENOTSUP) {
		return errNoExchange
	}
	return err
}
