// Package process contains what all targets need to know about one process: how it is asked to stop, how it ended, and
// where its output goes.
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

// Cause is the reason why a process ended.
type Cause string

// The causes. Ended covers every end that this program did not cause, success and failure alike. Lost means that the
// end was not observed: the process may still be running.
const (
	Ended     Cause = "ended"
	Cancelled Cause = "cancelled"
	TimedOut  Cause = "timed out"
	Lost      Cause = "lost"
)

// Exit describes how a process ended. Records store it as JSON.
type Exit struct {
	Code  int   `json:"code"` // as in a shell: 128+n for signal n
	Cause Cause `json:"cause"`
	// OOMKilled means that the kernel killed the process or one of its children for lack of memory. Code is then not 0,
	// and 137 if it was the job itself.
	OOMKilled bool      `json:"oomKilled,omitempty"`
	Started   time.Time `json:"started"`
	Ended     time.Time `json:"ended"`          // zero if not known
	Note      string    `json:"note,omitempty"` // an additional sentence for people, or empty
}

// Ran reports whether the process was started at all.
func (e Exit) Ran() bool { return !e.Started.IsZero() }

// Signalled is the cause, as returned by context.Cause, of a context that was cancelled by a signal.
type Signalled struct{ Signal os.Signal }

func (s *Signalled) Error() string { return "stopped by signal: " + s.Signal.String() }

// Is makes a *Signalled equivalent to context.Canceled.
func (s *Signalled) Is(target error) bool { return target == context.Canceled }

// Interrupted reports whether ctx was cancelled by the user's Ctrl-C rather than by another signal or by the program.
func Interrupted(ctx context.Context) bool {
	s, ok := errors.AsType[*Signalled](context.Cause(ctx))
	return ok && s.Signal == os.Interrupt
}

// CancelCode returns the exit code of a run that ctx cancelled: 130 for Ctrl-C, otherwise 143.
func CancelCode(ctx context.Context) int {
	if Interrupted(ctx) {
		return 128 + int(syscall.SIGINT)
	}
	return 128 + int(syscall.SIGTERM)
}

// Streams are the destinations of a job's output. Both writers may be the same; use Shared to make that safe.
type Streams struct{ Stdout, Stderr io.Writer }

// Shared returns streams that write one at a time, never fail and never stop accepting bytes: once a writer has failed
// (a closed pipe), its bytes are dropped, because a job must not die when its reader leaves. nil writers drop
// everything.
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

// First keeps the first bytes written to it, and accepts the rest.
type First struct {
	bytes.Buffer
	Limit int // in bytes
}

func (f *First) Write(p []byte) (int, error) {
	_, err := f.Buffer.Write(p[:min(len(p), f.Limit-f.Len())])
	return len(p), err
}
