package docker

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/docker/docker/api/types/versions"

	"github.com/amlfix/amlfix/runtime/process"
)

// GPUWay is a way to request GPUs from an engine.
type GPUWay string

// The ways, most reliable first. An engine reports whether it supports the first and the last. Whether a device request
// works depends on NVIDIA's hook being on the engine's PATH, which it does not report, so every way is tried.
const (
	NoGPU     GPUWay = ""
	ByCDI     GPUWay = "cdi"     // a device of the Container Device Interface
	ByRequest GPUWay = "request" // what `docker run --gpus all` does
	ByRuntime GPUWay = "runtime" // what nvidia-docker2 did
)

const (
	cdiKind       = "nvidia.com/gpu="
	cdiAll        = cdiKind + "all"
	nvidiaRuntime = "nvidia"
)

// VisibleDevices is the variable that tells NVIDIA's software which GPUs a container sees.
const VisibleDevices = "NVIDIA_VISIBLE_DEVICES"

// gpuWays returns the ways worth trying on this engine.
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

// GPUError reports that no way of requesting GPUs works. Its text is that of the most informative failure.
type GPUError struct {
	Tried []GPUWay
	Errs  []error // one for each way
}

func (e *GPUError) Error() string { return Explain(e.best()) }

// Unwrap returns the most informative failure.
func (e *GPUError) Unwrap() error { return e.best() }

// best prefers a message from NVIDIA's software to that of an engine that does not know the request.
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

// FindGPU finds a way to request GPUs for containers like c. It starts a container in each way, without network, until
// one starts, and removes them all. It returns the way, and the output and exit code of c's program. The error is a
// *GPUError if no way works; a failure unrelated to GPUs ends the search.
func FindGPU(ctx context.Context, eng Engine, i Info, img Image, c Container) (GPUWay, Probed, error) {
	none := &GPUError{}
	for _, way := range gpuWays(i) {
		asking := c
		asking.GPU, asking.Env = way, gpuEnv(way, i, img, c.Env)
		found, err := probe(ctx, eng, asking)
		if err == nil {
			return way, found, nil
		}
		e, ok := errors.AsType[*Error](err)
		if !ok {
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

// withGPU returns c set up to get GPUs in the known way, or else in the way that works with the job's own image.
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

// Probed is the result of a trial container.
type Probed struct {
	Out  string // both output streams, truncated after 64 KiB
	Code int
}

// probeLimit is how many bytes of a probe's output are kept: a probe runs nvidia-smi, or asks Python for one line.
const probeLimit = 64 << 10

// Probe starts a container like c, without network and mounts, waits for its end, and removes it. The error is nil if
// the container started, whatever its program returned; a program missing from the image returns 127.
func Probe(ctx context.Context, eng Engine, i Info, img Image, c Container) (Probed, error) {
	c.Env = gpuEnv(NoGPU, i, img, c.Env)
	return probe(ctx, eng, c)
}

func probe(ctx context.Context, eng Engine, c Container) (p Probed, err error) {
	c.Name += "-probe"
	c.Mounts, c.Probe = nil, true
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer remove(ctx, eng, c.Name)
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
		_ = output.CopyTo(streams.current()) // only how the program ended matters
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

// gpuEnv adds the variables that NVIDIA's software reads, unless the user or the image has set them.
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
		if i.DefaultRuntime == nvidiaRuntime { // this engine gives GPUs to every image that mentions them
			add(VisibleDevices, "void", env)
		}
	case ByRuntime:
		add(VisibleDevices, "all", env)
		add("NVIDIA_DRIVER_CAPABILITIES", "compute,utility", env, img.Env)
	case ByRequest:
		add("NVIDIA_DRIVER_CAPABILITIES", "compute,utility", env, img.Env)
	case ByCDI: // the device description sets them
	}
	return env
}
