package session

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/amlfix/amlfix/runtime/mlflow"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
)

// askEvery is how often the record is checked for requests from `amlfix runs stop`.
const askEvery = 250 * time.Millisecond

// recorder writes the record of a run. If the record cannot be written, a job is not started; a running job continues
// without it, and this is reported once.
type recorder struct {
	run  *record.Run
	say  progress.Sink
	fail context.CancelCauseFunc
	once sync.Once
	// stopped is why the job is being stopped.
	stopped func() *record.Stop
	git     chan struct{} // closed when git has described the project; nil: git is not asked
}

// recordError reports that a run was not started because its record could not be written.
type recordError struct{ error }

// create creates the record of a new run, and connects it to everything that the run reports and prints.
func (s *Session) create() error {
	rec := record.Record{
		ID: s.Plan.RunID, Program: s.Options.Version, Name: secret.HideValue(s.Plan.Name), Target: secret.HideValue(s.Plan.Target.Value), Kind: string(s.Plan.Kind.Value),
		Project: s.Plan.Project, Tracked: s.Plan.Tracked.Value, Script: secret.HideValue(s.Plan.Script.Value), Limit: s.Plan.Timeout.Value, After: s.Options.After,
	}
	rec.Handle.Host, rec.Handle.User = secret.HideValue(s.Plan.Host.Address.Value), secret.HideValue(s.Plan.Host.User.Value) // an address with a login is not an address
	if s.Plan.GPUs.Value.Wanted() {
		rec.GPUs = string(s.Plan.GPUs.Value)
	}
	for _, a := range s.Plan.Argv {
		rec.Arguments = append(rec.Arguments, a.Shown())
	}
	for _, l := range s.Plan.Lines() {
		rec.Plan = append(rec.Plan, record.Line{Name: l.Name, Value: l.Value, From: l.Origin.String()})
	}
	if _, err := os.Stat(s.Plan.Project); err != nil {
		return fmt.Errorf("%s: the project folder cannot be read: %w", s.Plan.Project, plain.Cause(err))
	}
	run, err := record.Create(rec)
	if err != nil {
		return err
	}
	s.Plan.Project = run.Record().Project // the name that a program that resumes the run uses for the project
	s.keep(run)
	s.rec.git = make(chan struct{})
	go func() { // git may be slow
		defer close(s.rec.git)
		if c := commit(s.Plan.Project); c != nil {
			s.rec.update(func(rec *record.Record) { rec.Git = c })
		}
	}()
	return nil
}

// keep writes everything that happens from now on to a record.
func (s *Session) keep(run *record.Run) {
	s.rec = &recorder{run: run, say: s.Say, fail: func(error) {}}
	said := s.Say
	s.Say = func(e progress.Event) {
		if e.State != "" && e.State != progress.Done {
			s.rec.enter(e.State)
		}
		if said != nil {
			said(e)
		}
	}
	s.Found = func(list []record.Check) {
		for i := range list {
			list[i].Text = oneLine(list[i].Text)
		}
		s.Note(func(rec *record.Record) { rec.Checks = append(slices.Clip(rec.Checks), list...) })
	}
	if s.Options.Unseen {
		run.Log().Unseen()
	}
	s.Streams = run.Log().Tee(s.Streams)
	s.Result.Record = run.Dir()
}

