package runtime

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/prepare"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/secret"
)

// Check is one thing that was looked at before a run, with the line of the project's files that it is about.
type Check struct {
	preflight.Result
	Origin Origin
}

// Stops reports whether a run is not started because of the check. With requireGPU doubts about the GPU stop it too.
func (c Check) Stops(requireGPU bool) bool {
	return c.Status == preflight.Failed || requireGPU && c.Status == preflight.Doubtful &&
		slices.Contains([]preflight.Topic{preflight.GPUs, preflight.Driver, preflight.CUDA, preflight.Packages}, c.Topic)
}

// CheckRun looks whether a plan can be carried out, without carrying it out: whether everything it needs is there,
// reachable and fits together. What it starts to find that out is removed again, and no image is pulled. The error is nil
// unless ctx was cancelled: what is wrong stands in the checks.
func CheckRun(ctx context.Context, plan Plan, opts RunOptions) ([]Check, error) {
	r := &runner{plan: plan, opts: opts, say: opts.Progress}
	defer r.hangUp()
	results := r.checkProject()
	switch plan.Kind.Value {
	case Docker:
		results = append(append(results, r.checkEngine(ctx)...), r.checkFolders()...)
	case Remote, Cluster:
		there, _ := r.checkHost(ctx, false)
		results = append(results, there...)
	default:
		results = append(append(results, r.checkLocal(ctx, false)...), r.checkFolders()...)
	}
	var checks []Check
	for _, res := range results {
		check := r.at(res)
		check.Text, check.Next, check.Origin.Note = secret.Hide(check.Text), secret.Hide(check.Next), secret.Hide(check.Origin.Note)
		checks = append(checks, check)
	}
	return checks, context.Cause(ctx)
}

// at finds the place that a result is about. An error that knows its place better says so.
func (r *runner) at(res preflight.Result) Check {
	c := Check{Result: res}
	var placed *PlacedError
	var plan *PlanError
	var unmade *prepare.Error
	switch {
	case errors.As(res.Err, &unmade): // it knows its place itself
		return c
	case errors.As(res.Err, &placed):
		c.Origin, c.Text = placed.Origin, placed.Err.Error()
		return c
	case errors.As(res.Err, &plan):
		c.Origin, c.Text = plan.Origin, plan.Text
		return c
	}
	switch res.Topic {
	case preflight.Image, preflight.CUDA, preflight.Driver:
		c.Origin = r.plan.Image.Origin
	case preflight.GPUs:
		c.Origin = r.plan.GPUs.Origin
	case preflight.Environment:
		if c.Origin = r.plan.Conda.Origin; !r.plan.Prepare.Value && res.Status == preflight.Failed {
			c.Origin = r.plan.Prepare.Origin
		}
	case preflight.Program, preflight.Packages:
		if c.Origin = r.plan.Interpreter.Origin; c.Origin.Path == "" && res.Status != preflight.OK { // where it would be named
			c.Origin = Origin{Path: r.plan.Kind.Origin.Path, Line: r.plan.Kind.Origin.Line}
		}
	case preflight.Folder:
		if c.Origin = r.plan.ShareDir.Origin; r.plan.Unshared.Value {
			c.Origin = r.plan.Unshared.Origin
		}
	case preflight.Connection:
		c.Origin = r.plan.Host.Origin
	}
	return c
}

// failedAs makes a result of an error.
func failedAs(t preflight.Topic, err error) preflight.Result {
	return preflight.Result{Topic: t, Status: preflight.Failed, Text: Explain(err), Err: err}
}

// checkProject looks whether the project can be sent and has the script.
func (r *runner) checkProject() (results []preflight.Result) {
	snap, err := project.Scan(r.plan.Project)
	if err != nil {
		return append(results, failedAs(preflight.Project, err))
	}
	r.size = snap.Bytes
	for _, w := range snap.Warnings {
		results = append(results, preflight.Result{Topic: preflight.Project, Status: preflight.Doubtful, Text: w.String()})
	}
	if err := r.checkScript(snap); err != nil {
		return append(results, failedAs(preflight.Project, err))
	}
	text := fmt.Sprintf("%d files and folders go with the job", len(snap.Entries))
	if r.plan.Script.Value != "" {
		text += "; its script " + r.plan.Script.Value + " is among them"
	}
	results = append(results, preflight.Result{Topic: preflight.Project, Status: preflight.OK, Text: text})
	return append(results, r.checkUnshared(snap)...)
}

