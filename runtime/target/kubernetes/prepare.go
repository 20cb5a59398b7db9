package kubernetes

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/amlfix/amlfix/runtime/kubernetes"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/prepare"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	sshjob "github.com/amlfix/amlfix/runtime/remote"
	"github.com/amlfix/amlfix/runtime/runid"
)

// environment makes what the job needs besides its image, in the pod, unless it is already on the claim, and returns
// the arguments to put before the job's program. Pods of a run with a claim may do this at the same time.
func (r *run) environment(ctx context.Context, pod kubernetes.Pod, home string, say progress.Sink) (start []string, err error) {
	part, line := partOf(r.s.Plan), r.line
	packages := part.Packages
	if packages.Recipe.Empty() {
		return r.built.Start(), nil
	}
	f := prepare.Folder{Spec: prepare.Spec{Image: part.Spec.Image.Value, Recipe: packages.Recipe, File: packages.Conda.Value, At: packages.At()}}
	machine, err := line.Script(ctx, "uname -m") // an image ID may stand for several architectures
	if err != nil {
		return nil, err
	}
	f.Dir = kubernetes.Environment(f.Spec.Recipe.Key(pod.ImageID() + " " + strings.TrimSpace(machine)))
	way, err := line.Script(ctx, f.Find())
	if err != nil {
		return nil, err
	}
	if way = strings.TrimSpace(way); way != "" {
		return f.Start(prepare.Way(way)), nil
	}
	if !packages.Prepare.Value {
		return nil, &plan.Error{Origin: packages.Prepare.Origin, Text: part.unprepared()}
	}
	said, err := line.Script(ctx, prepare.ToolsScript)
	if err != nil {
		return nil, err
	}
	if f.Tools = prepare.ReadTools(said); f.Tools.Conda == "" && f.Tools.Python != "" && !prepare.AllowsPython(f.Spec.Recipe.Python, f.Tools.PythonVersion) {
		say.Notice("%s: image %s has no conda: %s is not installed, the job runs on the image's Python %s", f.Spec.File, f.Spec.Image, f.Spec.Recipe.Python, f.Tools.PythonVersion)
	}
	if err := prepare.Possible(f.Spec, f.Tools); err != nil {
		return nil, err
	}
	if err := r.prepare(ctx, f, home, say); err != nil {
		return nil, err
	}
	if part.Spec.Claim.Value != "" {
		_, _ = line.Script(ctx, f.Sweep()) // if this fails, only space is lost, and a later run tries again
	}
	return f.Start(f.Way()), nil
}

// prepare makes an environment in a job of its own, so that a broken connection does not end it.
func (r *run) prepare(ctx context.Context, f prepare.Folder, home string, say progress.Sink) error {
	s, part := r.s, partOf(r.s.Plan)
	say.Enter(progress.Preparing, "building the environment of %s on image %s with %s, which can take many minutes", f.Spec.File, f.Spec.Image, f.Way())
	const project = "environment"
	spec := sshjob.Spec{RunID: runid.New(time.Now()), Project: project, Argv: f.Argv(kubernetes.Alive(s.Plan.RunID)), Env: []string{home, "PYTHONUNBUFFERED=1"},
		Upload: func(_ context.Context, w io.Writer) error { return f.Upload(w, project) }}
	control := s.Control
	control.Limit = 0
	began := time.Now()
	var said prepare.Said
	out, flush := said.Hide(ctx, process.Streams{Stdout: r.making, Stderr: r.making}, f.Spec.Recipe)
	result, err := sshjob.Run(ctx, r.line, spec, out, control, func(e progress.Event) {
		if e.State == "" && say != nil { // these are states of a job, which this is not
			say(e)
		}
	})
	flush()
	switch {
	case err != nil:
		return err
	case result.Cause == process.Cancelled && context.Cause(ctx) != nil:
		left := ""
		if claim := part.Spec.Claim.Value; claim != "" {
			left = "only what the next run replaces on claim " + claim
		}
		return &prepare.StoppedError{File: f.Spec.File, Left: left, Err: context.Cause(ctx)}
	case result.Cause != process.Ended || result.Code != 0:
		disk := "the pod's disk"
		if claim := part.Spec.Claim.Value; claim != "" {
			disk = "the volume of claim " + claim
		}
		return &prepare.Error{Spec: f.Spec, Way: f.Way(), Code: result.Code, Note: result.Note, Trouble: said.Trouble(), Disk: disk}
	}
	kept := "it is removed with the pod"
	if claim := part.Spec.Claim.Value; claim != "" {
		kept = "it is kept on claim " + claim
	}
	say.Enter(progress.Preparing, "the environment is ready after %v; %s", time.Since(began).Round(time.Second), kept)
	return nil
}

func (part *Part) unprepared() string {
	return fmt.Sprintf("PrepareEnvironment is false, and the environment of %s on image %s has not been prepared yet: write true for one run with a claim (kubernetes.claim), which keeps it", part.Packages.Conda.Value, part.Spec.Image.Value)
}

// variables returns the variables that are sent over the connection.
func (part *Part) variables() (env []string) {
	for _, v := range part.Plain {
		env = append(env, v.Name+"="+v.Value)
	}
	return env
}

// with gives the members of a group what was made for all of them.
func (g *group) with(r *run) *group {
	making := &taken{w: r.making}
	for _, m := range g.members {
		m.built, m.making = r.built, making
	}
	return g
}

// taken is a writer shared by several pods.
type taken struct {
	mu sync.Mutex
	w  io.Writer
}

func (t *taken) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.w == nil {
		return len(p), nil
	}
	return t.w.Write(p)
}
