package disk

import "golang.org/x/sys/unix"

// Flags of renameIn.
const (
	swapNames = unix.RENAME_EXCHANGE
	freeName  = unix.RENAME_NOREPLACE
)

func renameIn(dir int, from, to string, flags uint) error {
	return unix.Renameat2(dir, from, dir, to, flags)
}