// container says what the plan needs of an engine.
func (r *runner) container() preflight.Container {
	c := preflight.Container{ID: r.plan.RunID.String(), Image: r.plan.Image.Value, Named: r.plan.Named, GPUs: r.plan.GPUs.Value == AllGPUs, Recipe: r.plan.Recipe, File: r.plan.Conda.Value, At: r.onlyConda(),
		Gone: GoneAdvice(r.plan.Image.Value), Bytes: r.size, Free: r.free, Say: r.say}
	if !r.plan.Prepare.Value {
		c.Unprepared = r.unprepared()
	}
	return c
}

// free tells how much of the engine's disk is free, when this machine or the plan's host can see it.
func (r *runner) free(ctx context.Context, info docker.Info) (int64, bool) {
	switch {
	case r.line != nil:
		return freeThere(ctx, r.line, escape.Word(info.Root))
	case info.Local:
		return preflight.FreeSpace(info.Root)
	}
	return 0, false
}

func (r *runner) checkEngine(ctx context.Context) (results []preflight.Result) {
	eng, err := r.engine(ctx)
	if err != nil {
		topic, why := preflight.Engine, "the Docker engine cannot be asked"
		if r.plan.Host.Value != "" && r.line == nil {
			topic, why = preflight.Connection, "there is no connection to "+secret.HideValue(r.plan.Host.Value)
		}
		return append(append(results, failedAs(topic, err)), r.container().Unseen(why)...)
	}
	if r.opts.Engine == nil {
		defer func() { _ = eng.Close() }()
	}
	if r.line != nil {
		results = append(results, r.connected())
	}
	found, _ := preflight.CheckContainer(ctx, eng, r.container())
	for i, f := range found {
		if f.Err != nil && f.Next == "" { // what stands in Next it would say again
			found[i].Err = r.placed(f.Err)
		}
	}
	return append(results, found...)
}

func (r *runner) connected() preflight.Result {
	return preflight.Result{Topic: preflight.Connection, Status: preflight.OK, Text: "logged in to " + r.line.Name()}
}

// wantsGPU reports whether the job is meant to use a GPU.
func (r *runner) wantsGPU() bool { return r.plan.GPUs.Value == AllGPUs || r.opts.RequireGPU }

// ready looks, before a run in a container, at what the run would not find out by itself, or only late. The image is
// pulled when it is missing. It returns how GPUs are asked for.
func (r *runner) ready(ctx context.Context, eng docker.Engine) (docker.GPUWay, error) {
	need := r.container()
	need.Pull = true
	results, way := preflight.CheckContainer(ctx, eng, need)
	if err := context.Cause(ctx); err != nil {
		return way, err
	}
	return way, r.judge(results, func(err error) error { return r.placed(err) })
}

// judge tells of doubts and makes one error of what has failed. With --require-gpu doubts about the GPU count as failures.
func (r *runner) judge(results []preflight.Result, place func(error) error) error {
	var failures []error
	for _, res := range results {
		c := r.at(res)
		switch {
		case res.Err != nil && res.Status == preflight.Failed:
			failures = append(failures, place(res.Err))
		case c.Stops(r.opts.RequireGPU):
			failures = append(failures, &PlanError{Origin: c.Origin, Text: c.String()})
		case res.Status == preflight.Doubtful && c.Origin.Path != "":
			r.say.Notice("%s: %s", c.Origin, c.Result)
		case res.Status == preflight.Doubtful:
			r.say.Notice("%s", c.Result)
		}
	}
	if len(failures) == 1 {
		return failures[0]
	}
	return errors.Join(failures...)
}
