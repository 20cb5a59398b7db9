package prepare

import (
	"bytes"
	"io"
	"slices"
	"sync"
)

// roomless searches the output of pip or conda for the system's message about a full disk.
type roomless struct {
	mu   sync.Mutex
	last []byte // the end of the output so far
	full bool
}

var noRoom = []byte("no space left on device")

// to returns a writer that also searches what goes to w.
func (r *roomless) to(w io.Writer) io.Writer { return io.MultiWriter(w, r) }

// Write implements io.Writer; it never fails.
func (r *roomless) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	text := slices.Concat(r.last, bytes.ToLower(p))
	r.full = r.full || bytes.Contains(text, noRoom)
	r.last = append(r.last[:0], text[max(0, len(text)-len(noRoom)):]...)
	return len(p), nil
}
