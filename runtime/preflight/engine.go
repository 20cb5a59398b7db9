package preflight

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/prepare"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/requirement"
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

// image checks the image and reports whether the engine has it.
func (k *checker) image(ctx context.Context) bool {
	img, err := k.eng.Image(ctx, k.Image)
	if docker.Is(err, docker.ImageNotFound) && k.prepared(ctx) {
		return true
	}
	if k.Pull && docker.Is(err, docker.ImageNotFound) {
		img, err = docker.EnsureImage(ctx, k.eng, k.Image, k.Say)
	}
	k.img = img
	if err == nil {
		if id := strings.TrimPrefix(img.ID, "sha256:"); len(id) > 12 {
			k.ok(Image, "image %s is on the engine (%s, %s)", k.Image, id[:12], progress.Bytes(img.Size))
		} else {
			k.ok(Image, "image %s is on the engine", k.Image)
		}
		return true
	}
	if !k.Pull && docker.Is(err, docker.ImageNotFound) {
		k.registry(ctx)
		return false
	}
	k.noImage(err)
	return false
}

// prepared reports whether, although the image is gone, an environment based on it exists: the job then runs in that.
func (k *checker) prepared(ctx context.Context) bool {
	if k.Recipe.Empty() {
		return false
	}
	env, ok, err := prepare.Find(ctx, k.eng, prepare.Spec{Image: k.Image, Recipe: k.Recipe, File: k.File})
	if err != nil || !ok {
		return false
	}
	if k.img, err = k.eng.Image(ctx, env.Image); err != nil {
		return false
	}
	k.tried = env.Image
	k.ok(Image, "image %s is no longer on the engine, but %s is, the environment that was built on it", k.Image, env.Image)
	return true
}

func (k *checker) noImage(err error) {
	k.failed(Image, err)
	if k.Gone != "" { // why the pull failed does not matter then
		r := &k.results[len(k.results)-1]
		r.Text, r.Next = "image "+k.Image+" is not on the engine, and cannot be pulled", k.Gone
	}
}

// registry checks for the image in the registry from which it would be pulled.
func (k *checker) registry(ctx context.Context) {
	login, err := docker.FindLogin(ctx, k.Image)
	if err != nil {
		k.Say.Notice("%v", err)
	}
	found, err := k.eng.Registry(ctx, k.Image, login)
	if err != nil {
		k.noImage(err)
		return
	}
	mine := "linux/" + goArch(k.info.Arch)
	if len(found.Platforms) > 0 && !slices.Contains(found.Platforms, mine) && goArch(k.info.Arch) != "" {
		k.failed(Image, &docker.Error{Problem: docker.ImagePlatform, Subject: k.Image, Said: "the registry has it for " + strings.Join(found.Platforms, ", ")})
		return
	}
	k.ok(Image, "image %s is not on the engine yet; %s has it, and amlfix run pulls it", k.Image, docker.RegistryHost(k.Image))
}

