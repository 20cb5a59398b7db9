package ui

import (
	"context"
	"io"
)

// Stoppable returns a reader of r that can be interrupted: when ctx is cancelled, a waiting Read returns its cause at
// once. What r returns afterwards is lost.
func Stoppable(ctx context.Context, r io.Reader) io.Reader { return &stoppable{ctx: ctx, in: r} }

type stoppable struct {
	ctx  context.Context //nolint:containedctx // io.Reader has no context parameter
	in   io.Reader
	rest []byte
	err  error
}

func (s *stoppable) Read(p []byte) (int, error) {
	if len(s.rest) == 0 && s.err == nil {
		type piece struct {
			text []byte
			err  error
		}
		read := make(chan piece, 1)
		size := len(p)
		go func() { // not into p, which is the caller's again if ctx ends first
			text := make([]byte, size)
			n, err := s.in.Read(text)
			read <- piece{text[:n], err}
		}()
		select {
		case got := <-read:
			s.rest, s.err = got.text, got.err
		case <-s.ctx.Done():
			s.err = context.Cause(s.ctx)
		}
	}
	n := copy(p, s.rest)
	if s.rest = s.rest[n:]; len(s.rest) > 0 {
		return n, nil
	}
	return n, s.err
}
