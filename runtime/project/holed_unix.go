//go:build linux || darwin

package project

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// holed reports whether a file that is open at its beginning has a hole.
func holed(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Size() < leastHole {
		return false
	}
	at, err := f.Seek(0, unix.SEEK_HOLE)
	if _, back := f.Seek(0, io.SeekStart); back != nil {
		return false
	}
	return err == nil && at < info.Size()
}
