package local

import (
	"context"
	"errors"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/runid"
)

// ErrNotBegun means that amlfix ended before it started the job. The job is not started later either.
var ErrNotBegun = errors.New("amlfix ended before it had started the job")

// ErrGone means that a job's files no longer exist.
var ErrGone = errors.New("its working folder no longer exists: the machine was restarted, or the folder was removed")

// Position is how many bytes of a job's output have been read.
type Position struct{ Stdout, Stderr int64 }

// Attend does for a job that is running or has ended what Run does after its start: it passes output on from a
// position, and stops the job when ctx is cancelled or kill is closed. folder and stopping are as in Spec. The
// supervisor enforces the time limit and the grace period. The error is ErrNotBegun, ErrGone or as for Run.
func Attend(ctx context.Context, folder string, from Position, out process.Streams, kill <-chan struct{}, stopping func(process.Step, process.Cause)) (process.Exit, error) {
	f, err := filesIn(folder)
	if err != nil {
		return process.Exit{}, err
	}
	defer f.close()
	if lock, ok := f.lock(); ok { // no supervisor: it has ended, or must not start any more
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

// Busy reports whether a job is using a folder.
func Busy(folder string) bool {
	f, err := filesIn(folder)
	if err != nil {
		return false
	}
	defer f.close()
	return f.supervised()
}

// End kills the job of a run that is using a folder, if there is one, and waits for it to end. The error is the cause
// of ctx.
func End(ctx context.Context, runID runid.ID, folder string) error {
	defer endMembers(runID) // of a job whose supervisor was killed
	f, err := filesIn(folder)
	if err != nil {
		return nil // no job was started in it
	}
	defer f.close()
	for f.supervised() {
		_ = f.request(killName) // repeated until it is noticed
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(requestPoll):
		}
	}
	return nil
}
