//go:build !unix

package disk

import (
	"io"
	"os"
)

// ReadUpTo returns the beginning of a regular file, limit bytes at most, and its size. Anything else is ErrIrregular;
// other errors are *os.PathError.
func ReadUpTo(name string, limit int) (text []byte, size int64, err error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, &os.PathError{Op: "read", Path: name, Err: ErrIrregular}
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close() //nolint:errcheck // only read from
	text, err = io.ReadAll(io.LimitReader(f, int64(limit)))
	return text, info.Size(), err
}

// ReadListed is ReadUpTo for what the listing of its folder showed as a regular file.
func ReadListed(name string, limit int) (text []byte, size int64, err error) {
	return ReadUpTo(name, limit)
}
