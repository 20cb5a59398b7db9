package runtime

import (
	"context"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/remote"
	"github.com/amlfix/amlfix/runtime/shim"
	"github.com/amlfix/amlfix/schema/secret"
)

// remote runs the plan as a process of its host.
func (r *runner) remote(ctx context.Context, snap project.Snapshot) (process.Exit, error) {
	r.say.Enter(progress.Checking, "logging in to %s", secret.HideValue(r.plan.Host.Value))
	line, err := r.dial(ctx)
	if err != nil {
		return process.Exit{}, err
	}
	results, program := r.checkHost(ctx, true)
	if err := context.Cause(ctx); err != nil {
		return process.Exit{}, err
	}
	if err := r.judge(results, func(err error) error { return err }); err != nil {
		return process.Exit{}, err
	}
	name := remote.ProjectName(r.plan.Project)
	env := slices.DeleteFunc(r.environment(), func(v string) bool { return strings.HasPrefix(v, shareVariable+"=") })
	spec := remote.Spec{RunID: r.plan.RunID, Project: name, Argv: append([]string{program}, r.argv()[1:]...), Env: env, Share: r.plan.ShareDir.Value, ShareVariable: shareVariable,
		Append: []string{pythonPath + "=" + path.Join(name, shim.PythonDir)},
		Paths:  []string{shim.MetricsVariable + "=" + path.Join(name, shim.MetricsFile)},
		Upload: func(ctx context.Context, w io.Writer) error {
			moved := func(n int64) { r.say.Move("copying the project,", n, snap.Bytes) }
			return snap.Tar(ctx, w, project.TarOptions{Prefix: name, Moved: moved})
		},
	}
	if r.plan.YARN {
		if err := r.spread(&spec, &snap); err != nil {
			return process.Exit{}, err
		}
	}
	r.attended(ctx, &spec)
	result, err := remote.Run(ctx, line, spec, r.streams, r.control, r.say)
	r.left(result)
	return result.Exit, r.placedThere(err)
}

// attended has what happens to the job recorded, and its outputs brought back.
func (r *runner) attended(ctx context.Context, spec *remote.Spec) {
	measured := func() {}
	spec.Began = func(job *remote.Job) {
		file := path.Join(remote.ProjectName(r.plan.Project), shim.MetricsFile)
		measured = r.measure(ctx, func(ctx context.Context, from int64) ([]byte, error) { return job.Read(ctx, file, from, metricsPiece) })
	}
	spec.Exited = func(exit process.Exit) {
		measured()
		r.rec.exited(exit)
	}
	spec.Collect = func(ctx context.Context, tar io.Reader) (err error) {
		r.result.Outputs, err = project.CollectTar(ctx, r.counted(tar), r.plan.Project)
		r.collected()
		return err
	}
}

// left takes over what a run has left on its host.
func (r *runner) left(result remote.Result) {
	switch {
	case result.Cause == process.Lost:
		r.result.Folder = result.Folder
	case result.CollectErr != nil:
		r.result.OutputsErr = result.CollectErr
		r.result.KeptAt = path.Join(result.Folder, remote.ProjectName(r.plan.Project), project.OutputsDir)
		r.collected() // once more, for the record
	}
}

// placedThere adds the line of the project's files that an error about a job on another machine is about.
func (r *runner) placedThere(err error) error {
	var start *remote.StartError
	if !errors.As(err, &start) {
		return r.placedLine(err)
	}
	o := r.plan.Host.Origin
	if start.Code == 127 || start.Code == 126 {
		o = r.plan.Interpreter.Origin
	}
	if o.Path == "" {
		return err
	}
	return &PlacedError{Origin: o, Err: err}
}

// pickUpRemote goes on with a job on another machine.
func (r *runner) pickUpRemote(ctx context.Context, rec record.Record) (process.Exit, error) {
	if rec.Entered(progress.Uploading).IsZero() {
		return process.Exit{}, errLeft
	}
	line, err := r.dial(reaching(ctx))
	if err != nil {
		r.result.Folder = rec.Handle.Host
		return r.unseen(rec), err
	}
	job, err := remote.Open(reaching(ctx), line, rec.ID, remote.ProjectName(rec.Project))
	if err != nil {
		r.result.Folder = line.Name()
		return r.unseen(rec), err
	}
	if !rec.MayRun() {
		_ = job.Remove(reaching(ctx))
		return process.Exit{}, errLeft
	}
	spec := remote.Spec{OnStop: stopOnYARN(rec.ID), OnKill: killOnYARN(rec.ID)}
	r.attended(ctx, &spec)
	out, errs := r.rec.run.Log().Seen()
	result, err := remote.Attend(ctx, job, remote.Position{Stdout: out, Stderr: errs}, spec, r.streams, r.control, r.say)
	switch {
	case errors.Is(err, remote.ErrNotBegun):
		return process.Exit{}, errLeft
	case errors.Is(err, remote.ErrGone) && rec.Exit != nil: // killed when all was done but to say so
		return exitOf(rec), nil
	case errors.Is(err, remote.ErrGone):
		exit := r.unseen(rec)
		exit.Note = "its folder is gone: somebody has removed it, and how the job ended is not known"
		return exit, nil
	}
	r.left(result)
	return result.Exit, err
}