// stoppable returns a context that is also cancelled by `amlfix runs stop`, or if a job cannot be started because the
// record fails. A second request closes the control's Kill, as the user's own second request does.
func (s *Session) stoppable(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	s.rec.fail = cancel
	kill, over := make(chan struct{}), make(chan struct{})
	users := s.Control.Kill
	s.Control.Kill = kill
	var wait sync.WaitGroup
	wait.Go(func() {
		look := time.NewTicker(askEvery)
		defer look.Stop()
		for {
			var now bool
			select {
			case <-over:
				return
			case <-users:
				now = true
			case <-look.C:
				var stop bool
				if stop, now = s.rec.run.StopRequested(); stop {
					cancel(&process.Signalled{Signal: syscall.SIGTERM})
				}
			}
			if now {
				close(kill)
				return
			}
		}
	})
	s.rec.stopped = func() *record.Stop {
		stop := &record.Stop{Cause: string(process.TimedOut), Code: process.CodeTimedOut, At: time.Now().UTC()}
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

// Record changes the record. It is safe for concurrent use.
func (s *Session) Record(change func(*record.Record)) { s.rec.update(change) }

// Note is like Record, for changes that can wait until the next state is written.
func (s *Session) Note(change func(*record.Record)) { s.rec.run.Note(change) }

// Exited records how the job itself ended, before its outputs are collected.
func (s *Session) Exited(e process.Exit) {
	e.Started, e.Ended = e.Started.UTC(), e.Ended.UTC()
	s.rec.update(func(rec *record.Record) { rec.Exit = &e })
}

func (c *recorder) update(change func(*record.Record)) { c.failed(c.run.Update(change)) }

func (c *recorder) failed(err error) {
	if err == nil {
		return
	}
	if c.run.Record().Entered(progress.Running).IsZero() {
		c.fail(recordError{err})
		return
	}
	c.once.Do(func() { c.say.Notice("the run continues without a record: %v", err) })
}

// recordOutputs records what was copied back, and keeps it under the record's own names. If nothing was, this is
// written with the next change.
func (s *Session) recordOutputs() {
	out := &record.Outputs{Files: s.Result.Outputs.List, Bytes: s.Result.Outputs.Bytes, At: s.Result.KeptAt}
	if s.Result.OutputsErr != nil {
		out.Error = oneLine(s.Result.OutputsErr.Error())
	}
	for _, f := range s.Result.Outputs.List {
		_ = s.rec.run.KeepOutput(s.Plan.Project, f.Path) // the list says which there were; see KeepOutput
	}
	for _, l := range s.Result.Outputs.Links {
		_ = s.rec.run.KeepLink(l.Path, l.Target)
	}
	if change := func(rec *record.Record) { rec.Outputs = out }; len(out.Files) == 0 && out.Error == "" && s.rec.run.Record().Outputs == nil {
		s.rec.run.Note(change)
	} else {
		s.rec.update(change)
	}
	s.keepStore()
}

// keepStore converts what the job has logged with MLflow to metrics of the record.
func (s *Session) keepStore() {
	below := strings.TrimPrefix(mlflow.StoreDir, project.OutputsDir+"/")
	if !slices.ContainsFunc(s.Result.Outputs.List, func(f project.File) bool { return strings.HasPrefix(f.Path, below+"/") }) {
		return
	}
	root, err := os.OpenRoot(filepath.Join(s.rec.run.Dir(), record.OutputsName, below))
	if err != nil {
		return // the file system does not support hard links
	}
	defer func() { _ = root.Close() }()
	if lines := mlflow.ReadStore(root.FS()); len(lines) > 0 {
		s.rec.failed(s.rec.run.AddMetrics(lines))
	}
}

// close writes how the run ended and releases its record. It removes the record of an untracked run, unless the record
// is needed to find the job again.
func (s *Session) close(ctx context.Context) {
	if s.rec.git != nil {
		<-s.rec.git
	}
	res, log := s.Result, s.rec.run.Log()
	sayCut := func() {
		if err := log.Err(); err != nil {
			s.rec.once.Do(func() { s.Say.Notice("%s", record.CutBy(err)) })
		}
	}
	sayCut()
	behind := s.behind()
	for _, w := range behind {
		s.Say.Notice("%s", w)
	}
	left, kept := res.Outcome == Lost && (res.Container != "" || res.Folder != ""), s.rec.run.Record().Tracked
	if !left && !kept {
		s.Result.Record = ""
		if err := s.rec.run.Remove(); err != nil {
			s.Say.Notice("%v", err)
		}
		return
	}
	s.rec.update(func(rec *record.Record) {
		rec.Outcome, rec.Code, rec.Reason = string(res.Outcome), res.Code, res.Reason
		rec.GPU = &record.GPU{Sentence: res.Evidence.Sentence(), Short: res.Evidence.Short(), Proven: res.Evidence.Proven(), StandIn: res.Evidence.StandIn, Names: res.Evidence.GPUs, Way: string(res.GPUWay), Line: res.Evidence.Line, Driver: res.Evidence.Peak.Driver}
		if p := res.Evidence.Peak; p.Samples > 0 {
			rec.GPU.Peak = &record.Peak{Samples: p.Samples, Utilisation: p.Utilisation, Memory: p.Memory, Process: p.Process}
		}
		if res.Started.IsZero() {
			rec.GPU = nil
		}
		if err := log.Err(); err != nil {
			rec.WarnOfCut(err)
		}
		for _, w := range slices.Concat(res.Warnings, s.unsent, behind) {
			rec.Warnings = append(rec.Warnings, oneLine(w.String()))
		}
		if left {
			rec.Enter(progress.Detached)
		} else {
			rec.Enter(progress.Done)
		}
	})
	sayCut() // saving it may have cut the log
	s.send(ctx)
	s.rec.run.Close()
}
