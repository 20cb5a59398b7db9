// Package process holds what all executors share about one process: how it is asked to stop, how it ended, and where
// its output goes.
package process

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"syscall"
	"time"
)

// Cause tells why a process ended.
type Cause string

// The causes. Ended covers every end that this program did not bring about, success and failure alike. Lost means that
// the end was not seen: the process may still be running.
const (
	Ended     Cause = "ended"
	Cancelled Cause = "cancelled"
	TimedOut  Cause = "timed out"
	Lost      Cause = "lost"
)

// Exit is how a process ended. Records keep it as JSON.
type Exit struct {
	Code  int   `json:"code"` // as a shell reports it: 128+n for signal n
	Cause Cause `json:"cause"`
	// OOMKilled: the kernel ended it, or a child of it, because memory ran out; Code is not 0 then, and 137 when it was the
	// job itself.
	OOMKilled bool      `json:"oomKilled,omitempty"`
	Started   time.Time `json:"started"`
	Ended     time.Time `json:"ended"`          // zero when not known
	Note      string    `json:"note,omitempty"` // a further sentence for people, or empty
}

// Ran reports whether the process was started at all.
func (e Exit) Ran() bool { return !e.Started.IsZero() }

// Signalled is the cause of a context that a signal cancelled: context.Cause returns it.
type Signalled struct{ Signal os.Signal }

func (s *Signalled) Error() string { return "stopped by signal: " + s.Signal.String() }

// Is makes a Signalled count as context.Canceled.
func (s *Signalled) Is(target error) bool { return target == context.Canceled }

// Interrupted reports whether ctx was cancelled by the user's Ctrl-C rather than by another signal or by the program.
func Interrupted(ctx context.Context) bool {
	var s *Signalled
	return errors.As(context.Cause(ctx), &s) && s.Signal == os.Interrupt
}

// CancelCode is the exit code of a run that ctx cancelled: 130 for Ctrl-C, otherwise 143.
func CancelCode(ctx context.Context) int {
	if Interrupted(ctx) {
		return 128 + int(syscall.SIGINT)
	}
	return 128 + int(syscall.SIGTERM)
}

// Streams is where the bytes of a job go. Both writers may be the same one; use Shared to make that safe.
type Streams struct{ Stdout, Stderr io.Writer }

// Shared returns streams that write one at a time, never fail and never stop taking bytes: once a writer has failed (a
// closed pipe) its bytes are dropped, because a job must not die of a reader that left. nil writers drop everything.
func (s Streams) Shared() Streams {
	mu := new(sync.Mutex)
	return Streams{Stdout: &patient{mu: mu, w: s.Stdout}, Stderr: &patient{mu: mu, w: s.Stderr}}
}

type patient struct {
	mu *sync.Mutex
	w  io.Writer
}

func (p *patient) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.w != nil {
		if _, err := p.w.Write(b); err != nil {
			p.w = nil
		}
	}
	return len(b), nil
}

// First keeps the first bytes that are written to it, and takes all.
type First struct {
	bytes.Buffer
	Limit int // in bytes
}

func (f *First) Write(p []byte) (int, error) {
	_, err := f.Buffer.Write(p[:min(len(p), f.Limit-f.Len())])
	return len(p), err
}
