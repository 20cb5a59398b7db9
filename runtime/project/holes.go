package project

import (
	"io"
	"os"
)

// holes writes to a file and leaves a hole instead of zeros, so that a sparse file stays one.
type holes struct {
	f    *os.File
	last bool // the file would end with a hole
}

// leastHole is the least number of zeros that become a hole: file systems have blocks of this size.
const leastHole = 4096

func (h *holes) Write(p []byte) (n int, err error) {
	if h.last = len(p) >= leastHole && isZero(p); h.last {
		_, err = h.f.Seek(int64(len(p)), io.SeekCurrent)
		return len(p), err
	}
	return h.f.Write(p)
}

// end gives the file its size.
func (h *holes) end() error {
	if !h.last {
		return nil
	}
	size, err := h.f.Seek(0, io.SeekCurrent)
	if err == nil {
		err = h.f.Truncate(size)
	}
	return err
}

func isZero(p []byte) bool {
	for _, c := range p {
		if c != 0 {
			return false
		}
	}
	return true
}

// copyTo copies what is sent back to a new file. The system copies a file of this machine, if it has no holes: both may
// then share their blocks.
func copyTo(f *os.File, content io.Reader) (int64, error) {
	if source, ok := content.(*os.File); ok {
		if holed(source) {
			return copyData(f, source)
		}
		return io.Copy(f, content)
	}
	h := &holes{f: f}
	n, err := io.Copy(h, content)
	if err == nil {
		err = h.end()
	}
	return n, err
}
