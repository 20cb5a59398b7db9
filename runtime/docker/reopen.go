package docker

import (
	"context"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
)

// Seen is how many bytes of a job's output are known already.
type Seen struct{ Stdout, Stderr int64 }

// Reopen resumes a run that Run has begun in another process or has lost: it passes on the output behind seen,
// waits for the job's end, collects and removes, as Run does. Of spec it needs RunID and Collect; Found is not called.
// The time limit counts from the job's start, by the engine's clock. A container that was made but not started is removed, and gives an Exit
// that has not Ran and no error. When there is no container, or one of that name without
// the label of the run, the error has the Problem ContainerGone.
func Reopen(ctx context.Context, eng Engine, spec Spec, seen Seen, out process.Streams, control process.Control, say progress.Sink) (result Result, err error) {
	r := &run{eng: eng, spec: spec, control: control, limited: control.Limit > 0, say: say, own: context.WithoutCancel(ctx), id: ContainerName(spec.RunID),
		streams: newFollowed(out, seen.Stdout, seen.Stderr)}
	watched, stopWatching := context.WithCancelCause(r.own)
	defer stopWatching(nil)
	state, err := r.look(ctx)
	if err != nil {
		return Result{}, err
	}
	if state.RunID != spec.RunID { // somebody else has given a container of their own this name
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

// look asks for the container's state. A ctx that is cancelled from the start asks for the job to be stopped, which has
// to be found for that.
func (r *run) look(ctx context.Context) (State, error) {
	if ctx.Err() == nil {
		return r.eng.State(ctx, r.id)
	}
	own, cancel := context.WithTimeout(r.own, removeTime)
	defer cancel()
	return r.eng.State(own, r.id)
}
