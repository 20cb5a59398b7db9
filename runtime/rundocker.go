package runtime

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/local"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/shim"
	"github.com/amlfix/amlfix/runtime/sshengine"
)

func (r *runner) docker(ctx context.Context, snap project.Snapshot) (process.Exit, error) {
	eng, err := r.engine(ctx)
	if err != nil {
		return process.Exit{}, err
	}
	if r.opts.Engine == nil {
		defer func() { _ = eng.Close() }()
	}
	eng = docker.Remember(ctx, eng)
	go r.lookAhead(ctx, eng)
	if err := r.judge(r.checkUnshared(snap), r.placed); err != nil {
		return process.Exit{}, err
	}
	way, err := r.ready(ctx, eng)
	if err != nil {
		return process.Exit{}, err
	}
	image, err := r.image(ctx, eng)
	if err != nil {
		return process.Exit{}, err
	}
	spec := docker.Spec{RunID: r.plan.RunID.String(), Image: image, Argv: append(r.result.Environment.Start(), r.argv()...), Env: r.environment(),
		PythonPath: path.Join(docker.WorkDir, shim.PythonDir), GPUs: r.plan.GPUs.Value == AllGPUs, GPUWay: way, Memory: r.plan.Memory.Value, Shm: r.plan.Shm.Value,
		IPC: r.plan.IPC.Value}
	spec.Env = append(spec.Env, shim.MetricsVariable+"="+path.Join(docker.WorkDir, shim.MetricsFile), local.Marker+"="+r.plan.RunID.String())
	mounted := ""
	if r.plan.Shared.Value && r.line == nil {
		info, err := eng.Info(ctx)
		if err != nil {
			return process.Exit{}, err
		}
		if info.Local {
			dir, done, err := r.copied(ctx, snap)
			if err != nil {
				return process.Exit{}, err
			}
			defer func() {
				if r.result.Container == "" { // a lost container goes on working there
					done()
				}
			}()
			mounted = dir
			r.mount(&spec, dir)
		} else {
			r.say.Notice("the Docker engine %s is on another machine: the project is copied, not shared (%s)", info.Host, r.plan.Shared.Origin)
		}
	}
	if mounted == "" {
		if err := r.send(ctx, &spec, snap); err != nil {
			return process.Exit{}, err
		}
	}
	r.watch(ctx, eng, &spec, mounted)
	result, err := docker.Run(ctx, eng, spec, r.streams, r.control, r.say)
	r.ended(ctx, result, mounted)
	return result.Exit, r.placed(err)
}

// lookAhead asks an engine that remembers for the images that it will be asked for soon, while it describes itself.
func (r *runner) lookAhead(ctx context.Context, eng docker.Engine) {
	base, err := eng.Image(ctx, r.plan.Image.Value)
	if err == nil && !r.plan.Recipe.Empty() {
		_, _ = eng.Image(ctx, r.plan.Recipe.ImageName(base.ID)) // it is asked for again when it is not there
	}
}

