package local

import (
	"context"
	"errors"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/runid"
)

// ErrNotBegun says that amlfix was ended before the job was started. It is not started later either.
var ErrNotBegun = errors.New("amlfix ended before it had started the job")

// ErrGone says that a job's files are no longer there.
var ErrGone = errors.New("its working folder no longer exists: the machine was restarted, or the folder was removed")

// Position is how many bytes of a job's output have been read.
type Position struct{ Stdout, Stderr int64 }

// Attend does for a job that runs, or has ended, what Run does after its start: it passes output on from a position, and
// stops the job when ctx is cancelled, or kill closed. folder and stopping are those of its Spec. The time limit and the
// grace are kept by the supervisor. The error is ErrNotBegun, ErrGone or as with Run.
func Attend(ctx context.Context, folder string, from Position, out process.Streams, kill <-chan struct{}, stopping func()) (process.Exit, error) {
	f, err := filesIn(folder)
	if err != nil {
		return process.Exit{}, err
	}
	defer f.close()
	if lock, ok := f.lock(); ok { // nobody supervises it: it has ended, or is not to begin any more
		var err error
		if !f.has(begunName) && !f.has(endedName) {
			err = errors.Join(ErrNotBegun, f.request(abandonedName))
		}
		lock.Close()
		if err != nil {
			return process.Exit{}, err
		}
	}
	w := watcher{files: f, kill: kill, stopping: stopping}
	return w.watch(ctx, from, out)
}

// Busy reports whether a job is at work in a folder.
func Busy(folder string) bool {
	f, err := filesIn(folder)
	if err != nil {
		return false
	}
	defer f.close()
	return f.supervised()
}

// End kills the job of a run that is at work in a folder, if there is one, and waits for its end. The error is the cause of
// ctx.
func End(ctx context.Context, runID runid.ID, folder string) error {
	defer endMembers(runID) // of a job whose supervisor was killed
	f, err := filesIn(folder)
	if err != nil {
		return nil // no job was begun in it
	}
	defer f.close()
	for f.supervised() {
		_ = f.request(killName) // asked for until it is heard
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(requestPoll):
		}
	}
	return nil
}
