//go:build linux || darwin

package disk

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// hardLink links between two opened folders; os.Root only links within one.
func hardLink(from *os.Root, leaf string, into *os.Root, newLeaf string) error {
	a, err := openItself(from)
	if err != nil {
		return err
	}
	defer a.Close() //nolint:errcheck // nothing was written to it
	b, err := openItself(into)
	if err != nil {
		return err
	}
	defer b.Close() //nolint:errcheck // nothing was written to it
	for {
		err := unix.Linkat(int(a.Fd()), leaf, int(b.Fd()), newLeaf, 0)
		if !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
