//go:build linux || darwin

package project

import (
	"errors"
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

// copyData copies a file with holes to a new one without reading them, and returns its size: a hole may be larger than
// any disk.
func copyData(to, from *os.File) (int64, error) {
	info, err := from.Stat()
	if err != nil {
		return 0, err
	}
	size := info.Size()
	for at := int64(0); at < size; {
		data, err := from.Seek(at, unix.SEEK_DATA)
		if errors.Is(err, unix.ENXIO) {
			break // only a hole is left
		}
		if err != nil {
			return at, err
		}
		if at, err = from.Seek(data, unix.SEEK_HOLE); err == nil {
			_, err = from.Seek(data, io.SeekStart)
		}
		if err == nil {
			_, err = to.Seek(data, io.SeekStart)
		}
		if err == nil {
			_, err = io.CopyN(to, from, at-data)
		}
		if err != nil {
			return data, err
		}
	}
	return size, to.Truncate(size)
}
