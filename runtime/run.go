package runtime

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/evidence"
	"github.com/amlfix/amlfix/runtime/local"
	"github.com/amlfix/amlfix/runtime/mlflow"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/shim"
	"github.com/amlfix/amlfix/runtime/ssh"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/disk"
)

// shareVariable tells a job where the folder of nativeSharedDirectory is.
const shareVariable = "AZUREML_NATIVE_SHARE_DIRECTORY"

// pythonPath is where Python looks for modules before its installed packages.
const pythonPath = "PYTHONPATH"

// RunOptions says how a run is watched and stopped. The zero value runs silently.
type RunOptions struct {
	Stdout   io.Writer       // the job's bytes, as they come; nil drops them
	Stderr   io.Writer       // likewise; may be the same writer
	Progress progress.Sink   // what the run says about itself
	Kill     <-chan struct{} // closed when the user asks a second time: the job is killed at once
	Grace    time.Duration   // from the request to stop to the kill; 0: process.DefaultGrace
	Version  string          // of this program, for the record
	// MLflow is the server that the run is sent to while it goes on; nil: none.
	MLflow *mlflow.Client
	// RequireGPU gives a job that ended well without a proof that it used a GPU the code CodeNoGPU. What is known before
	// the start to speak against its using one keeps it from starting.
	RequireGPU bool
	Engine     docker.Engine // nil: that of the plan's host, or else the one that DOCKER_HOST names, or this machine's
	SSH        ssh.Options   // how to log in to the plan's host; its Notice is not used
	// patience is that of process.Control; tests do not wait for minutes.
	patience time.Duration
}

// Run carries out a plan. Cancelling ctx asks the job to stop; process.Signals makes a fitting context and Kill. It
// returns when nothing is left of the run: the outputs are back, container or processes and the working folder are gone,
// except for what Result.Container and Result.KeptAt name. The error is nil when the job was started and its end seen,
// however it ended; it is the reason when it was not (Result.Code says what to exit with), and its text is for people.
//
// The run has a record in the project from before its first action on; see the package record. It stays, unless the plan
// says that the run is not tracked. Attach picks a run up whose program was killed.
func Run(ctx context.Context, plan Plan, opts RunOptions) (Result, error) {
	r := newRunner(plan, opts)
	if err := r.create(); err != nil {
		r.settle(ctx, process.Exit{}, err)
		return r.result, err
	}
	ctx, over := r.obey(ctx)
	defer over()
	defer r.hangUp()
	r.sent = r.track(ctx)
	exit, err := r.run(ctx)
	return r.end(ctx, exit, err)
}

func newRunner(plan Plan, opts RunOptions) *runner {
	r := &runner{plan: plan, opts: opts, say: opts.Progress, scanner: evidence.New(catalog.LogPatterns())}
	shared := process.Streams{Stdout: opts.Stdout, Stderr: opts.Stderr}.Shared()
	r.shown = shared
	r.scanned = process.Streams{Stdout: r.scanner.Stream(), Stderr: r.scanner.Stream()}
	r.streams = process.Streams{Stdout: io.MultiWriter(shared.Stdout, r.scanned.Stdout), Stderr: io.MultiWriter(shared.Stderr, r.scanned.Stderr)}
	r.control = process.Control{Limit: plan.Timeout.Value, Grace: opts.Grace, Kill: opts.Kill, Patience: opts.patience}
	if plan.Kind.Value == Cluster && opts.Grace == 0 {
		r.control.Grace = clusterGrace
	}
	r.result.RunID = plan.RunID
	return r
}

// end says how the run ended, in its record too.
func (r *runner) end(ctx context.Context, exit process.Exit, err error) (Result, error) {
	r.settle(ctx, exit, err)
	r.result.Evidence = r.verdict(ctx)
	if r.opts.RequireGPU && r.result.Outcome == Succeeded && r.result.Code == 0 && !r.result.Evidence.Proven() {
		r.result.Code = CodeNoGPU
	}
	r.close(ctx)
	r.say.Enter(progress.Done, "")
	if r.result.Outcome == Lost {
		return r.result, errors.New(r.result.Reason)
	}
	return r.result, err
}

