package runtime

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/local"
	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/remote"
	"github.com/amlfix/amlfix/runtime/ssh"
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
		results = append(results, r.checkEngine(ctx)...)
	case Remote, Cluster:
		results = append(results, r.checkHost(ctx)...)
	default:
		results = append(results, r.checkLocal(ctx)...)
	}
	var checks []Check
	for _, res := range results {
		checks = append(checks, r.at(res))
	}
	return checks, context.Cause(ctx)
}

// at finds the place that a result is about. An error that knows its place better says so.
func (r *runner) at(res preflight.Result) Check {
	c := Check{Result: res}
	var placed *PlacedError
	var plan *PlanError
	switch {
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
		c.Origin = r.plan.Interpreter.Origin
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
	return append(results, preflight.Result{Topic: preflight.Project, Status: preflight.OK, Text: text})
}

// container says what the plan needs of an engine.
func (r *runner) container() preflight.Container {
	c := preflight.Container{ID: r.plan.RunID, Image: r.plan.Image.Value, Named: r.plan.Named, GPUs: r.plan.GPUs.Value == AllGPUs, Recipe: r.plan.Recipe, File: r.plan.Conda.Value,
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
		out, err := r.line.Script(ctx, "df -Pk -- "+ssh.Quote(info.Root)+" 2>/dev/null || df -Pk /")
		lines := strings.Split(strings.TrimSpace(out), "\n")
		fields := strings.Fields(lines[len(lines)-1])
		if err != nil || len(fields) < 6 {
			return 0, false
		}
		n, err := strconv.ParseInt(fields[3], 10, 64)
		return n << 10, err == nil
	case info.Local:
		return preflight.FreeSpace(info.Root)
	}
	return 0, false
}

func (r *runner) checkEngine(ctx context.Context) (results []preflight.Result) {
	eng, err := r.engine(ctx, "")
	if err != nil {
		topic := preflight.Engine
		if r.plan.Host.Value != "" && r.line == nil {
			topic = preflight.Connection
		}
		return append(results, failedAs(topic, err))
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

// checkHost looks at the Python of another machine.
func (r *runner) checkHost(ctx context.Context) []preflight.Result {
	line, err := r.dial(ctx)
	if err != nil {
		return []preflight.Result{failedAs(preflight.Connection, err)}
	}
	results := []preflight.Result{r.connected()}
	program, err := remote.Find(ctx, line, r.plan.Interpreter.Value)
	if err != nil {
		return append(results, failedAs(preflight.Program, r.placedThere(err)))
	}
	word := ssh.Quote(program)
	switch rest, home := strings.CutPrefix(program, "~/"); {
	case home:
		word = `"$HOME"/` + ssh.Quote(rest)
	case strings.Contains(program, "/") && program[0] != '/':
		return append(results, preflight.Result{Topic: preflight.Program, Status: preflight.Unknown, Text: program + " goes with the project, and is not there before the run"})
	}
	return append(results, r.checkPython(ctx, program, func(ctx context.Context) ([]byte, error) {
		var out, errs bytes.Buffer
		err := line.Exec(ctx, "cd / && exec "+word+" -", strings.NewReader(preflight.Script), process.Streams{Stdout: &out, Stderr: &errs})
		return out.Bytes(), lastWords(err, errs.String())
	})...)
}

func (r *runner) checkLocal(ctx context.Context) []preflight.Result {
	program := r.plan.Interpreter.Value
	found, err := local.FindProgram(program, r.plan.Project)
	if err != nil {
		return []preflight.Result{failedAs(preflight.Program, r.placedLocal(err))}
	}
	return r.checkPython(ctx, found.Path, func(ctx context.Context) ([]byte, error) { return askLocal(ctx, found.Path, r.plan.Project) })
}

// askTime is how long a Python may take to say what it has.
const askTime = time.Minute

// askLocal has a Python of this machine execute the script that tells what it has.
func askLocal(ctx context.Context, program, dir string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "-")
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, ownEnvironment(), time.Second
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(preflight.Script), &out, &errs
	err := cmd.Run()
	return out.Bytes(), lastWords(err, errs.String())
}

// lastWords adds the last line that a program has said to the error that it ended with.
func lastWords(err error, said string) error {
	lines := strings.Split(strings.TrimSpace(said), "\n")
	if last := lines[len(lines)-1]; err != nil && last != "" {
		return fmt.Errorf("%w: %s", err, last)
	}
	return err
}

// checkPython looks at a Python of the user's own; spark-submit is only looked for.
func (r *runner) checkPython(ctx context.Context, program string, run func(context.Context) ([]byte, error)) []preflight.Result {
	if r.spark() {
		return []preflight.Result{{Topic: preflight.Program, Status: preflight.OK, Text: program + " is there"}}
	}
	return preflight.CheckPython(ctx, program, r.wantsGPU(), run)
}

// spark reports whether the program is spark-submit rather than a Python.
func (r *runner) spark() bool {
	return strings.HasPrefix(path.Base(filepath.ToSlash(r.plan.Interpreter.Value)), "spark-submit")
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

// readyLocal looks at the user's own Python before a run that is meant to use a GPU.
func (r *runner) readyLocal(ctx context.Context) error {
	if !r.wantsGPU() || r.spark() {
		return nil
	}
	out, err := askLocal(ctx, r.plan.Interpreter.Value, r.plan.Project)
	if err != nil || !preflight.Answered(out) {
		return context.Cause(ctx) // no Python; starting the job shows what it is
	}
	return r.judge(r.checkPython(ctx, r.plan.Interpreter.Value, func(context.Context) ([]byte, error) { return out, nil }), func(err error) error { return err })
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
