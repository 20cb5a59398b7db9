package disk

import "golang.org/x/sys/unix"

// Flags of renameIn.
const (
	swapNames = unix.RENAME_SWAP
	freeName  = unix.RENAME_EXCL
)

func renameIn(dir int, from, to string, flags uint) error {
	return unix.RenameatxNp(dir, from, dir, to, uint32(flags)) //nolint:gosec // one of the above
}
