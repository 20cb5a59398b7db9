package kubernetes

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/amlfix/amlfix/runtime/kubernetes"
	"github.com/amlfix/amlfix/runtime/prepare"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/record"
	sshjob "github.com/amlfix/amlfix/runtime/remote"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/runtime/session"
	"github.com/amlfix/amlfix/runtime/shim"
	"github.com/amlfix/amlfix/runtime/store"
	"github.com/amlfix/amlfix/runtime/target"
	"github.com/amlfix/amlfix/runtime/target/remote"
)

// run is a run in a pod.
type run struct {
	s      *session.Session
	client *kubernetes.Client
	line   *kubernetes.Line // nil: no pod yet
	exit   *process.Exit    // how the job ended; nil: not known yet
	close  func()           // nil: there is nothing to close
	built  prepare.Env      // the environment the job runs in, if its image was built for it
	sends  func(string)     // reports how much of the project has been sent
	making io.Writer        // receives the output of the tools that make the environment
}

// Run creates a job whose pod waits for the project, and then starts the job in the pod as on any other machine.
func (t Target) Run(ctx context.Context, s *session.Session, snap project.Snapshot) (process.Exit, error) {
	s.Say.Enter(progress.Checking, "checking the cluster")
	client, results := check(ctx, &s.Job, true)
	if err := context.Cause(ctx); err != nil {
		return process.Exit{}, err
	}
	if err := target.Judge(t, &s.Job, results, nil); err != nil {
		return process.Exit{}, err
	}
	r := &run{s: s, client: client, sends: func(text string) { s.Say.Notice("%s", text) }, making: s.Options.Stderr} // standard output is reserved for the job
	n := partOf(s.Plan).Spec.Pods()
	s.Record(func(rec *record.Record) {
		rec.Handle.Context, rec.Handle.Namespace, rec.Handle.Container = client.Context, client.Namespace, kubernetes.JobName(s.Plan.RunID)
		if n > 1 {
			rec.Pods = make([]record.Pod, n)
			for i := range rec.Pods {
				rec.Pods[i].Helper = partOf(s.Plan).Spread.helper(i)
			}
		}
	})
	if err := r.build(ctx); err != nil {
		return process.Exit{}, err
	}
	if err := r.claim(ctx); err != nil {
		return process.Exit{}, err
	}
	if n > 1 {
		s.Say.Enter(progress.Creating, "creating job %s with %d pods in %s", kubernetes.JobName(s.Plan.RunID), n, client.Cluster)
		return newGroup(s, client, n).with(r).carry(ctx, snap)
	}
	s.Say.Enter(progress.Creating, "creating job %s in %s", kubernetes.JobName(s.Plan.RunID), client.Cluster)
	exit, err := r.run(ctx, snap)
	return r.settle(ctx, exit, err)
}

func (r *run) run(ctx context.Context, snap project.Snapshot) (exit process.Exit, err error) {
	s := r.s
	part := partOf(s.Plan)
	if err := r.client.Create(ctx, part.Spec); err != nil {
		return exit, err
	}
	pods, err := r.client.Await(ctx, part.Spec, s.Say)
	if err != nil {
		return exit, err
	}
	r.line = r.client.Line(pods[0].Metadata.Name)
	spec, err := r.spec(ctx, pods[0], s.Say)
	if err != nil {
		return exit, err
	}
	r.upload(ctx, &spec, snap, "", s.CopyingOf)
	result, err := sshjob.Run(ctx, r.line, r.attended(ctx, spec), s.Streams, s.Control, s.Say)
	return r.ended(ctx, result, err)
}

// spec describes the job in the pod, where its environment exists by then.
func (r *run) spec(ctx context.Context, pod kubernetes.Pod, say progress.Sink) (sshjob.Spec, error) {
	s, name := r.s, sshjob.ProjectName(r.s.Plan.Project)
	home, err := r.line.HomeOf(ctx)
	if err != nil {
		return sshjob.Spec{}, err
	}
	start, err := r.environment(ctx, pod, home, say)
	argv := slices.Concat(start, []string{s.Plan.Interpreter.Value}, s.Plan.Command())
	return sshjob.Spec{
		RunID: s.Plan.RunID, Project: name, Argv: argv, Env: append([]string{home}, partOf(s.Plan).variables()...),
		Append: []string{target.PythonPath + "=" + name + "/" + shim.PythonDir}, Paths: []string{shim.MetricsVariable + "=" + name + "/" + shim.MetricsFile},
	}, err
}

