package runtime

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/secret"
)

// obeyEvery is how often it is looked whether `amlfix runs stop` has asked for something.
const obeyEvery = 250 * time.Millisecond

// recorder writes the record of a run. That it cannot be written keeps a job from being started; a job that runs goes on
// without, and that is said once.
type recorder struct {
	run  *record.Run
	say  progress.Sink
	fail context.CancelCauseFunc
	once sync.Once
	// stopped says why the job is being stopped.
	stopped func() *record.Stop
	git     chan struct{} // closed when git has told about the project; nil: it is not asked
}

// recordError tells that a run was not begun because its record could not be written.
type recordError struct{ error }

// create makes the record of a new run and has everything that the run says and prints go through it.
func (r *runner) create() error {
	rec := record.Record{
		ID: r.plan.RunID, Program: r.opts.Version, Name: secret.HideValue(r.plan.Name), Target: secret.HideValue(r.plan.Target.Value), Kind: string(r.plan.Kind.Value),
		Project: r.plan.Project, Tracked: r.plan.Tracked.Value, Script: secret.HideValue(r.plan.Script.Value), Limit: r.plan.Timeout.Value,
	}
	rec.Handle.Host, rec.Handle.User = secret.HideValue(r.plan.Host.Value), secret.HideValue(r.plan.User.Value) // one with a login is no address
	for _, a := range r.plan.Argv {
		rec.Arguments = append(rec.Arguments, a.shown())
	}
	for _, l := range r.plan.Lines() {
		rec.Plan = append(rec.Plan, record.Line{Name: l.Name, Value: l.Value, From: l.Origin.String()})
	}
	if _, err := os.Stat(r.plan.Project); err != nil {
		return fmt.Errorf("%s: the project folder cannot be read: %w", r.plan.Project, disk.Cause(err))
	}
	run, err := record.Create(rec)
	if err != nil {
		return err
	}
	r.plan.Project = run.Record().Project // the name that those go on with who pick the run up
	r.keep(run)
	r.rec.git = make(chan struct{})
	go func() { // git may take its time
		defer close(r.rec.git)
		if c := commit(r.plan.Project); c != nil {
			r.rec.update(func(rec *record.Record) { rec.Git = c })
		}
	}()
	return nil
}

// keep has all that happens from now on written to a record.
func (r *runner) keep(run *record.Run) {
	r.rec = &recorder{run: run, say: r.say, fail: func(error) {}}
	said := r.say
	r.say = func(e progress.Event) {
		if e.State != "" && e.State != progress.Done {
			r.rec.enter(e.State)
		}
		if said != nil {
			said(e)
		}
	}
	r.streams = run.Log().Tee(r.streams)
	r.result.Record = run.Dir()
}

// obey returns a context that is also cancelled by `amlfix runs stop`, and when a job cannot be begun because the record
// fails. A second request closes the control's Kill, as the user's own does.
func (r *runner) obey(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	r.rec.fail = cancel
	kill, over := make(chan struct{}), make(chan struct{})
	users := r.control.Kill
	r.control.Kill = kill
	var wait sync.WaitGroup
	wait.Go(func() {
		look := time.NewTicker(obeyEvery)
		defer look.Stop()
		for {
			now := false
			select {
			case <-over:
				return
			case <-users:
				now = true
			case <-look.C:
				var stop bool
				if stop, now = r.rec.run.StopRequested(); stop {
					cancel(&process.Signalled{Signal: syscall.SIGTERM})
				}
			}
			if now {
				close(kill)
				return
			}
		}
	})
	r.rec.stopped = func() *record.Stop {
		stop := &record.Stop{Cause: string(process.TimedOut), Code: CodeTimedOut, At: time.Now().UTC()}
		if ctx.Err() != nil {
			stop.Cause, stop.Code = string(process.Cancelled), process.CancelCode(ctx)
		}
		return stop
	}
	return ctx, func() {
		close(over)
		wait.Wait()
		cancel(nil)
	}
}

