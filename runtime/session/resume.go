package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/evidence"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/record"
)

// Resumed describes how to continue a run whose record was opened: where is as in Run, and proceed follows the job to
// its end.
type Resumed struct {
	Where   string
	Proceed func(context.Context, *Session, record.Record) (process.Exit, error)
}

// Resume resumes the run whose record is in dir. find returns how, or, if the record is not trusted, an error whose
// text is the end of a sentence about the record; that becomes a *record.RefusedError. For a run that is over, Resume
// returns the result again. The error is record.ErrBusy while another program is using the run; otherwise it is as for
// Run.
func Resume(ctx context.Context, dir string, opts Options, find func(record.Record) (Resumed, error)) (Result, error) {
	run, err := record.Open(dir)
	if err != nil {
		return Result{}, err
	}
	rec := run.Record()
	if rec.Over() {
		run.Close()
		return resultOf(record.Entry{Record: rec, Dir: dir}), nil
	}
	how, err := find(rec)
	if err != nil {
		run.Close()
		return Result{}, &record.RefusedError{Path: record.Path(dir), Why: err.Error()}
	}
	s := newSession(planOf(rec), opts, how.Where)
	if err := s.replay(run); err != nil {
		run.Close()
		return Result{}, err
	}
	s.keep(run)
	s.earlier = rec.Stop
	if rec.Outputs != nil {
		s.Result.Outputs = collectedOf(rec.Outputs)
	}
	return s.carry(stoppedAgain(ctx, rec.Stop), func(ctx context.Context, s *Session) (process.Exit, error) {
		return how.Proceed(ctx, s, rec)
	})
}

// replay shows the output that was stored but not shown yet, and searches all of the output so far for evidence.
func (s *Session) replay(run *record.Run) error {
	f, err := record.Follow(run.Dir())
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.CopyTo(s.scanned); err != nil {
		return err
	}
	if s.Options.Unseen {
		return nil
	}
	if err := run.Log().Replay(s.shown, false); err != nil {
		return fmt.Errorf("the log of run %s cannot be read: %w", run.Record().ID, err)
	}
	return nil
}

// Seen returns how many bytes of the job's output are stored.
func (s *Session) Seen() (stdout, stderr int64) { return s.rec.run.Log().Seen() }

// stoppedAgain returns ctx, cancelled as it was when the user asked an earlier program to stop the job. A time limit
// that has passed has also passed for this program.
func stoppedAgain(ctx context.Context, stop *record.Stop) context.Context {
	if stop == nil || stop.Cause != string(process.Cancelled) {
		return ctx
	}
	cause := &process.Signalled{Signal: syscall.SIGTERM}
	if stop.Code == 128+int(syscall.SIGINT) {
		cause.Signal = os.Interrupt
	}
	ctx, cancel := context.WithCancelCause(ctx)
	cancel(cause)
	return ctx
}

// Reaching returns a context for connecting to a job's machine. If ctx is already cancelled, to stop the job, the
// result is not: the job must be reached first.
func Reaching(ctx context.Context) context.Context {
	if context.Cause(ctx) != nil {
		return context.WithoutCancel(ctx)
	}
	return ctx
}

// planOf returns the parts of a run's plan that are needed to resume it.
func planOf(rec record.Record) plan.Plan {
	p := plan.Plan{RunID: rec.ID, Name: rec.Name, Project: rec.Project}
	p.Kind.Value, p.Target.Value, p.Timeout.Value, p.Tracked.Value = plan.Kind(rec.Kind), rec.Target, rec.Limit, rec.Tracked
	p.Host.Address.Value, p.Host.User.Value = rec.Handle.Host, rec.Handle.User
	p.Interpreter.Value = "the program"
	if rec.WantsGPUs() {
		p.GPUs.Value = cmp.Or(plan.GPURequest(rec.GPUs), plan.AllGPUs)
	}
	return p
}

// ErrNeverStarted means that amlfix ended before it started the job, which is not started later.
var ErrNeverStarted = errors.New("amlfix ended before it had started the job; nothing is left of it")

// Unseen returns the exit of a job that was started, as far as is known, and whose end was not seen. note says why;
// empty: the error does.
func Unseen(rec record.Record, note string) process.Exit {
	return process.Exit{Cause: process.Lost, Code: process.CodeNotStarted, Started: rec.Entered(progress.Starting), Note: note}
}

// resultOf returns the result of a run that is over, as described by its record.
func resultOf(e record.Entry) Result {
	res := Result{RunID: e.ID, Outcome: Outcome(e.Outcome), Code: e.Code, Reason: e.Reason, Record: e.Dir}
	if e.Exit != nil {
		res.JobCode, res.Started, res.Ended = e.Exit.Code, e.Exit.Started, e.Exit.Ended
	}
	if e.Outputs != nil {
		res.Outputs, res.KeptAt = collectedOf(e.Outputs), e.Outputs.At
		if e.Outputs.Error != "" {
			res.OutputsErr = errors.New(e.Outputs.Error)
		}
	}
	if e.GPU != nil {
		res.GPUWay, res.said = docker.GPUWay(e.GPU.Way), e.GPU.Sentence
		res.Evidence, res.GPUWanted = evidence.Verdict{StandIn: e.GPU.StandIn, GPUs: e.GPU.Names}, e.SaysGPU()
		if e.GPU.Proven {
			res.Evidence.Level = evidence.Used
		}
	}
	return res
}

func collectedOf(o *record.Outputs) project.Collected {
	return project.Collected{Files: len(o.Files), Bytes: o.Bytes, List: o.Files}
}