// upload sends the project, or those parts of it that the folder below, on a persistent volume, lacks.
func (r *run) upload(ctx context.Context, spec *sshjob.Spec, snap project.Snapshot, below string, copying func(total int64) func(moved int64)) {
	s := r.s
	var use *store.Use
	if claim := partOf(s.Plan).Spec.Claim.Value; claim != "" {
		if use = remote.Stored(ctx, s, r.client.String()+"/"+claim+below, spec, snap, r.sends); use != nil {
			r.close = use.Close
		}
	}
	spec.Upload = func(ctx context.Context, w io.Writer) error {
		o := project.TarOptions{Prefix: spec.Project}
		total := snap.Bytes
		if use != nil {
			o, total = use.Options(o), use.Sending()
		}
		o.Moved = copying(total)
		return snap.Tar(ctx, w, o)
	}
}

// attended returns spec with what has to be done while the job runs and after it has ended.
func (r *run) attended(ctx context.Context, spec sshjob.Spec) sshjob.Spec {
	remote.Attend(ctx, r.s, r.line, &spec, false)
	exited := spec.Exited
	spec.Exited = func(exit process.Exit) {
		exit = explained(ctx, r.line, r.s.Plan.RunID, exit)
		r.exit = &exit
		exited(exit)
	}
	return spec
}

// explained returns an exit together with what the kernel reports about the container's memory, and the cluster about a
// pod that it ends: the job then ends by its signal.
func explained(ctx context.Context, line *kubernetes.Line, id runid.ID, exit process.Exit) process.Exit {
	if exit.Cause != process.Ended || exit.Code != 137 && exit.Code != 143 {
		return exit
	}
	own := context.WithoutCancel(ctx)
	if exit.Code == 137 && line.OOMs(own) > 0 {
		exit.OOMKilled, exit.Note = true, "the container ran out of memory: allow more with --memory"
	} else if why := line.Ending(own, id); why != "" {
		exit.Cause, exit.Code, exit.Note = process.Lost, process.CodeNotStarted, why
	}
	return exit
}

// ended reports how the job ended, and records what it leaves in the cluster.
func (r *run) ended(ctx context.Context, result sshjob.Result, err error) (process.Exit, error) {
	s := r.s
	var gone *kubernetes.GoneError
	switch {
	case errors.As(err, &gone) && result.Ran():
		return r.gone(gone), nil
	case result.Cause == process.Lost:
		s.Result.Folder = result.Folder
		return result.Exit, err
	case err != nil:
		return result.Exit, err
	case result.CollectErr != nil && errors.As(result.CollectErr, &gone):
		s.Result.OutputsErr = lostOutputs(gone)
	case result.CollectErr != nil:
		s.OutputsKept(result.CollectErr, r.line.Name()+" of "+r.client.String())
	}
	if r.exit != nil {
		result.Exit = *r.exit
	}
	s.LookForDriver(ctx, r.line.Script)
	return result.Exit, nil
}

// gone returns how a job ended whose pod disappeared before the job's end was seen.
func (r *run) gone(e *kubernetes.GoneError) process.Exit {
	exit := unseen(e)
	if exit.Cause == process.Ended {
		r.s.Result.OutputsErr = lostOutputs(e)
	}
	return exit
}

func lostOutputs(e *kubernetes.GoneError) error {
	return errors.New("they were lost with the pod: " + e.Error())
}

// unseen returns the exit that the cluster reports for such a job.
func unseen(e *kubernetes.GoneError) process.Exit {
	t := e.Pod.State().Terminated
	exit := process.Exit{Cause: process.Lost, Code: process.CodeNotStarted, Started: time.Now(), Note: e.Error() + "; what it had not sent yet is lost"}
	if t == nil || e.Deleted {
		return exit
	}
	exit.Started, exit.Ended = t.StartedAt, t.FinishedAt
	if e.Pod.Metadata.DeletionTimestamp != nil || e.Pod.Status.Reason != "" || e.Pod.Disrupted() != "" { // the cluster ended it
		return exit
	}
	exit.Cause, exit.Code, exit.OOMKilled, exit.Note = process.Ended, t.Code(), t.Reason == "OOMKilled", ""
	return exit
}

