package local

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	supervise "github.com/amlfix/amlfix/runtime/local"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/session"
	"github.com/amlfix/amlfix/runtime/shim"
	"github.com/amlfix/amlfix/runtime/target"
)

// Run copies the project and runs the job in the copy.
func (t Target) Run(ctx context.Context, s *session.Session, snap project.Snapshot) (process.Exit, error) {
	checked, err := t.begin(ctx, s)
	if err != nil {
		return process.Exit{}, err
	}
	dir, done, err := s.Copy(ctx, snap)
	obstacle := checked()
	if err != nil {
		return process.Exit{}, err
	}
	defer done()
	if obstacle != nil {
		return process.Exit{}, obstacle
	}
	gpus, chosen, err := leased(ctx, s)
	if err != nil {
		return process.Exit{}, err
	}
	defer chosen()
	env := append(target.OwnEnvironment(), s.Plan.Variables()...)
	env = append(env, gpus...)
	env = append(env, shim.MetricsVariable+"="+filepath.Join(dir, filepath.FromSlash(shim.MetricsFile)))
	env = shim.AppendPath(env, target.PythonPath, filepath.Join(dir, filepath.FromSlash(shim.PythonDir)), os.PathListSeparator)
	argv := append([]string{s.Plan.Interpreter.Value}, s.Plan.Command()...)
	spec := supervise.Spec{RunID: s.Plan.RunID, Argv: argv, Env: env, Dir: dir, Folder: filepath.Dir(dir), Stopping: stopping(s)}
	spec.Began = func() {
		chosen()
		s.Say.Enter(progress.Running, "running %s", s.Plan.Program())
	}
	s.Say.Enter(progress.Starting, "")
	exit, err := watch(ctx, s, dir, func() (process.Exit, error) { return supervise.Run(ctx, spec, s.Streams, s.Control) })
	s.LookForDriver(ctx, session.Here)
	return exit, place(s.Plan, err)
}

// begin checks, before a run, what the run itself would not notice, or only late. Slow checks run concurrently with
// what the caller does next; checked waits for them and must be called.
func (t Target) begin(ctx context.Context, s *session.Session) (checked func() error, err error) {
	if err := target.Judge(t, &s.Job, target.CheckFolders(&s.Job, true), nil); err != nil {
		return nil, err
	}
	found := make(chan []preflight.Result, 1)
	go func() { found <- checkProgram(ctx, &s.Job, true) }()
	return func() error {
		results := <-found
		if err := context.Cause(ctx); err != nil {
			return err
		}
		return target.Judge(t, &s.Job, results, nil)
	}, nil
}

// stopping returns a function that reports the steps towards ending the job.
func stopping(s *session.Session) func(process.Step, process.Cause) {
	return func(step process.Step, why process.Cause) { s.Say.Stop(step, why, s.Control) }
}

// watch records what happens to a job that works in a folder on this machine, and copies its outputs back.
func watch(ctx context.Context, s *session.Session, dir string, job func() (process.Exit, error)) (process.Exit, error) {
	measured := s.Measure(ctx, session.FileMetrics(dir))
	sampled := s.Sample(ctx, session.GPUs{List: []session.SMI{session.SMIHere}, Processes: []session.SMI{session.SMIHere},
		Job: func(context.Context) []int { return supervise.Processes(s.Plan.RunID) }})
	exit, err := job()
	sampled()
	measured()
	if exit.Ran() {
		s.Exited(exit)
		s.Collect(ctx, dir)
	}
	return exit, err
}

// place adds the line in the project's files that names the interpreter, or else the target.
func place(p plan.Plan, err error) error {
	o := p.Interpreter.Origin
	if o.Path == "" { // where it would be set
		o = p.Kind.Origin
	}
	if err != nil && o.Path != "" {
		return &plan.PlacedError{Origin: plan.Origin{Path: o.Path, Line: o.Line}, Err: err} // the error says that it does not exist
	}
	return err
}

// Fetch collects the outputs of the working folder again.
func (Target) Fetch(ctx context.Context, s *session.Session, rec record.Record) error {
	return s.FetchFolder(ctx, rec)
}

// Resume resumes a run whose supervisor may still be running.
func (Target) Resume(ctx context.Context, s *session.Session, rec record.Record) (process.Exit, error) {
	if !rec.MayRun() {
		s.DropFolder(rec)
		return process.Exit{}, session.ErrNeverStarted
	}
	if rec.Exit != nil { // killed after the job had ended
		s.CollectLeft(ctx, rec)
		return *rec.Exit, nil
	}
	dir := rec.Handle.Folder
	if since := rec.Entered(progress.Running); supervise.Busy(filepath.Dir(dir)) && !since.IsZero() {
		s.Say.Notice("the job runs on this machine, since %s", since.Local().Format(time.DateTime))
	}
	out, errs := s.Seen()
	exit, err := watch(ctx, s, dir, func() (process.Exit, error) {
		return supervise.Attend(ctx, filepath.Dir(dir), supervise.Position{Stdout: out, Stderr: errs}, s.Streams, s.Control.Kill, stopping(s))
	})
	switch {
	case errors.Is(err, supervise.ErrNotBegun):
		err = session.ErrNeverStarted
	case errors.Is(err, supervise.ErrGone):
		exit, err = session.Unseen(rec, "its working folder no longer exists, and it is not known how the job ended: the machine was restarted, or the folder was removed"), nil
	}
	s.LookForDriver(ctx, session.Here)
	if err == nil || errors.Is(err, session.ErrNeverStarted) {
		s.DropFolder(rec)
	}
	return exit, err
}
