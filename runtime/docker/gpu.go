package docker

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
)

// GPUWay is how an engine is asked for GPUs.
type GPUWay string

// The ways, surest first. An engine tells of the first and the last whether it has them; whether a device request works
// depends on NVIDIA's hook being on the engine's own PATH, which it does not tell, so every way is tried out.
const (
	NoGPU     GPUWay = ""
	ByCDI     GPUWay = "cdi"     // a device of the Container Device Interface
	ByRequest GPUWay = "request" // what `docker run --gpus all` does
	ByRuntime GPUWay = "runtime" // what nvidia-docker2 did
)

const (
	cdiAll        = "nvidia.com/gpu=all"
	nvidiaRuntime = "nvidia"
)

// gpuWays lists the ways that are worth a try on this engine.
func gpuWays(i Info) (ways []GPUWay) {
	if slices.Contains(i.CDIDevices, cdiAll) {
		ways = append(ways, ByCDI)
	}
	if apiAtLeast(i.API, 1, 40) {
		ways = append(ways, ByRequest)
	}
	if slices.Contains(i.Runtimes, nvidiaRuntime) {
		ways = append(ways, ByRuntime)
	}
	return ways
}

func apiAtLeast(version string, major, minor int) bool {
	a, b, _ := strings.Cut(version, ".")
	x, err1 := strconv.Atoi(a)
	y, err2 := strconv.Atoi(b)
	return err1 == nil && err2 == nil && (x > major || x == major && y >= minor)
}

// GPUError tells that no way of asking the engine for GPUs works. Its text is that of the most telling failure.
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

// withGPU returns c with a way to get GPUs that works, found by starting a container of the job's own image in each; it
// is removed again. A failure that has nothing to do with GPUs ends the search.
func withGPU(ctx context.Context, eng Engine, i Info, img Image, c Container) (Container, error) {
	none := &GPUError{}
	for _, way := range gpuWays(i) {
		asking := c
		asking.GPU, asking.Env = way, gpuEnv(way, i, img, c.Env)
		err := probe(ctx, eng, asking)
		if err == nil {
			return asking, nil
		}
		var e *Error
		if !errors.As(err, &e) {
			return c, err
		}
		switch e.Problem {
		case GPUUnsupported, GPURefused, GPUDriverOld:
			none.Tried, none.Errs = append(none.Tried, way), append(none.Errs, err)
		default:
			return c, err
		}
	}
	return c, none
}

// probe starts a container that does nothing. What its program returns does not matter: when a GPU cannot be given the
// container does not start at all.
func probe(ctx context.Context, eng Engine, c Container) error {
	c.Name += "-probe"
	c.Argv, c.Mounts, c.Probe = []string{"true"}, nil, true
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer remove(ctx, eng, c.Name, nil)
	id, err := create(ctx, eng, c, nil)
	if err != nil {
		return err
	}
	ended := eng.Wait(ctx, id, true)
	if err := eng.Start(ctx, id); err != nil {
		return err
	}
	return (<-ended).Err
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
			add("NVIDIA_VISIBLE_DEVICES", "void", env)
		}
	case ByRuntime:
		add("NVIDIA_VISIBLE_DEVICES", "all", env)
		add("NVIDIA_DRIVER_CAPABILITIES", "compute,utility", env, img.Env)
	case ByRequest:
		add("NVIDIA_DRIVER_CAPABILITIES", "compute,utility", env, img.Env)
	}
	return env
}
