package remote

import (
	"context"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/record"
	sshjob "github.com/amlfix/amlfix/runtime/remote"
	"github.com/amlfix/amlfix/runtime/session"
	"github.com/amlfix/amlfix/runtime/shim"
	"github.com/amlfix/amlfix/runtime/store"
	"github.com/amlfix/amlfix/runtime/target"
	"github.com/amlfix/amlfix/schema/secret"
)

// Run runs the job as a process on the plan's host, for a target with its own extra.
func Run(ctx context.Context, t target.Target, s *session.Session, snap project.Snapshot, extra Extra) (process.Exit, error) {
	s.Say.Enter(progress.Checking, "logging in to %s", secret.HideValue(s.Plan.Host.Address.Value))
	line, err := target.Dial(ctx, &s.Job)
	if err != nil {
		return process.Exit{}, err
	}
	defer func() { _ = line.Close() }()
	results, program := checkHost(ctx, &s.Job, line, true, extra)
	if err := context.Cause(ctx); err != nil {
		return process.Exit{}, err
	}
	if err := target.Judge(t, &s.Job, results, nil); err != nil {
		return process.Exit{}, err
	}
	spec := specOf(s, program)
	if spec.GPUs, spec.GPUTotal, err = target.OwnGPUs(ctx, s, session.SMIOf(line.Script), "on that machine"); err != nil {
		return process.Exit{}, err
	}
	if extra.Adapt != nil {
		if err := extra.Adapt(s.Plan, &spec, &snap); err != nil {
			return process.Exit{}, err
		}
	}
	name := spec.Project
	var use *store.Use
	if extra.Adapt == nil { // another target may move what it gets
		use = Stored(ctx, s, line.Name(), &spec, snap, func(text string) { s.Say.Notice("%s", text) })
	}
	spec.Upload = func(ctx context.Context, w io.Writer) error {
		o := project.TarOptions{Prefix: name, Moved: s.Copying(snap)}
		if use != nil {
			o = use.Options(o)
			o.Moved = s.CopyingOf(use.Sending())
		}
		return snap.Tar(ctx, w, o)
	}
	if use != nil {
		defer use.Close()
	}
	Attend(ctx, s, line, &spec, extra.Elsewhere)
	result, err := sshjob.Run(ctx, line, spec, s.Streams, s.Control, s.Say)
	ended(s, result)
	if !extra.Elsewhere {
		s.LookForDriver(ctx, line.Script)
	}
	return result.Exit, place(s.Plan, err)
}

// specOf describes a job that runs a program on the machine.
func specOf(s *session.Session, program string) sshjob.Spec {
	name := sshjob.ProjectName(s.Plan.Project)
	env := slices.DeleteFunc(s.Plan.Variables(), func(v string) bool { return strings.HasPrefix(v, plan.ShareVariable+"=") })
	return sshjob.Spec{RunID: s.Plan.RunID, Project: name, Argv: append([]string{program}, s.Plan.Command()...), Env: env,
		Share: s.Plan.ShareDir.Value, ShareVariable: plan.ShareVariable,
		Append: []string{target.PythonPath + "=" + path.Join(name, shim.PythonDir)},
		Paths:  []string{shim.MetricsVariable + "=" + path.Join(name, shim.MetricsFile)},
	}
}

// Attend records what happens to the job, samples its GPUs unless the work is done elsewhere, and copies its outputs
// back.
func Attend(ctx context.Context, s *session.Session, line sshjob.Line, spec *sshjob.Spec, elsewhere bool) {
	measured, sampled := func() {}, func() {}
	var written func(context.Context) []string
	spec.Began = func(job *sshjob.Job) {
		if !elsewhere {
			written = job.Written
			smi := []session.SMI{session.SMIOf(line.Script)}
			sampled = s.Sample(ctx, session.GPUs{List: smi, Processes: smi, Job: job.Processes})
		}
		file := path.Join(sshjob.ProjectName(s.Plan.Project), shim.MetricsFile)
		measured = s.Measure(ctx, func(ctx context.Context, from int64) ([]byte, error) {
			return job.Read(ctx, file, from, session.MetricsPiece)
		})
	}
	spec.Exited = func(exit process.Exit) {
		sampled()
		measured()
		s.Exited(exit)
		if written != nil {
			s.Elsewhere(written(context.WithoutCancel(ctx)))
		}
	}
	spec.Collect = s.CollectTar
}

