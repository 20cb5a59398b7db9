package preflight

import (
	"context"
	"fmt"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/prepare"
	"github.com/amlfix/amlfix/runtime/progress"
)

// Container describes what a job in a container needs.
type Container struct {
	ID    string // used in the names of trial containers
	Image string
	Named string // the image that Image replaces; equal to Image if it replaces none
	Gone  string // what to do if the image's registry no longer has it; may be empty
	GPUs  bool
	// GPUCount is how many GPUs are reserved for the job; 0: all, shared. The number of the machine's GPUs is stored in
	// GPUTotal, if not nil.
	GPUCount int
	GPUTotal *int
	Recipe   prepare.Recipe
	File     string // the conda file, as shown to the user
	At       string // as in prepare.Spec
	// Unprepared is what to do if the environment must already exist but does not; empty: it is made.
	Unprepared string
	// Program is the program that starts the job. It is looked up if nothing is installed; empty: it is not looked up.
	Program string
	Bytes   int64 // the size of the project
	// Free returns how many bytes are free in a folder on the engine's machine; ok is false if that is not known.
	Free func(ctx context.Context, info docker.Info) (free int64, ok bool)
	// Pull fetches a missing image, so that GPUs can be tried with it. Otherwise the registry is only queried.
	Pull bool
	Say  progress.Sink
}

// CheckContainer checks whether an engine can run a job. way is how to request GPUs, if they are available. If ctx is
// cancelled, the results say so in the engine's words: check ctx.
func CheckContainer(ctx context.Context, eng docker.Engine, c Container) (results []Result, way docker.GPUWay) {
	k := &checker{Container: c, eng: eng, tried: c.Image}
	switch {
	case !k.engine(ctx):
		k.results = append(k.results, c.Unseen("the Docker engine cannot be asked")...)
	default:
		here := k.image(ctx)
		k.disk(ctx, here)
		switch {
		case c.Pull:
		case c.Recipe.Empty():
			k.program(ctx, here)
		case here:
			k.environment(ctx)
		default:
			k.add(unseen(Environment, "the environment of "+c.File, "it is built on image "+c.Image+", which is not on the engine"))
		}
		if c.GPUs {
			k.gpus(ctx, here)
		}
	}
	return k.results, k.way
}

// Unseen returns results for everything that could not be checked, and why. Advice about an image that is known to be
// gone does not need an engine.
func (c Container) Unseen(why string) []Result {
	results := []Result{unseen(Image, "image "+c.Image, why)}
	results[0].Next = c.Gone
	if !c.Recipe.Empty() {
		results = append(results, unseen(Environment, "the environment of "+c.File, why))
	}
	if c.Free != nil {
		results = append(results, unseen(Disk, "the engine's disk", why))
	}
	if c.GPUs {
		results = append(results, unseen(GPUs, "whether containers get GPUs", why))
	}
	return results
}

func unseen(t Topic, what, why string) Result {
	return Result{Topic: t, Status: Unknown, Text: what + " was not checked: " + why}
}

type checker struct {
	Container
	eng     docker.Engine
	info    docker.Info
	img     docker.Image
	tried   string // the name of img
	way     docker.GPUWay
	results []Result
}

func (k *checker) add(r Result) { k.results = append(k.results, r) }

func (k *checker) ok(t Topic, format string, args ...any) {
	k.add(Result{Topic: t, Status: OK, Text: fmt.Sprintf(format, args...)})
}

func (k *checker) failed(t Topic, err error) {
	k.add(Result{Topic: t, Status: Failed, Text: docker.Explain(err), Err: err})
}

func (k *checker) engine(ctx context.Context) bool {
	var err error
	if k.info, err = k.eng.Info(ctx); err != nil {
		k.failed(Engine, err)
		return false
	}
	if k.info.OS == "windows" {
		k.failed(Engine, &docker.Error{Problem: docker.NotLinux, Subject: k.info.Host})
		return false
	}
	k.ok(Engine, "the Docker engine at %s answers (API %s, %s)", k.info.Host, k.info.API, k.info.Arch)
	return true
}

// Recommended free disk space, in bytes. LeastFree is for what a job writes, besides the project; imageFree is what
// images with CUDA need, unpacked.
const (
	LeastFree = 200_000_000
	imageFree = 10_000_000_000
)

func (k *checker) disk(ctx context.Context, here bool) {
	if k.Free == nil {
		return
	}
	free, known := k.Free(ctx, k.info)
	switch need := LeastFree + 2*k.Bytes; {
	case !known:
		k.add(Result{Topic: Disk, Status: Unknown, Text: "the free space on the engine's disk cannot be determined from here"})
	case free < need:
		k.add(Result{Topic: Disk, Status: Failed, Text: fmt.Sprintf("only %s of the engine's disk (%s) is free", progress.Bytes(free), k.info.Root),
			Next: "free some space with `docker system prune -a`, or give the engine a larger disk"})
	case free < imageFree && !k.Pull && (!here || !k.Recipe.Empty()):
		k.add(Result{Topic: Disk, Status: Doubtful, Text: fmt.Sprintf("%s of the engine's disk (%s) is free, but images with CUDA or conda packages often need more", progress.Bytes(free), k.info.Root),
			Next: "free some space with `docker system prune`"})
	default:
		k.ok(Disk, "%s of the engine's disk is free", progress.Bytes(free))
	}
}