func (c *recorder) enter(s progress.State) {
	err := c.run.Enter(s)
	if s == progress.Stopping && c.run.Record().Stop == nil && c.stopped != nil {
		stop := c.stopped()
		err = c.run.Update(func(rec *record.Record) { rec.Stop = stop })
	}
	c.failed(err)
}

func (c *recorder) update(change func(*record.Record)) { c.failed(c.run.Update(change)) }

func (c *recorder) exited(e process.Exit) {
	c.update(func(rec *record.Record) {
		rec.Exit = &record.Exit{Code: e.Code, Cause: string(e.Cause), OOMKilled: e.OOMKilled, Started: e.Started.UTC(), Ended: e.Ended.UTC(), Note: e.Note}
	})
}

func (c *recorder) failed(err error) {
	if err == nil {
		return
	}
	if c.run.Record().Entered(progress.Running).IsZero() {
		c.fail(recordError{err})
		return
	}
	c.once.Do(func() { c.say.Notice("the run goes on without its record: %v", err) })
}

// collected records what came back, and keeps it under names of the record's own.
func (r *runner) collected() {
	out := &record.Outputs{Bytes: r.result.Outputs.Bytes, At: r.result.KeptAt}
	if r.result.OutputsErr != nil {
		out.Error = oneLine(r.result.OutputsErr.Error())
	}
	for _, f := range r.result.Outputs.List {
		out.Files = append(out.Files, record.File(f))
		_ = r.rec.run.KeepOutput(r.plan.Project, f.Path) // the list says which there were, see KeepOutput
	}
	r.rec.update(func(rec *record.Record) { rec.Outputs = out })
}

// close writes how the run ended and gives its record back. The record of a run that is not tracked is removed, unless
// it is needed to find the job again.
func (r *runner) close(ctx context.Context) {
	if r.rec.git != nil {
		<-r.rec.git
	}
	res, log := r.result, r.rec.run.Log()
	if err := log.Err(); err != nil {
		r.rec.once.Do(func() {
			r.say.Notice("the record of the run is not complete: its log could not be written: %v", disk.Cause(err))
		})
	}
	for _, w := range few(res.Outputs.Warnings) {
		r.say.Notice("%s", w)
	}
	r.rec.update(func(rec *record.Record) {
		rec.Outcome, rec.Code, rec.Reason = string(res.Outcome), res.Code, res.Reason
		rec.GPU = &record.GPU{Sentence: res.Evidence.Sentence(), Short: res.Evidence.Short(), Proven: res.Evidence.Proven(), StandIn: res.Evidence.StandIn, Names: res.Evidence.GPUs, Way: string(res.GPUWay)}
		if p := res.Evidence.Peak; p.Samples > 0 {
			rec.GPU.Peak = &record.Peak{Samples: p.Samples, Utilisation: p.Utilisation, Memory: p.Memory, Process: p.Process}
		}
		if res.Started.IsZero() {
			rec.GPU = nil
		}
		for _, w := range slices.Concat(res.Warnings, few(res.Outputs.Warnings)) {
			rec.Warnings = append(rec.Warnings, oneLine(w.String()))
		}
	})
	switch {
	case res.Outcome == Lost && (res.Container != "" || res.Folder != ""):
		r.rec.enter(progress.Detached)
		r.sent(ctx)
		r.rec.run.Close()
	case r.rec.run.Record().Tracked:
		r.rec.enter(progress.Done)
		r.sent(ctx)
		r.rec.run.Close()
	default:
		r.result.Record = ""
		if err := r.rec.run.Remove(); err != nil {
			r.say.Notice("%v", err)
		}
	}
}

// fewWarnings is how many warnings about what a job has left are shown: it may have left any number of files.
const fewWarnings = 5

// few are the first of a list of warnings, and how many more there are.
func few(list []project.Warning) []project.Warning {
	if len(list) <= fewWarnings {
		return list
	}
	return append(slices.Clone(list[:fewWarnings]), project.Warning{Text: fmt.Sprintf("and %d more of "+project.OutputsDir+"/", len(list)-fewWarnings)})
}
