package docker

import (
	"context"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
)

// Seen is the number of bytes of a job's output that are already known.
type Seen struct{ Stdout, Stderr int64 }

// Reopen resumes a run that Run began in another process or lost: it passes on the output after seen, waits for the job
// to end, collects the outputs, and removes the container, as Run does. It uses only RunID and Collect of spec, and
// does not call Found. The time limit counts from the job's start, by the engine's clock. A container that was created
// but not started is removed; the result is an Exit with Ran unset and no error. If there is no such container, or it
// lacks the run's label, the error has Problem ContainerGone.
func Reopen(ctx context.Context, eng Engine, spec Spec, seen Seen, out process.Streams, control process.Control, say progress.Sink) (result Result, err error) {
	r := &run{eng: eng, spec: spec, control: control, limited: control.Limit > 0, say: say, own: context.WithoutCancel(ctx), id: ContainerName(spec.RunID),
		streams: newFollowed(out, seen.Stdout, seen.Stderr)}
	watched, stopWatching := context.WithCancelCause(r.own)
	defer stopWatching(nil)
	state, err := r.look(ctx)
	if err != nil {
		return Result{}, err
	}
	if state.RunID != spec.RunID { // someone else has given their container this name
		return Result{}, &Error{Problem: ContainerGone, Subject: r.id}
	}
	defer func() {
		r.stops.Wait()
		if err == nil {
			r.remove(r.id, result)
		}
	}()
	if state.Started.IsZero() {
		return Result{}, nil
	}
	r.left(ctx, state)
	r.guard(ctx)
	ended, output, err := r.again(watched)
	if err != nil {
		return Result{}, err
	}
	r.began(&result, state.Started)
	if state.Running {
		say.Enter(progress.Running, "running in %s, since %s", r.id, state.Started.Local().Format(time.DateTime))
	}
	return r.watch(ctx, watched, stopWatching, ended, output, result)
}

// look returns the container's state. A ctx that is already cancelled is a request to stop the job, so the container
// must be found even then.
func (r *run) look(ctx context.Context) (State, error) {
	if ctx.Err() == nil {
		return r.eng.State(ctx, r.id)
	}
	own, cancel := context.WithTimeout(r.own, removeTime)
	defer cancel()
	return r.eng.State(own, r.id)
}