// settle removes the job from the cluster, unless it may still run or holds the only copy of its outputs.
func (r *run) settle(ctx context.Context, exit process.Exit, err error) (process.Exit, error) {
	if r.close != nil {
		defer r.close()
	}
	s := r.s
	if s.Result.Folder != "" || s.Result.KeptAt != "" {
		return exit, err
	}
	own := context.WithoutCancel(ctx)
	if exit.Ran() && exit.Cause != process.Lost && r.line != nil {
		if t, releaseErr := r.client.Release(own, r.line, s.Plan.RunID, exit.Code); releaseErr == nil && t.ExitCode != exit.Code {
			s.Say.Notice("the cluster reports that the pod ended with exit code %d, but the job ended with %d", t.ExitCode, exit.Code)
		}
	}
	if removeErr := r.client.Remove(own, s.Plan.RunID, false); removeErr != nil {
		s.Say.Notice("%v; `amlfix runs clean --orphans` tries again", removeErr)
	}
	return exit, err
}

// open finds the pod of a run that an earlier process began.
func open(ctx context.Context, s *session.Session, rec record.Record) (*run, *sshjob.Job, error) {
	client, err := kubernetes.Connect(ctx, kubernetes.Cluster{Context: rec.Handle.Context, Namespace: rec.Handle.Namespace}, target.OwnEnvironment())
	if err != nil {
		return nil, nil, err
	}
	r := &run{s: s, client: client}
	pods, err := client.Pods(ctx, kubernetes.JobName(rec.ID))
	switch {
	case err != nil:
		return r, nil, err
	case len(pods) == 0:
		return r, nil, &kubernetes.GoneError{Pod: kubernetes.Pod{Metadata: kubernetes.Metadata{Name: kubernetes.JobName(rec.ID)}}, Deleted: true}
	}
	r.line = client.Line(pods[0].Metadata.Name)
	job, err := sshjob.Open(ctx, r.line, rec.ID, sshjob.ProjectName(rec.Project))
	return r, job, err
}

// Resume resumes a run whose pod an earlier process created.
func (Target) Resume(ctx context.Context, s *session.Session, rec record.Record) (process.Exit, error) {
	if rec.Handle.Container == "" {
		return process.Exit{}, session.ErrNeverStarted
	}
	if len(rec.Pods) > 1 {
		return resumeGroup(ctx, s, rec)
	}
	r, job, err := open(session.Reaching(ctx), s, rec)
	var gone *kubernetes.GoneError
	if r == nil || err != nil && !errors.As(err, &gone) && rec.MayRun() {
		s.Result.Folder = rec.Handle.Container + " in " + rec.Handle.Context
		return session.Unseen(rec, ""), err
	}
	if !rec.MayRun() {
		if err := r.client.Remove(session.Reaching(ctx), rec.ID, false); err != nil {
			return process.Exit{}, err
		}
		return process.Exit{}, session.ErrNeverStarted
	}
	exit, err := r.resume(ctx, rec, job, gone)
	return r.settle(ctx, exit, err)
}

func (r *run) resume(ctx context.Context, rec record.Record, job *sshjob.Job, gone *kubernetes.GoneError) (process.Exit, error) {
	switch {
	case gone != nil && rec.Exit != nil: // killed when everything was done except reporting it
		return *rec.Exit, nil
	case gone != nil:
		exit := r.gone(gone)
		exit.Started = rec.Entered(progress.Starting)
		return exit, nil
	}
	job.SayRunning(ctx, r.s.Say)
	out, errs := r.s.Seen()
	result, err := sshjob.Attend(ctx, job, sshjob.Position{Stdout: out, Stderr: errs}, r.attended(ctx, sshjob.Spec{}), r.s.Streams, r.s.Control, r.s.Say)
	switch {
	case errors.Is(err, sshjob.ErrNotBegun):
		return process.Exit{}, session.ErrNeverStarted
	case errors.Is(err, sshjob.ErrGone) && rec.Exit != nil:
		return *rec.Exit, nil
	case errors.Is(err, sshjob.ErrGone):
		return session.Unseen(rec, "its folder is gone: it was removed, and how the job ended is not known"), nil
	}
	return r.ended(ctx, result, err)
}

// Fetch reads the outputs from the pod, which waits for a day.
func (Target) Fetch(ctx context.Context, s *session.Session, rec record.Record) error {
	if len(rec.Pods) > 1 {
		return fetchGroup(ctx, s, rec)
	}
	r, job, err := open(ctx, s, rec)
	if err == nil {
		err = job.Do(ctx, "true") // checks that the folder exists
	}
	if err == nil {
		err = job.Collect(ctx, func(tar io.Reader) error { return s.CollectTar(ctx, tar) })
	}
	if err != nil {
		return err
	}
	return r.client.Remove(ctx, rec.ID, false)
}
