package docker

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/shim"
)

// prepare ensures that the image is there and returns the container to make from it.
func prepare(ctx context.Context, eng Engine, spec Spec, say progress.Sink) (c Container, img Image, err error) {
	info, err := eng.Info(ctx)
	if err != nil {
		return c, img, err
	}
	if info.OS == "windows" {
		return c, img, &Error{Problem: NotLinux, Subject: info.Host}
	}
	if img, err = EnsureImage(ctx, eng, spec.Image, say); err != nil {
		return c, img, err
	}
	if spec.Found != nil {
		spec.Found(info, img)
	}
	c = Container{Name: cmp.Or(spec.Name, ContainerName(spec.RunID)), RunID: spec.RunID, Image: spec.Image, Argv: spec.Argv, Env: spec.Env, User: spec.User,
		Memory: spec.Memory, CPUs: spec.CPUs, Shm: spec.Shm, IPC: spec.IPC, Mounts: spec.Mounts, Dir: spec.Dir, Project: spec.Project, ExactLog: slices.Contains(info.LogDrivers, exactLog)}
	if spec.PythonPath != "" {
		all := shim.AppendPath(slices.Concat(img.Env, spec.Env), "PYTHONPATH", spec.PythonPath, ':')
		c.Env = append(slices.Clone(spec.Env), all[len(all)-1])
	}
	if spec.GPUs {
		if spec.GPUWay == NoGPU {
			say.Enter(progress.Checking, "looking for a way to get GPUs")
		}
		c, err = withGPU(ctx, eng, info, img, c, spec.GPUWay)
	} else {
		c.Env = gpuEnv(NoGPU, info, img, c.Env)
	}
	return c, img, err
}

// open reports whether a container's user is not root, so that the project must be writable by everyone.
func open(img Image) bool {
	user, _, _ := strings.Cut(img.User, ":")
	return user != "" && user != "0" && user != "root"
}

// create makes the container, and makes it again if its program has another name in the image.
func (r *run) create(ctx context.Context, c Container, img Image) (err error) {
	if err := r.made(ctx, c); err != nil {
		return err
	}
	r.limits(ctx, c)
	var look sync.WaitGroup
	r.fresh = r.spec.Plain && r.spec.Stored == nil
	if r.spec.Upload != nil && !r.spec.Fresh.IsZero() && !r.fresh {
		look.Go(func() {
			_, err := r.eng.Stat(ctx, r.id, outputsDir)
			r.fresh = Is(err, PathNotFound)
		})
	}
	program := c.Argv[0]
	if !r.spec.HasProgram {
		program, err = findProgram(ctx, r.eng, r.id, img, c.Env, program)
	}
	look.Wait()
	if err != nil || program == "" || program == c.Argv[0] { // without a program, the container itself reports that
		return err
	}
	r.say.Notice("image %s has no %s: %s is started instead", c.Image, c.Argv[0], program)
	if err := r.eng.Remove(ctx, r.id); err != nil {
		return err
	}
	c.Argv = append([]string{program}, c.Argv[1:]...)
	return r.made(ctx, c)
}

// limits warns when the engine has dropped a limit that its kernel does not support.
func (r *run) limits(ctx context.Context, c Container) {
	if c.Memory == 0 {
		return
	}
	if state, err := r.eng.State(ctx, r.id); err == nil && state.Memory == 0 {
		r.say.Notice("the engine cannot limit memory, so the limit of %s has no effect (see the warnings of `docker info`)", progress.Bytes(c.Memory))
	}
}

// made makes the container, with reserved GPUs if requested.
func (r *run) made(ctx context.Context, c Container) (err error) {
	if r.spec.GPUCount > 0 {
		return r.lease(ctx, c)
	}
	r.id, err = create(ctx, r.eng, c, r.control.Kill)
	return err
}

// create is not cancelled with the job: an engine might still make the container after the request was abandoned, and
// nobody would remove it. A second request from the user ends the wait.
func create(ctx context.Context, eng Engine, c Container, kill <-chan struct{}) (string, error) {
	if err := context.Cause(ctx); err != nil {
		return "", err
	}
	patient, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	made := make(chan struct{})
	defer close(made)
	go func() {
		select {
		case <-kill:
			cancel()
		case <-made:
		}
	}()
	return eng.Create(patient, c)
}

func (r *run) upload(ctx context.Context, open bool) error {
	if r.spec.Upload == nil {
		return context.Cause(ctx)
	}
	r.say.Enter(progress.Uploading, "copying the project")
	if err := r.isThere(ctx); err != nil {
		return err
	}
	pr, pw := io.Pipe()
	written := make(chan error, 1)
	go func() {
		err := r.spec.Upload(ctx, pw, open)
		_ = pw.CloseWithError(err)
		if err == nil {
			r.say.Enter(progress.Starting, "") // recording this takes less time than the engine takes to unpack
		}
		written <- err
	}()
	err := r.eng.CopyIn(ctx, r.id, pr)
	_ = pr.CloseWithError(io.ErrClosedPipe) // ends the writer if the engine stopped reading
	if werr := <-written; werr != nil && !errors.Is(werr, io.ErrClosedPipe) {
		return werr
	}
	return err
}
