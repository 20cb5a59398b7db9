package ui

import (
	"errors"
	"io"
	"sync"
	"syscall"
)

// Output passes bytes on until writing fails for the first time; from then on
// it drops them. Whoever writes need not look at errors, and a reader that left
// (`amlfix | head`) does not stop a repair half way. Safe for concurrent use.
type Output struct {
	mu  sync.Mutex
	w   io.Writer
	err error
}

// NewOutput returns an Output to w.
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

// Closed reports that nobody reads any more.
func (o *Output) Closed() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err != nil
}

// Err returns why writing failed. A reader that left is no failure: it has got
// what it wanted.
func (o *Output) Err() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if errors.Is(o.err, syscall.EPIPE) || errors.Is(o.err, io.ErrClosedPipe) {
		return nil
	}
	return o.err
}
