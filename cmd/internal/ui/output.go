package ui

import (
	"errors"
	"io"
	"sync"
	"syscall"
)

// Output passes bytes on until a write fails; from then on it drops them. Its users need not check errors, and a reader
// that leaves (`amlfix | head`) does not interrupt a repair. It is safe for concurrent use.
type Output struct {
	mu  sync.Mutex
	w   io.Writer
	err error
}

// NewOutput returns an Output that writes to w.
func NewOutput(w io.Writer) *Output { return &Output{w: w} }

// Write never fails.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		_, o.err = o.w.Write(p)
	}
	return len(p), nil
}

// Closed reports whether nobody reads the output any more.
func (o *Output) Closed() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err != nil
}

// Err returns why writing failed. A reader that left is not an error: it has got what it wanted.
func (o *Output) Err() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if errors.Is(o.err, syscall.EPIPE) || errors.Is(o.err, io.ErrClosedPipe) {
		return nil
	}
	return o.err
}