// goArch returns a processor architecture in the notation of registries.
func goArch(kernel string) string {
	switch kernel {
	case "x86_64", "amd64":
		return "amd64"
	case "aarch64", "arm64":
		return "arm64"
	}
	return ""
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

// environment checks whether the environment exists or can be made.
func (k *checker) environment(ctx context.Context) {
	spec := prepare.Spec{Image: k.Image, Recipe: k.Recipe, File: k.File, At: k.At}
	env, found, err := prepare.Find(ctx, k.eng, spec)
	switch {
	case err != nil:
		k.failed(Environment, err)
		return
	case found:
		k.ok(Environment, "the environment of %s exists as image %s", k.File, env.Image)
		return
	case k.Unprepared != "":
		k.add(Result{Topic: Environment, Status: Failed, Text: k.Unprepared})
		return
	}
	tools, err := prepare.FindTools(ctx, k.eng, k.info, k.img, k.Image, k.ID)
	if err == nil {
		err = prepare.Possible(spec, tools)
	}
	switch {
	case err != nil:
		k.failed(Environment, err)
	case tools.Conda != "":
		k.ok(Environment, "the environment of %s is not built yet; the image has conda, and amlfix run builds it", k.File)
	case !prepare.AllowsPython(k.Recipe.Python, tools.PythonVersion):
		k.add(Result{Topic: Environment, Status: Doubtful, Text: fmt.Sprintf("%s requires %s, but the image has no conda to install it: the job runs on the image's Python %s", k.File, k.Recipe.Python, tools.PythonVersion),
			Next: "use an image with conda or with that Python, or require the image's version in the file"})
	default:
		k.ok(Environment, "the environment of %s is not built yet; the image has no conda, so amlfix run installs the packages under pip on its Python %s", k.File, tools.PythonVersion)
	}
}

// program looks for the job's program in the image, without starting the image.
func (k *checker) program(ctx context.Context, here bool) {
	if !here || strings.Contains(k.Program, "/") || k.Program == "" {
		return
	}
	c := docker.Container{Name: docker.ContainerName(k.ID), RunID: k.ID, Image: k.tried, Argv: []string{k.Program}}
	switch found, err := docker.FindProgram(ctx, k.eng, k.img, c); {
	case err != nil:
		k.failed(Program, err)
	case found == "" && k.Program == "sh":
		k.add(Result{Topic: Program, Status: Failed, Text: "image " + k.Image + " has no sh, which starts the job's command", Next: "use an image with a shell"})
	case found == "":
		k.add(Result{Topic: Program, Status: Failed, Text: fmt.Sprintf("image %s has no program %s, and none that could replace it", k.Image, k.Program),
			Next: "use an image with Python, or add a conda file and let amlfix install it"})
	case found != k.Program:
		k.ok(Program, "image %s has no %s; %s is started instead", k.Image, k.Program, found)
	}
}

// gpus tries how the engine provides GPUs, and compares the GPUs with the image.
func (k *checker) gpus(ctx context.Context, here bool) {
	if !here {
		r := Result{Topic: GPUs, Status: Unknown, Text: "GPUs are tested in a container of the image, which is not on the engine"}
		if k.Gone == "" {
			r.Next = "pull it with `docker pull " + k.Image + "`, then check again"
		}
		k.add(r)
		return
	}
	c := docker.Container{Name: docker.ContainerName(k.ID), RunID: k.ID, Image: k.tried, Argv: Query}
	way, said, err := docker.FindGPU(ctx, k.eng, k.info, k.img, c)
	if err == nil && said.Code != 0 && strings.Contains(said.Out, "compute_cap") {
		c.Argv = OldQuery
		way, said, err = docker.FindGPU(ctx, k.eng, k.info, k.img, c)
	}
	if err != nil {
		k.failed(GPUs, err)
		if none, ok := errors.AsType[*docker.GPUError](err); ok {
			k.results[len(k.results)-1].Err = none
		}
		return
	}
	k.way = way
	gpus := ParseGPUs(said.Out)
	if k.GPUTotal != nil {
		*k.GPUTotal = len(gpus)
	}
	if k.GPUCount > len(gpus) {
		k.add(Result{Topic: GPUs, Status: Failed, Text: fmt.Sprintf("%d GPUs are requested, but %s", k.GPUCount, countText(said.Code, len(gpus))), Next: "request fewer, or all of them with --gpus all"})
		return
	}
	if said.Code != 0 || len(gpus) == 0 {
		text := "the engine gives the container GPUs (" + wayText(way) + "), but nvidia-smi does not show them"
		if said.Code == process.CodeNoProgram {
			text = "the engine gives the container GPUs (" + wayText(way) + "); which ones is not known, because the container has no nvidia-smi"
		}
		k.add(Result{Topic: GPUs, Status: Unknown, Text: text})
		return
	}
	k.ok(GPUs, "%s (%s)", describe(gpus), wayText(way))
	s, ok := ImageCUDA(k.img, k.Image, k.Named)
	if !ok {
		k.add(Result{Topic: CUDA, Status: Unknown, Text: "which CUDA image " + k.Image + " has is not known"})
		return
	}
	k.add(checkDriver(s, gpus[0].Driver))
	k.results = append(k.results, checkArchitecture(s, gpus)...)
}

// countText describes how many GPUs nvidia-smi shows in the container.
func countText(code, n int) string {
	if code != 0 {
		return "how many there are is not known, because nvidia-smi does not work in the container"
	}
	return fmt.Sprintf("the machine has %d", n)
}

func wayText(w docker.GPUWay) string {
	switch w {
	case docker.ByCDI:
		return "by CDI"
	case docker.ByRuntime:
		return "by the runtime nvidia"
	default:
		return "by device request"
	}
}

// ImageCUDA returns an image's CUDA version: NVIDIA's base images have it in a variable, and the catalog knows some
// others by one of the given names. ok is false if the version is not known or the image has no CUDA.
func ImageCUDA(img docker.Image, names ...string) (s Software, ok bool) {
	s = Software{Another: "an image"}
	if len(names) > 0 {
		s.Name = "image " + names[0]
	}
	for _, v := range img.Env {
		if value, found := strings.CutPrefix(v, "CUDA_VERSION="); found && isVersion(value) {
			s.CUDA, s.From = value, "its CUDA_VERSION says so"
			return s, true
		}
	}
	for _, name := range names {
		m, err := requirement.ParseImage(name)
		if err != nil {
			continue
		}
		if known, found := catalog.LookupImage(m.Name(), m.Tag); found && known.CUDA != "" {
			s.CUDA, s.From = known.CUDA, "known of "+name
			return s, true
		}
	}
	return s, false
}
