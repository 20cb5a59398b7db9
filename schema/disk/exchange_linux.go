package disk

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// errNoExchange reports that the file system cannot do a rename of that kind.
var errNoExchange = errors.New("files cannot be swapped here")

// exchange swaps two files of a folder at once.
func exchange(parent *os.Root, a, b string) error { return rename(parent, a, b, unix.RENAME_EXCHANGE) }

// moveNew renames a file to a name that must be free.
func moveNew(parent *os.Root, from, to string) error {
	err := rename(parent, from, to, unix.RENAME_NOREPLACE)
	if errors.Is(err, errNoExchange) {
		return moveFree(parent, from, to)
	}
	return err
}

func rename(parent *os.Root, from, to string, flags uint) error {
	dir, err := parent.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close() //nolint:errcheck // nothing was written to it
	err = unix.Renameat2(int(dir.Fd()), from, int(dir.Fd()), to, flags)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) {
		return errNoExchange
	}
	return err
}
