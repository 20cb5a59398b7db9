package docker

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
)

// Waiting for an engine that went away: how often it is asked, and for how long.
const (
	firstPause  = 100 * time.Millisecond
	longPause   = 2 * time.Second
	patienceFor = 60 * time.Second
)

// follow passes the output on until the container has ended. When the connection breaks, or the engine is restarted, it
// connects again and goes on with the byte after the last one that was passed on.
func (r *run) follow(ctx context.Context, ended <-chan Waited, output Output) Waited {
	for {
		copied := make(chan struct{})
		go func() {
			_ = output.CopyTo(r.streams.current()) // how the container ended tells what an error here means
			close(copied)
		}()
		end := <-ended
		if end.Err == nil {
			drained(copied)
			output.Close()
			<-copied
			return end
		}
		output.Close()
		<-copied
		r.say.Notice("the connection to the Docker engine broke; the job goes on there, looking for it again")
		state, err := r.find(ctx)
		if err != nil {
			return Waited{Err: err}
		}
		again, err := r.eng.Logs(ctx, r.id)
		if err != nil {
			return Waited{Err: err}
		}
		r.streams.rewind()
		output, ended = again, r.eng.Wait(ctx, r.id, false)
		if !state.Running { // what is left in the log is still passed on
			one := make(chan Waited, 1)
			one <- Waited{Code: state.Code}
			ended = one
		}
	}
}

// find asks for the container until the engine answers.
func (r *run) find(ctx context.Context) (State, error) {
	ctx, cancel := context.WithTimeout(ctx, patienceFor)
	defer cancel()
	for pause := firstPause; ; pause = min(2*pause, longPause) {
		state, err := r.eng.State(ctx, r.id)
		if !passing(err) {
			return state, err
		}
		select {
		case <-ctx.Done():
			return state, err
		case <-time.After(pause):
		}
	}
}

// passing reports whether an error may go away by itself.
func passing(err error) bool {
	var temporary interface{ Temporary() bool }
	switch {
	case Is(err, NoConnection):
		return errors.As(err, &temporary) && temporary.Temporary()
	case Is(err, NoEngine), Is(err, Unknown): // an engine that is just going down answers with half a sentence
		return true
	}
	return false
}

// drained waits until all output has been read, but not for ever: a process that has escaped may hold the stream.
func drained(done <-chan struct{}) {
	t := time.NewTimer(drainTime)
	defer t.Stop()
	select {
	case <-done:
	case <-t.C:
	}
}

// followed counts what has been passed on of each stream, so that a log read from its first byte can be joined to it.
type followed struct{ out, err counter }

type counter struct {
	w          io.Writer
	seen, skip int64
}

func newFollowed(s process.Streams) *followed {
	return &followed{out: counter{w: s.Stdout}, err: counter{w: s.Stderr}}
}

func (f *followed) current() process.Streams { return process.Streams{Stdout: &f.out, Stderr: &f.err} }

// rewind prepares for a stream that starts at the first byte again.
func (f *followed) rewind() {
	f.out.skip, f.err.skip = f.out.seen, f.err.seen
}

func (c *counter) Write(p []byte) (int, error) {
	n := len(p)
	jump := min(c.skip, int64(n))
	c.skip -= jump
	if p = p[jump:]; len(p) > 0 {
		c.seen += int64(len(p))
		if _, err := c.w.Write(p); err != nil {
			return 0, err
		}
	}
	return n, nil
}