// watch has what is found out about the run recorded while it goes on.
func (r *runner) watch(ctx context.Context, eng docker.Engine, spec *docker.Spec, mounted string) {
	name, measured, looked, sameMachine := docker.ContainerName(r.plan.RunID.String()), func() {}, func() {}, false
	spec.Found = func(info docker.Info, img docker.Image) {
		sameMachine = info.Local
		r.rec.update(func(rec *record.Record) {
			rec.Handle.Engine, rec.Handle.Container, rec.Handle.Mounted = info.Host, name, mounted != ""
			rec.Image = &record.Image{Name: spec.Image, ID: img.ID, Digest: first(img.Digests)}
			if env := r.result.Environment; env.Image != "" {
				base := record.Image{Name: r.plan.Image.Value, ID: env.Base, Digest: env.BaseDigest}
				rec.Environment = &record.Environment{File: r.plan.Conda.Value, Base: base, Way: string(env.Way)}
			}
		})
	}
	spec.Began = func(time.Time) {
		measured = r.measure(ctx, containerMetrics(eng, name))
		if r.plan.GPUs.Value == AllGPUs {
			looked = r.sample(ctx, containerGPUs(eng, name, sameMachine))
		}
	}
	spec.Exited = r.rec.exited
	spec.Last = func() {
		looked()
		measured()
	}
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// ended takes over what became of a container. mounted is the folder that it has worked in, or "".
func (r *runner) ended(ctx context.Context, result docker.Result, mounted string) {
	r.result.GPUWay = result.GPU
	switch {
	case result.Cause == process.Lost:
		r.result.Container = docker.ContainerName(r.plan.RunID.String())
	case result.Ran() && mounted != "":
		r.collect(ctx, mounted)
	case result.CollectErr != nil:
		name := docker.ContainerName(r.plan.RunID.String())
		r.result.OutputsErr = result.CollectErr
		r.result.KeptAt = fmt.Sprintf("the container %s (`docker cp %[1]s:%s .`; then `docker rm %[1]s`)", name, path.Join(docker.WorkDir, project.OutputsDir))
		r.collected() // once more, for the record
	}
}

// engine returns the engine that the plan runs on. Without a host that is the one that DOCKER_HOST names.
func (r *runner) engine(ctx context.Context) (docker.Engine, error) {
	if r.opts.Engine != nil {
		return r.opts.Engine, nil
	}
	if r.plan.Host.Value == "" {
		return docker.Connect()
	}
	line, err := r.dial(ctx)
	if err != nil {
		return nil, err
	}
	return sshengine.Connect(line, r.say.Notice)
}

// send has the project copied into the container and the outputs out of it.
func (r *runner) send(ctx context.Context, spec *docker.Spec, snap project.Snapshot) error {
	spec.Fresh = time.Unix(rand.Int64N(1e9), rand.Int64N(1e9)) // before 2001, and by nobody else's choice
	spec.Upload = func(ctx context.Context, w io.Writer, open bool) error {
		moved := func(n int64) { r.say.Move("copying the project,", n, snap.Bytes) }
		return snap.Tar(ctx, w, project.TarOptions{Prefix: docker.TarPrefix, Open: open, Moved: moved, Outputs: spec.Fresh})
	}
	spec.Collect = func(ctx context.Context, tar io.Reader) (err error) {
		r.result.Outputs, err = project.CollectTar(ctx, r.counted(tar), r.plan.Project)
		r.collected()
		return err
	}
	switch { // the plan has a shared folder only with sharedVolumes, so the engine is on another machine
	case r.plan.ShareDir.Value == "":
	case r.line != nil:
		dir, err := r.shareThere(ctx)
		if err != nil {
			return err
		}
		spec.Mounts = append(spec.Mounts, docker.Mount{Source: dir, Target: docker.ShareDir})
	default:
		volume := volumeName(r.plan.ShareDir.Value)
		r.say.Notice("the Docker engine is on another machine: the shared folder is its volume %s (%s)", volume, r.plan.ShareDir.Origin)
		spec.Mounts = append(spec.Mounts, docker.Mount{Source: volume, Target: docker.ShareDir, Volume: true})
	}
	return nil
}

// volumeName is the volume that takes the place of a shared folder, whose last part is the project's name.
func volumeName(dir string) string {
	name := strings.Map(func(c rune) rune {
		if c < 0x80 && (c == '-' || c == '_' || c == '.' || unicode.IsLetter(c) || unicode.IsDigit(c)) {
			return c
		}
		return '_'
	}, filepath.Base(dir))
	return "amlfix-share-" + name
}

// mount lets the container see a copy of the project, never the project itself, and the shared folder.
func (r *runner) mount(spec *docker.Spec, dir string) {
	spec.Mounts = []docker.Mount{{Source: dir, Target: docker.WorkDir}}
	if r.plan.ShareDir.Value != "" {
		spec.Mounts = append(spec.Mounts, docker.Mount{Source: r.plan.ShareDir.Value, Target: docker.ShareDir})
	}
	if goruntime.GOOS == "linux" && os.Getuid() > 0 { // elsewhere the engine's virtual machine maps users itself
		spec.User = fmt.Sprintf("%d:%d", os.Getuid(), os.Getgid())
		if !slices.ContainsFunc(spec.Env, func(v string) bool { return strings.HasPrefix(v, "HOME=") }) {
			spec.Env = append(spec.Env, "HOME=/tmp") // a user whom the image does not know has "/", which it cannot write to
		}
	}
}

// goneError tells of an image that its registry has no more; why a pull has failed today does not matter then.
type goneError struct {
	text string
	err  error
}

func (e *goneError) Error() string { return e.text }

func (e *goneError) Unwrap() error { return e.err }

// placed adds the line of the project's files that an engine's error is about.
func (r *runner) placed(err error) error {
	var e *docker.Error
	if !errors.As(err, &e) || e.Problem == docker.NoConnection {
		return r.placedLine(err)
	}
	o := Origin{}
	switch e.Problem {
	case docker.ImageInvalid, docker.ImageNotFound, docker.ImagePlatform, docker.ImageFormat, docker.LoginNeeded, docker.RateLimited, docker.RegistryAway, docker.RegistryTLS, docker.RegistryCut:
		o = r.plan.Image.Origin
	case docker.GPUUnsupported, docker.GPURefused, docker.GPUDriverOld:
		o = r.plan.GPUs.Origin
	case docker.MountRefused:
		o = r.plan.Shared.Origin
	}
	if gone := GoneAdvice(r.plan.Image.Value); gone != "" && o == r.plan.Image.Origin {
		err = &goneError{fmt.Sprintf("image %s is not there, and cannot be pulled: %s", r.plan.Image.Value, gone), err}
	}
	if o.Path == "" {
		return err
	}
	return &PlacedError{Origin: o, Err: err}
}
