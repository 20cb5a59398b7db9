package remote

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/schema/plain"
)

// Limits for waits that have no natural end.
const (
	removeTime = 30 * time.Second // to remove the run's folder
	leftTime   = 10 * time.Second // to query how long a job has been running
	stopSlack  = 30 * time.Second // beyond the grace period, until a job whose end is not seen counts as lost
)

// Result is how a job on another machine ended.
type Result struct {
	process.Exit
	Folder     string // the run's folder there, if it was left: the job is lost, or its outputs were not copied back
	CollectErr error  // the job ran, but its outputs could not be copied back completely
}

// Run runs a job on another machine and then removes its folder there, unless the machine went away for good (Cause is
// Lost) or its outputs could not be copied back; Result.Folder then names the folder. For a job that was not started it
// returns an Exit with Ran unset, and an error: one from Start, or the cause of ctx.
func Run(ctx context.Context, line Line, spec Spec, out process.Streams, control process.Control, say progress.Sink) (Result, error) {
	job, lost := Start(ctx, line, spec, control, say)
	switch {
	case job == nil:
		return Result{}, lost
	case lost == nil:
		say.Enter(progress.Running, "running on %s", line.Name())
	default:
		job.SayRunning(ctx, say)
	}
	result, err := attend(ctx, job, Position{}, spec, out, control, say)
	if lost != nil && errors.Is(err, ErrNotBegun) {
		err = lost
	}
	return result, err
}

// Attend does for a job that was started earlier what Run does after its start, with its output from the given
// position. It uses only Collect, Began, Exited, OnStop and OnKill of spec. The time limit of control counts from the
// job's start, by its machine's clock. The error may also be ErrNotBegun: then nothing is left of the job.
func Attend(ctx context.Context, job *Job, from Position, spec Spec, out process.Streams, control process.Control, say progress.Sink) (Result, error) {
	if control.Limit > 0 && ctx.Err() == nil {
		asked, cancel := context.WithTimeout(ctx, leftTime)
		control.Limit = job.left(asked, control.Limit)
		cancel()
	}
	return attend(ctx, job, from, spec, out, control, say)
}

func attend(ctx context.Context, job *Job, from Position, spec Spec, out process.Streams, control process.Control, say progress.Sink) (Result, error) {
	job.patience = control.Patience
	own := context.WithoutCancel(ctx)
	watched, giveUp := context.WithCancelCause(own)
	defer giveUp(nil)
	ended := make(chan struct{})
	var exit process.Exit
	var err error
	go func() {
		defer close(ended)
		exit, _, err = job.Follow(watched, out, from, say)
	}()
	began := time.Now()
	if spec.Began != nil {
		spec.Began(job)
	}
	asked := false
	cause := control.Watch(ctx, ended, func(step process.Step, why process.Cause) {
		say.Stop(step, why, control)
		if step == process.Ask && why == process.TimedOut {
			asked = true
			go func() { _ = job.timeIsUp(watched, spec.OnStop) }()
			return
		}
		name := "TERM"
		switch {
		case step == process.Kill:
			name = "KILL"
			time.AfterFunc(stopSlack, func() { giveUp(errDeaf) })
		case step == process.Ask && why == process.Cancelled && process.Interrupted(ctx):
			name = "INT"
		}
		script := ""
		if step == process.Kill {
			script = spec.OnKill
		} else if !asked {
			script, asked = spec.OnStop, true
		}
		go func() { // if one fails, the next, harder step follows
			if script != "" {
				_ = job.Do(watched, script)
			}
			_ = job.Signal(watched, name)
		}()
	})
	if errors.Is(err, ErrNotBegun) {
		_ = job.Remove(own)
		return Result{}, err
	}
	if err != nil {
		return Result{Exit: process.Exit{Cause: process.Lost, Started: began}, Folder: job.Folder()}, err
	}
	if cause != process.Ended {
		exit.Cause = cause
	}
	return conclude(own, job, spec, exit, began, say), nil
}

// conclude says how a job ended, copies its outputs back, and removes its folder if nothing there is missing here.
// watched is when amlfix began to follow it.
func conclude(ctx context.Context, job *Job, spec Spec, exit process.Exit, watched time.Time, say progress.Sink) Result {
	begun := exit.Started
	if exit.Started.IsZero() {
		exit.Started = watched
	}
	result := Result{Exit: exit}
	if n, err := job.endStragglers(ctx); err == nil && n > 0 && exit.Cause == process.Ended {
		result.Note = "ended " + plain.Count(n, "background process") + " that the job had left running"
	}
	if exit.Note == "" && exit.Cause == process.Ended && (exit.Code == 143 || exit.Code == 137) {
		result.Note = "it was ended by a signal that amlfix did not send: another user or program there or the job itself sent it, or the machine ran out of memory"
	}
	if spec.Exited != nil {
		spec.Exited(result.Exit)
	}
	result.CollectErr = collect(ctx, job, spec, say)
	if result.CollectErr != nil {
		result.Folder = job.Folder()
		return result
	}
	say.Enter(progress.Removing, "")
	ctx, cancel := context.WithTimeout(ctx, removeTime)
	defer cancel()
	job.keepStored(ctx, spec.Stored, begun)
	if err := job.Remove(ctx); err != nil {
		result.Folder = job.Folder()
		say.Notice("%v", err)
	}
	return result
}

// errDeaf is returned when a job does not end after SIGKILL.
var errDeaf = errors.New("the job was sent a kill signal, but its end was not confirmed")

func collect(ctx context.Context, job *Job, spec Spec, say progress.Sink) error {
	if spec.Collect == nil {
		return nil
	}
	say.Enter(progress.Collecting, "")
	return job.patiently(ctx, say, func() error {
		return job.Collect(ctx, func(tar io.Reader) error { return spec.Collect(ctx, tar) })
	})
}
