package docker

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/docker/docker/api/types/versions"

	"github.com/amlfix/amlfix/runtime/process"
)

// GPUWay is how an engine is asked for GPUs.
type GPUWay string

// The ways, surest first. An engine says whether it has the first and the last; whether a device request works
// depends on NVIDIA's hook being on the engine's own PATH, which it does not tell, so every way is tried out.
const (
	NoGPU     GPUWay = ""
	ByCDI     GPUWay = "cdi"     // a device of the Container Device Interface
	ByRequest GPUWay = "request" // what `docker run --gpus all` does
	ByRuntime GPUWay = "runtime" // what nvidia-docker2 did
)

const (
	cdiKind        = "nvidia.com/gpu="
	cdiAll         = cdiKind + "all"
	nvidiaRuntime  = "nvidia"
	visibleDevices = "NVIDIA_VISIBLE_DEVICES"
)

// gpuWays lists the ways that are worth a try on this engine.
func gpuWays(i Info) (ways []GPUWay) {
	if slices.Contains(i.CDIDevices, cdiAll) {
		ways = append(ways, ByCDI)
	}
	if versions.GreaterThanOrEqualTo(i.API, "1.40") {
		ways = append(ways, ByRequest)
	}
	if slices.Contains(i.Runtimes, nvidiaRuntime) {
		ways = append(ways, ByRuntime)
	}
	return ways
}

// GPUError says that no way of asking the engine for GPUs works. Its text is that of the most telling failure.
type GPUError struct {
	Tried []GPUWay
	Errs  []error // one for each way
}

func (e *GPUError) Error() string { return Explain(e.best()) }

// Unwrap gives the most telling failure.
func (e *GPUError) Unwrap() error { return e.best() }

// best prefers what NVIDIA's software said over an engine that does not know of it.
func (e *GPUError) best() error {
	for _, err := range e.Errs {
		if !Is(err, GPUUnsupported) {
			return err
		}
	}
	if len(e.Errs) == 0 {
		return &Error{Problem: GPUUnsupported}
	}
	return e.Errs[0]
}

// FindGPU looks for a way in which containers like c get GPUs: one is started in each way, without network, until one
// starts; all are removed again. It returns the way and what c's program wrote and returned. The error is a *GPUError when
// no way works; a failure that has nothing to do with GPUs ends the search.
func FindGPU(ctx context.Context, eng Engine, i Info, img Image, c Container) (GPUWay, Probed, error) {
	none := &GPUError{}
	for _, way := range gpuWays(i) {
		asking := c
		asking.GPU, asking.Env = way, gpuEnv(way, i, img, c.Env)
		found, err := probe(ctx, eng, asking)
		if err == nil {
			return way, found, nil
		}
		var e *Error
		if !errors.As(err, &e) {
			return NoGPU, Probed{}, err
		}
		switch e.Problem {
		case GPUUnsupported, GPURefused, GPUDriverOld:
			none.Tried, none.Errs = append(none.Tried, way), append(none.Errs, err)
		default:
			return NoGPU, Probed{}, err
		}
	}
	return NoGPU, Probed{}, none
}

// withGPU returns c with the way to get GPUs that is known or found with the job's own image.
func withGPU(ctx context.Context, eng Engine, i Info, img Image, c Container, known GPUWay) (Container, error) {
	if known == NoGPU {
		asking := c
		asking.Argv = []string{"true"}
		var err error
		if known, _, err = FindGPU(ctx, eng, i, img, asking); err != nil {
			return c, err
		}
	}
	c.GPU, c.Env = known, gpuEnv(known, i, img, c.Env)
	return c, nil
}

// Probed is what a container that was only tried out has left.
type Probed struct {
	Out  string // what it wrote to both streams, cut after 64 KiB
	Code int
}

// probeLimit is how many bytes of a probe's output are kept: a probe asks
// nvidia-smi, or a Python for one line.
const probeLimit = 64 << 10

// Probe starts a container like c, without network and mounts, waits for its end and removes it. The error is nil when
// it was started, whatever its program returned; a program that the image does not have returns 127.
func Probe(ctx context.Context, eng Engine, i Info, img Image, c Container) (Probed, error) {
	c.Env = gpuEnv(NoGPU, i, img, c.Env)
	return probe(ctx, eng, c)
}

func probe(ctx context.Context, eng Engine, c Container) (p Probed, err error) {
	c.Name += "-probe"
	c.Mounts, c.Probe = nil, true
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer remove(ctx, eng, c.Name, nil)
	id, err := create(ctx, eng, c, nil)
	if err != nil {
		return p, err
	}
	output, err := eng.Attach(ctx, id)
	if err != nil {
		return p, err
	}
	defer output.Close()
	ended := eng.Wait(ctx, id, true)
	if err := eng.Start(ctx, id); err != nil {
		return p, err
	}
	out := process.First{Limit: probeLimit}
	streams := newFollowed(process.Streams{Stdout: &out, Stderr: &out}, 0, 0)
	copied := make(chan struct{})
	go func() {
		_ = output.CopyTo(streams.current()) // how the program ended is what counts
		close(copied)
	}()
	end := <-ended
	if end.Err == nil {
		streams.drained(copied)
	}
	output.Close()
	<-copied
	return Probed{Out: out.String(), Code: end.Code}, end.Err
}

// gpuEnv adds what NVIDIA's software reads from the environment, unless the user or the image has set it.
func gpuEnv(way GPUWay, i Info, img Image, env []string) []string {
	env = slices.Clone(env)
	add := func(name, value string, have ...[]string) {
		for _, list := range have {
			if slices.ContainsFunc(list, func(v string) bool { return strings.HasPrefix(v, name+"=") }) {
				return
			}
		}
		env = append(env, name+"="+value)
	}
	switch way {
	case NoGPU:
		if i.DefaultRuntime == nvidiaRuntime { // that engine gives GPUs to every image that mentions them
			add(visibleDevices, "void", env)
		}
	case ByRuntime:
		add(visibleDevices, "all", env)
		add("NVIDIA_DRIVER_CAPABILITIES", "compute,utility", env, img.Env)
	case ByRequest:
		add("NVIDIA_DRIVER_CAPABILITIES", "compute,utility", env, img.Env)
	case ByCDI: // the device's description sets them
	}
	return env
}
