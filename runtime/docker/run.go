package docker

import (
	"context"
	"sync"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
)

// Limits for waits that have no natural end.
const (
	removeTime = 30 * time.Second // to remove a container
	stopSlack  = 15 * time.Second // beyond the grace period, until a container that does not end counts as lost
	oomPause   = 100 * time.Millisecond
	stopPause  = 500 * time.Millisecond // after an end from outside, until an engine that caused it is gone
	drainTime  = 5 * time.Second        // without a byte of output after a container has ended
)

// Run runs a job in a container and then removes the container, unless the engine went away for good: then Cause is
// Lost, and the container keeps its name and label. For a job that was not started it returns an Exit with Ran unset
// and an error: an *Error, a *GPUError, one from Upload, or the cause of ctx. out is used from one goroutine at a time.
func Run(ctx context.Context, eng Engine, spec Spec, out process.Streams, control process.Control, say progress.Sink) (Result, error) {
	say.Enter(progress.Checking, "asking the Docker engine")
	c, img, err := prepare(ctx, eng, spec, say)
	if err != nil {
		return Result{}, err
	}
	r := &run{eng: eng, spec: spec, control: control, limited: control.Limit > 0, say: say, own: context.WithoutCancel(ctx), streams: newFollowed(out, 0, 0)}
	result, err := r.run(ctx, c, img)
	result.GPU = c.GPU
	return result, err
}

type run struct {
	eng     Engine
	spec    Spec
	control process.Control
	say     progress.Sink
	own     context.Context // not cancelled with the job's: for cleanup that must always happen
	id      string
	streams *followed
	resumed bool // the output comes from the engine's log
	exact   bool // which keeps it as ExactLog asks for
	fresh   bool // no outputs folder existed before Upload made one
	limited bool // the job has a time limit
	// compared means that the project's volume already existed.
	compared bool
	stops    sync.WaitGroup
}

func (r *run) run(ctx context.Context, c Container, img Image) (result Result, err error) {
	defer func() {
		r.stops.Wait()
		r.remove(c.Name, result)
	}()
	c, err = r.store(ctx, c, img)
	if err != nil {
		return result, err
	}
	r.say.Enter(progress.Creating, "")
	if err := r.create(ctx, c, img); err != nil {
		return result, err
	}
	watched, stopWatching := context.WithCancelCause(r.own)
	defer stopWatching(nil)
	attached := r.attach(watched)
	if err := r.upload(ctx, open(img)); err != nil {
		go func() { // an engine that is lost may not answer
			if output, e := attached(); e == nil {
				output.Close()
			}
		}()
		return result, err
	}
	r.say.Enter(progress.Starting, "")
	output, err := attached()
	if err != nil {
		return result, err
	}
	ended := r.eng.Wait(watched, r.id, true)
	if err := r.eng.Start(ctx, r.id); err != nil {
		output.Close()
		return result, err
	}
	r.began(&result, time.Now())
	r.guard(ctx)
	r.say.Enter(progress.Running, "running in %s", c.Name)
	return r.watch(ctx, watched, stopWatching, ended, output, result)
}

// attach connects to the output of a container before it starts, so that nothing is lost and unfinished lines arrive at
// once. It does so while the project is uploaded.
func (r *run) attach(ctx context.Context) func() (Output, error) {
	type answer struct {
		output Output
		err    error
	}
	answers := make(chan answer, 1)
	go func() {
		output, err := r.eng.Attach(ctx, r.id)
		answers <- answer{output, err}
	}()
	return func() (Output, error) {
		a := <-answers
		return a.output, a.err
	}
}

func (r *run) began(result *Result, at time.Time) {
	result.Started = at
	if r.spec.Began != nil {
		r.spec.Began(at)
	}
}

// watch follows a started job to its end.
func (r *run) watch(ctx, watched context.Context, stopWatching context.CancelCauseFunc, ended <-chan Waited, output Output, result Result) (Result, error) {
	done := make(chan struct{})
	var end Waited
	go func() {
		end = r.follow(watched, ended, output)
		close(done)
	}()
	result.Cause = r.control.Watch(ctx, done, func(step process.Step, why process.Cause) {
		r.stop(watched, step, why, why == process.Cancelled && process.Interrupted(ctx), stopWatching)
	})
	result.Ended = time.Now()
	if end.Err != nil {
		result.Cause, result.Code, result.Note = process.Lost, process.CodeNotStarted, Explain(end.Err)
		return result, nil
	}
	if r.finish(&result.Exit, end.Code); result.Cause == process.Lost {
		return result, nil
	}
	result.CollectErr = r.bring(result.Exit)
	if away(result.CollectErr) {
		result.Cause, result.Code, result.Note = process.Lost, process.CodeNotStarted, Explain(result.CollectErr)
		return result, nil
	}
	if r.spec.Finish != nil && result.Cause == process.Ended && result.Code == 0 {
		result.FinishErr = r.spec.Finish(r.own, r.id)
	}
	return result, nil
}
