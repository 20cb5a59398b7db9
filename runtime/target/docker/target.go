// Package docker runs jobs in containers of a Docker engine, on this machine or on another machine over SSH.
package docker

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/prepare"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/session"
	"github.com/amlfix/amlfix/runtime/target"
)

// Target runs jobs in containers. A job can access a copy of the project and the shared folder, and nothing else on the
// engine's machine. Whether a container can reach more depends on the engine.
type Target struct{}

// Part holds the parts of a plan that are specific to containers.
type Part struct {
	Image plan.Field[string] // the one to use
	Named string             // the image that the target names; differs from Image if the settings replace it
	// Build is what Image is built from; nil: it exists or is pulled.
	Build *plan.Build
	// Recipe is what to install on top of the image before the job runs; empty: nothing.
	Recipe prepare.Recipe
	// Conda is the recipe's source file, as shown to the user.
	Conda plan.Field[string]
	// OnlyConda is the position of the recipe's first package that only conda can install; without a Path, there is
	// none.
	OnlyConda plan.Origin
	// Prepare is false if only an environment that already exists may be used.
	Prepare plan.Field[bool]
	// Shared means that folders are mounted: ShareDir and, if the engine is on this machine, a copy of the project
	// instead of sending it.
	Shared plan.Field[bool]
	// Unshared means that nativeSharedDirectory is set but not used, because a container gets it only with
	// sharedVolumes.
	Unshared plan.Field[bool]
	Memory   plan.Field[int64]   // bytes; 0: no limit
	CPUs     plan.Field[float64] // processors; 0: no limit
	Shm      plan.Field[int64]   // bytes; 0: the engine's default
	IPC      plan.Field[string]  // whose shared memory the container uses, as in docker run --ipc; empty: the engine's default
}

// PartOf returns the Part of a plan for containers; false: the plan is for another target.
func PartOf(p plan.Plan) (*Part, bool) {
	part, ok := p.Part.(*Part)
	return part, ok
}

// Lines returns the lines of a plan about the image, the environment and GPUs, and those about the limits.
func (part *Part) Lines(p plan.Plan) (surroundings, limits []plan.Line) {
	add := func(name, value string, o plan.Origin) {
		surroundings = append(surroundings, plan.Line{Name: name, Value: value, Origin: o})
	}
	add("image", plan.Quote(part.Image.Value), part.Image.Origin)
	if !part.Recipe.Empty() {
		add("environment", plan.Quote(part.Conda.Value), part.Conda.Origin)
		if with := part.Recipe.Files; len(with) > 0 {
			add("with", named(with), plan.Origin{Note: "pip reads it when the environment is built"})
		}
		if !part.Prepare.Value {
			add("note", "the environment must already be prepared: PrepareEnvironment is false", part.Prepare.Origin)
		}
	}
	add("gpus", string(p.GPUs.Value), p.GPUs.Origin)
	if part.Memory.Value > 0 {
		limits = append(limits, plan.Line{Name: "memory", Value: progress.Bytes(part.Memory.Value), Origin: part.Memory.Origin})
	}
	if part.CPUs.Value > 0 {
		limits = append(limits, plan.Line{Name: "cpus", Value: strconv.FormatFloat(part.CPUs.Value, 'g', -1, 64), Origin: part.CPUs.Origin})
	}
	if part.Shm.Value > 0 {
		limits = append(limits, plan.Line{Name: "/dev/shm", Value: progress.Bytes(part.Shm.Value), Origin: part.Shm.Origin})
	}
	if part.IPC.Value != "" {
		limits = append(limits, plan.Line{Name: "ipc", Value: part.IPC.Value, Origin: part.IPC.Origin})
	}
	return surroundings, limits
}

// About describes the target.
func (Target) About() target.About {
	return target.About{Kind: "docker", Where: session.InImage, Types: []target.Type{
		{Name: "localdocker"}, {Name: "docker"}, {Name: "remotedocker", Remote: true}, {Name: "virtualmachine", Remote: true},
	}}
}

// Check checks the engine, the image and its environment, the GPUs and the folders.
func (Target) Check(ctx context.Context, job *session.Job, snap project.Snapshot) []preflight.Result {
	c := containerOf(job)
	results := slices.Concat(checkWords(job.Plan), c.checkUnshared(snap), c.check(ctx), c.checkUngiven())
	return append(results, target.CheckFolders(job, c.part.Shared.Value && job.Plan.Host.Address.Value == "")...)
}

// Place also knows the positions of results about the image and its environment.
func (Target) Place(p plan.Plan, res preflight.Result) plan.Origin {
	part, _ := PartOf(p)
	switch {
	case res.Topic == preflight.Image, res.Topic == preflight.CUDA, res.Topic == preflight.Driver:
		return part.Image.Origin
	case res.Topic == preflight.Environment && !part.Prepare.Value && res.Status == preflight.Failed:
		return part.Prepare.Origin
	case res.Topic == preflight.Environment:
		return part.Conda.Origin
	case res.Topic == preflight.Folder && part.Unshared.Value:
		return part.Unshared.Origin
	}
	return target.Place(p, res)
}

// named lists files, of which it names the first few.
func named(files []prepare.File) string {
	const most = 5
	var names []string
	for _, f := range files[:min(most, len(files))] {
		names = append(names, plan.Quote(f.Path))
	}
	text := strings.Join(names, ", ")
	if n := len(files) - most; n > 0 {
		text += fmt.Sprintf(" and %d more files and folders", n)
	}
	return text
}
