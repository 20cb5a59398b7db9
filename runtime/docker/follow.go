package docker

import (
	"cmp"
	"context"
	"errors"
	"io"
	"time"
)

// How often, and for how long, amlfix retries an engine that went away.
const (
	firstPause  = 100 * time.Millisecond
	longPause   = 2 * time.Second
	patienceFor = 5 * time.Minute
)

// exactLog is the engine's log driver that keeps every byte.
const exactLog = "local"

// follow passes the output on until the container has ended. When the connection breaks or the engine is restarted, it
// reconnects and resumes after the last byte it passed on. A nil output means that the container has ended.
func (r *run) follow(ctx context.Context, ended <-chan Waited, output Output) Waited {
	for {
		if output == nil {
			r.rest(ctx)
			return <-ended
		}
		copied := make(chan struct{})
		go func() {
			_ = output.CopyTo(r.streams.current()) // an error here is explained by how the container ended
			close(copied)
		}()
		end := <-ended
		if end.Err == nil {
			r.streams.drained(copied)
			output.Close()
			<-copied
			if r.resumed {
				r.rest(ctx)
			}
			return end
		}
		output.Close()
		<-copied
		r.say.Notice("the connection to the Docker engine was lost; the job continues there, reconnecting")
		var err error
		if ended, output, err = r.again(ctx); err != nil {
			return Waited{Err: err}
		}
	}
}

// again retries until the engine answers: it finds the container, waits for its end, and reads its log after what was
// already passed on. For a container that has ended it returns no Output: rest reads its whole log.
func (r *run) again(ctx context.Context) (<-chan Waited, Output, error) {
	patient, cancel := context.WithTimeoutCause(ctx, cmp.Or(r.control.Patience, patienceFor), errSilent)
	defer cancel()
	var last error
	for pause := firstPause; ; pause = min(2*pause, longPause) {
		state, err := r.eng.State(patient, r.id)
		var output Output
		if err == nil && state.Running {
			output, err = r.eng.Logs(ctx, r.id)
		}
		if err == nil {
			r.resumed, r.exact = true, state.LogDriver == exactLog
			if r.streams.rewind(r.exact) && !r.exact {
				r.say.Notice("the engine stores the output with its log driver %s, which may drop the beginning or change bytes that are not UTF-8: some output may be missing here, or appear twice", state.LogDriver)
			}
			if state.Running {
				return r.eng.Wait(ctx, r.id, false), output, nil
			}
			ended := make(chan Waited, 1)
			ended <- Waited{Code: state.Code}
			return ended, nil, nil
		}
		if errors.Is(err, errSilent) && last != nil { // an earlier error says more than a missing answer
			return nil, nil, last
		}
		if !passing(err) {
			return nil, nil, err
		}
		last = err
		select {
		case <-patient.Done():
			return nil, nil, err
		case <-time.After(pause):
		}
	}
}

// errSilent is returned when an engine accepts requests but does not answer them.
var errSilent = errors.New("the Docker engine no longer answers: check its machine, or restart it")

// passing reports whether an error may resolve by itself.
func passing(err error) bool {
	return away(err) || Is(err, Unknown) // an engine that is shutting down may send half a sentence
}

// rest passes on the remainder of an ended container's log: a log that is followed may end before its last, unfinished
// line.
func (r *run) rest(ctx context.Context) {
	err := r.persist(func() error { return r.reread(ctx) })
	if err != nil && ctx.Err() == nil {
		r.say.Notice("the end of the job's output could not be read: %s", Explain(err))
	}
}

// reread passes on the remainder of an ended container's log once. An error means that the log may be incomplete.
func (r *run) reread(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	read, broken := r.eng.Logs, (<-chan Waited)(nil)
	if r.exact {
		read, broken = r.eng.Printed, r.eng.Wait(ctx, r.id, true) // the container does not start again: the wait ends only with the engine
	}
	output, err := read(ctx, r.id)
	if err != nil {
		return err
	}
	context.AfterFunc(ctx, output.Close) // closed on every way out
	r.streams.rewind(r.exact)
	_ = output.CopyTo(r.streams.current())
	if _, err := r.eng.State(ctx, r.id); away(err) {
		return err
	}
	select {
	case <-broken:
		return io.ErrUnexpectedEOF
	default:
		return nil
	}
}