type runner struct {
	plan    Plan
	opts    RunOptions
	say     progress.Sink
	scanner *evidence.Scanner
	peak    evidence.Peak
	streams process.Streams // shown and scanned, and kept in the record
	shown   process.Streams
	scanned process.Streams
	control process.Control
	result  Result
	line    *ssh.Line // to the plan's host; nil until it is needed
	size    int64     // of the project, in bytes
	rec     *recorder
	sent    func(context.Context)
	earlier *record.Stop // an earlier program has asked the job to stop
}

func (r *runner) run(ctx context.Context) (process.Exit, error) {
	if err := context.Cause(ctx); err != nil {
		return process.Exit{}, err
	}
	r.say.Enter(progress.Checking, "")
	snap, err := project.Scan(r.plan.Project)
	if err != nil {
		return process.Exit{}, err
	}
	r.result.Warnings, r.size = snap.Warnings, snap.Bytes
	for _, w := range snap.Warnings {
		r.say.Notice("%s", w)
	}
	if err := r.checkScript(snap); err != nil {
		return process.Exit{}, err
	}
	for _, f := range shim.Files() {
		snap.Add(f.Path, f.Content)
	}
	if r.plan.ShareDir.Value != "" && r.plan.Host.Value == "" {
		if err := disk.MakeShared(r.plan.ShareDir.Value, 0o755); err != nil {
			return process.Exit{}, fmt.Errorf("%s: the shared folder %s cannot be made (%w): name another one in nativeSharedDirectory", r.plan.ShareDir.Origin, r.plan.ShareDir.Value, err)
		}
	}
	switch r.plan.Kind.Value {
	case Local:
		return r.local(ctx, snap)
	case Docker:
		return r.docker(ctx, snap)
	case Remote, Cluster:
		return r.remote(ctx, snap)
	}
	return process.Exit{}, fmt.Errorf("a run of kind %q cannot be started", r.plan.Kind.Value)
}

// checkScript finds out before the start what the interpreter would only say afterwards, and in its own words.
func (r *runner) checkScript(snap project.Snapshot) error {
	script := r.plan.Script
	if script.Value == "" || filepath.IsAbs(script.Value) || script.Value[0] == '-' {
		return nil
	}
	found, by := snap.Find(script.Value)
	switch {
	case found:
		return nil
	case by != "":
		return &PlanError{Origin: script.Origin, Text: fmt.Sprintf("the script %s does not go with the job: %s leaves it out", script.Value, by)}
	}
	return &PlanError{Origin: script.Origin, Text: fmt.Sprintf("there is no script %s in the project folder %s", script.Value, r.plan.Project)}
}

// copied makes a working folder with a copy of the project in it. done removes it, unless outputs are still in it.
func (r *runner) copied(ctx context.Context, snap project.Snapshot) (dir string, done func(), err error) {
	name := filepath.Base(snap.Root)
	dir = filepath.Join(os.TempDir(), folderName(r.plan.RunID), name)
	r.rec.update(func(rec *record.Record) { rec.Handle.Folder = dir })
	r.say.Enter(progress.Creating, "")
	base, err := disk.TempNamed(folderName(r.plan.RunID))
	if err != nil {
		return "", nil, fmt.Errorf("no working folder can be made in %s (%w): look at its rights, or set TMPDIR to another folder", os.TempDir(), err)
	}
	done = func() {
		if r.result.KeptAt != "" {
			base.Close()
			return
		}
		_ = base.Destroy()
	}
	work, err := base.MakeSub(name, 0o755)
	if err == nil {
		r.say.Enter(progress.Uploading, "")
		err = snap.CopyTo(ctx, work, func(n int64) { r.say.Move("copying the project,", n, snap.Bytes) })
		work.Close()
	}
	if err != nil {
		done()
		return "", nil, err
	}
	return dir, done, nil
}

