package docker

import (
	"cmp"
	"context"
	"errors"
	"io"
	"syscall"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
)

// awayTries is how often a request is retried: an engine that is about to go down may answer for a moment longer.
const awayTries = 3

// persist does what follows the end of a job. An engine that shuts down may take its containers with it, and disappear
// before it has answered everything. persist waits for it to come back, and then calls do again.
func (r *run) persist(do func() error) error {
	err := do()
	for n := 0; away(err) && n < awayTries && r.comesBack(); n++ {
		err = do()
	}
	return err
}

// away reports whether an error means that the engine is gone, perhaps only temporarily.
func away(err error) bool {
	var temporary interface{ Temporary() bool }
	return Is(err, NoEngine) || Is(err, NoConnection) && errors.As(err, &temporary) && temporary.Temporary() || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET)
}

// comesBack waits for the engine and reports whether it is back. It stops waiting when this takes too long or the user
// asks to stop a second time.
func (r *run) comesBack() bool {
	r.say.Notice("the Docker engine stopped answering after the job had ended; waiting for it")
	patient, cancel := context.WithTimeout(r.own, cmp.Or(r.control.Patience, patienceFor))
	defer cancel()
	for pause := firstPause; ; pause = min(2*pause, longPause) {
		select {
		case <-patient.Done():
			return false
		case <-r.control.Kill:
			return false
		case <-time.After(pause):
		}
		if _, err := r.eng.State(patient, r.id); !away(err) && patient.Err() == nil {
			return true
		}
	}
}

// remove removes the container, with two exceptions: that of a lost run, because the run can be resumed, and one whose
// outputs could not be copied back, because they exist nowhere else.
func (r *run) remove(name string, result Result) {
	exit := result.Exit
	if exit.Cause == process.Lost || result.CollectErr != nil {
		return
	}
	r.say.Enter(progress.Removing, "")
	do := func() error { return removed(r.own, r.eng, name) }
	if exit.Ran() {
		kept(name, r.persist(do), r.say)
	} else {
		kept(name, do(), r.say)
	}
}

// remove removes a container by name, if that is possible.
func remove(ctx context.Context, eng Engine, name string) { _ = removed(ctx, eng, name) }

// removed removes a container by name, with a time limit of its own.
func removed(ctx context.Context, eng Engine, name string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), removeTime)
	defer cancel()
	return eng.Remove(ctx, name)
}

// kept reports, if err is not nil, that a container could not be removed.
func kept(name string, err error, say progress.Sink) {
	if err != nil {
		say.Notice("container %s could not be removed; remove it with `docker rm -f %s`: %s", name, name, Explain(err))
	}
}