// ended records what a run has left on its host.
func ended(s *session.Session, result sshjob.Result) {
	switch {
	case result.Cause == process.Lost:
		s.Result.Folder = result.Folder
	case result.CollectErr != nil:
		s.OutputsKept(result.CollectErr, path.Join(result.Folder, sshjob.ProjectName(s.Plan.Project), project.OutputsDir))
	}
}

// place adds the line in the project's files that an error about a job on another machine concerns.
func place(p plan.Plan, err error) error {
	start, ok := errors.AsType[*sshjob.StartError](err)
	if !ok {
		return target.PlaceHost(p, err)
	}
	o := p.Host.Address.Origin
	if start.Code == process.CodeNoProgram || start.Code == process.CodeCannotRun {
		o = p.Interpreter.Origin
	}
	if o.Path == "" {
		return err
	}
	return &plan.PlacedError{Origin: o, Err: err}
}

// Fetch copies the outputs in the run's folder again.
func Fetch(ctx context.Context, s *session.Session, rec record.Record) error {
	line, err := target.Dial(ctx, &s.Job)
	if err != nil {
		return err
	}
	defer func() { _ = line.Close() }()
	job, err := sshjob.Open(ctx, line, rec.ID, sshjob.ProjectName(rec.Project))
	if err == nil {
		err = job.Do(ctx, "true") // checks that the folder exists
	}
	if err == nil {
		err = job.Collect(ctx, func(tar io.Reader) error { return s.CollectTar(ctx, tar) })
	}
	if errors.Is(err, sshjob.ErrGone) {
		err = &session.GoneError{What: "its folder " + job.Folder()}
	}
	if err != nil {
		return err
	}
	return job.Remove(ctx)
}

// Resume resumes a run on another machine, for a target with its own extra.
func Resume(ctx context.Context, s *session.Session, rec record.Record, extra Extra) (process.Exit, error) {
	if rec.Entered(progress.Uploading).IsZero() {
		return process.Exit{}, session.ErrNeverStarted
	}
	line, err := target.Dial(session.Reaching(ctx), &s.Job)
	if err != nil {
		s.Result.Folder = rec.Handle.Host
		return session.Unseen(rec, ""), err
	}
	defer func() { _ = line.Close() }()
	job, err := sshjob.Open(session.Reaching(ctx), line, rec.ID, sshjob.ProjectName(rec.Project))
	if err != nil {
		s.Result.Folder = line.Name()
		return session.Unseen(rec, ""), err
	}
	if !rec.MayRun() {
		_ = job.Remove(session.Reaching(ctx))
		return process.Exit{}, session.ErrNeverStarted
	}
	spec := sshjob.Spec{}
	if extra.Stopping != nil {
		spec.OnStop, spec.OnKill = extra.Stopping(rec.ID)
	}
	Attend(ctx, s, line, &spec, extra.Elsewhere)
	job.SayRunning(ctx, s.Say)
	out, errs := s.Seen()
	result, err := sshjob.Attend(ctx, job, sshjob.Position{Stdout: out, Stderr: errs}, spec, s.Streams, s.Control, s.Say)
	switch {
	case errors.Is(err, sshjob.ErrNotBegun):
		return process.Exit{}, session.ErrNeverStarted
	case errors.Is(err, sshjob.ErrGone) && rec.Exit != nil: // killed when only the final report was missing
		return *rec.Exit, nil
	case errors.Is(err, sshjob.ErrGone):
		return session.Unseen(rec, "its folder no longer exists: it was removed, and it is not known how the job ended"), nil
	}
	ended(s, result)
	if !extra.Elsewhere {
		s.LookForDriver(ctx, line.Script)
	}
	return result.Exit, err
}