// removeTemp removes the folder of a run that another process has made.
func removeTemp(dir string) {
	if base, err := disk.OpenTemp(dir); err == nil {
		_ = base.Destroy()
	}
}

func (r *runner) local(ctx context.Context, snap project.Snapshot) (process.Exit, error) {
	ready, err := r.readyLocal(ctx)
	if err != nil {
		return process.Exit{}, err
	}
	dir, done, err := r.copied(ctx, snap)
	obstacle := ready()
	if err != nil {
		return process.Exit{}, err
	}
	defer done()
	if obstacle != nil {
		return process.Exit{}, obstacle
	}
	env := append(ownEnvironment(), r.environment()...)
	env = append(env, shim.MetricsVariable+"="+filepath.Join(dir, filepath.FromSlash(shim.MetricsFile)))
	env = shim.AppendPath(env, pythonPath, filepath.Join(dir, filepath.FromSlash(shim.PythonDir)), os.PathListSeparator)
	spec := local.Spec{RunID: r.plan.RunID, Argv: r.argv(), Env: env, Dir: dir, Folder: filepath.Dir(dir), Stopping: r.stopping}
	spec.Began = func() { r.say.Enter(progress.Running, "running %s", r.plan.Interpreter.Value) }
	r.say.Enter(progress.Starting, "")
	exit, err := r.attendLocal(ctx, dir, func() (process.Exit, error) { return local.Run(ctx, spec, r.streams, r.control) })
	return exit, r.placedLocal(err)
}

// stopping says that the job is about to be asked to stop.
func (r *runner) stopping() {
	r.say.Enter(progress.Stopping, "stopping the job, which has %v to end", r.control.GraceTime())
}

// attendLocal records what happens to a job that works in a folder of this machine, and brings its outputs back.
func (r *runner) attendLocal(ctx context.Context, dir string, watch func() (process.Exit, error)) (process.Exit, error) {
	measured := r.measure(ctx, fileMetrics(dir))
	looked := r.sample(ctx, localGPUs(r.plan.RunID))
	exit, err := watch()
	looked()
	measured()
	if exit.Ran() {
		r.rec.exited(exit)
		r.collect(ctx, dir)
	}
	return exit, err
}

// placedLocal adds the line of the project's files that names the interpreter, or else the target.
func (r *runner) placedLocal(err error) error {
	o := r.plan.Interpreter.Origin
	if o.Path == "" { // where it would be named
		o = r.plan.Kind.Origin
	}
	if err != nil && o.Path != "" {
		return &PlacedError{Origin: Origin{Path: o.Path, Line: o.Line}, Err: err} // that it is not there is in the error
	}
	return err
}

// collect brings the outputs of a working folder back, also after a failure or cancellation.
func (r *runner) collect(ctx context.Context, dir string) {
	r.say.Enter(progress.Collecting, "")
	r.result.Outputs, r.result.OutputsErr = project.CollectDir(context.WithoutCancel(ctx), dir, r.plan.Project)
	if r.result.OutputsErr != nil {
		r.result.KeptAt = filepath.Join(dir, project.OutputsDir)
	}
	r.collected()
}

// counted lets the user see how much of the outputs has come back.
func (r *runner) counted(stream io.Reader) io.Reader { return &counted{r: stream, say: r.say} }

type counted struct {
	r   io.Reader
	n   int64
	say progress.Sink
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if c.n += int64(n); n > 0 {
		c.say.Move("bringing outputs back,", c.n, 0)
	}
	return n, err
}

func (r *runner) argv() []string {
	argv := []string{r.plan.Interpreter.Value}
	for _, a := range slices.Concat(r.plan.Spark, r.plan.Argv) {
		argv = append(argv, a.Value)
	}
	return argv
}

func (r *runner) environment() (env []string) {
	for _, v := range r.plan.Env {
		env = append(env, v.Name+"="+v.Value)
	}
	return env
}
