package docker

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode"

	engine "github.com/amlfix/amlfix/runtime/docker"
	supervise "github.com/amlfix/amlfix/runtime/local"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/prepare"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/session"
	"github.com/amlfix/amlfix/runtime/shim"
	"github.com/amlfix/amlfix/runtime/target"
)

// Run makes the environment and runs the job in a container with it.
func (Target) Run(ctx context.Context, s *session.Session, snap project.Snapshot) (process.Exit, error) {
	c := &run{container: containerOf(&s.Job), s: s}
	defer c.close()
	if err := c.connect(ctx); err != nil {
		return process.Exit{}, err
	}
	c.eng = engine.Remember(ctx, c.eng)
	go c.lookAhead(ctx)
	if err := target.Judge(Target{}, c.job, slices.Concat(checkWords(s.Plan), c.checkUnshared(snap), c.checkUngiven()), c.place); err != nil {
		return process.Exit{}, err
	}
	if err := c.build(ctx); err != nil {
		return process.Exit{}, c.place(err)
	}
	way, err := c.begin(ctx)
	if err != nil {
		return process.Exit{}, err
	}
	env, err := c.environment(ctx)
	if err != nil {
		return process.Exit{}, err
	}
	s.Result.Environment = env
	spec := c.spec(env, way)
	if info, err := c.eng.Info(ctx); err == nil && info.Local {
		spec.Leases = supervise.Leases
	}
	done, err := c.provide(ctx, &spec, snap)
	if err != nil {
		return process.Exit{}, err
	}
	defer done()
	c.watch(ctx, &spec)
	result, err := engine.Run(ctx, c.eng, spec, s.Streams, s.Control, s.Say)
	c.ended(ctx, result)
	c.keep(ctx, result)
	c.lookForDriver(ctx)
	return result.Exit, c.place(err)
}

// Ahead asks an engine that is reached without SSH to describe itself and the images while the record is made.
func (Target) Ahead(ctx context.Context, p plan.Plan, opts *session.Options) (done func()) {
	if opts.Engine != nil || p.Host.Address.Value != "" {
		return func() {}
	}
	c := containerOf(session.NewJob(p, *opts))
	if c.connect(ctx) != nil {
		return func() {} // the run will report this
	}
	done = c.close
	c.eng = engine.Remember(ctx, c.eng)
	opts.Engine = c.eng
	go c.lookAhead(ctx)
	return done
}

// run is a run in a container.
type run struct {
	*container
	s       *session.Session
	sent    map[string]project.Entry // what was sent with the job; nil: not known, or the container works in mounted
	stored  *stored                  // nil: the project is not kept
	mounted string                   // the folder on this machine that the container works in; empty: a folder of its own

	// What look found when the job had ended.
	touched  bool                   // files may have been created outside outputs/
	listed   bool                   // files lists which ones
	files    []string               // in the working directory, except outputs/
	measured atomic.Pointer[[]byte] // all metrics that the job logged; nil: not read yet
}

// lookAhead asks an engine with a cache for the images needed soon, while it describes itself.
func (c *container) lookAhead(ctx context.Context) {
	base, err := c.eng.Image(ctx, c.part.Image.Value)
	if err == nil && !c.part.Recipe.Empty() {
		_, _ = c.eng.Image(ctx, c.part.Recipe.ImageName(base.ID)) // it is requested again if it is missing
	}
}

// spec describes the container, except how the project gets into it.
func (c *run) spec(env prepare.Env, way engine.GPUWay) engine.Spec {
	p, image := c.job.Plan, cmp.Or(env.Image, c.part.Image.Value)
	argv := append(env.Start(), p.Interpreter.Value)
	spec := engine.Spec{RunID: p.RunID.String(), Image: image, Argv: append(argv, p.Command()...), Env: p.Variables(),
		PythonPath: path.Join(engine.WorkDir, shim.PythonDir), GPUs: p.GPUs.Value.Wanted(), GPUWay: way, GPUCount: p.GPUs.Value.Count(), GPUTotal: c.gpus, CPUs: c.part.CPUs.Value,
		Project: engine.ProjectMark(p.Project), Memory: c.part.Memory.Value, Shm: c.part.Shm.Value, IPC: c.part.IPC.Value, Plain: env.Plain}
	ownPath := slices.ContainsFunc(spec.Env, func(v string) bool { return strings.HasPrefix(v, "PATH=") })
	spec.HasProgram = env.Python() && !ownPath // only python is searched for
	spec.Env = append(spec.Env, engine.SignalAll, shim.MetricsVariable+"="+path.Join(engine.WorkDir, shim.MetricsFile), supervise.Marker+"="+p.RunID.String())
	return spec
}

// provide gives the container the project: mounted with sharedVolumes if the engine can read this machine's files,
// otherwise sent. done must be called when the container has ended.
func (c *run) provide(ctx context.Context, spec *engine.Spec, snap project.Snapshot) (done func(), err error) {
	if !c.part.Shared.Value || c.line != nil {
		return func() {}, c.send(ctx, spec, snap)
	}
	info, err := c.eng.Info(ctx)
	if err != nil {
		return nil, err
	}
	if !info.Local {
		c.s.Say.Notice("the Docker engine %s is on another machine: the project is copied, not shared (%s)", info.Host, c.part.Shared.Origin)
		return func() {}, c.send(ctx, spec, snap)
	}
	dir, remove, err := c.s.Copy(ctx, snap)
	if err != nil {
		return nil, err
	}
	c.mounted = dir
	c.mount(spec)
	return func() {
		if c.s.Result.Container == "" { // a lost container is still using it
			remove()
		}
	}, nil
}

// send copies the project into the container and the outputs out of it.
func (c *run) send(ctx context.Context, spec *engine.Spec, snap project.Snapshot) error {
	spec.Fresh = time.Unix(rand.Int64N(1e9), rand.Int64N(1e9)) //nolint:gosec // need not be secret: a random time before 2001 that nothing else sets
	spec.Upload = func(ctx context.Context, w io.Writer, open bool) error {
		o := project.TarOptions{Prefix: engine.TarPrefix, Open: open, Moved: c.s.Copying(snap), Outputs: spec.Fresh}
		if c.stored != nil && c.stored.use != nil {
			o = c.stored.use.Options(o)
			o.Moved = c.s.CopyingOf(c.stored.use.Sending())
		}
		return snap.Tar(ctx, w, o)
	}
	c.store(spec, snap)
	c.sent = map[string]project.Entry{}
	for _, e := range snap.Entries {
		c.sent[e.Path] = e
	}
	spec.Collect = collector(c.s)
	share := c.job.Plan.ShareDir
	switch { // the plan has a shared folder only with sharedVolumes, so the engine is on another machine
	case share.Value == "":
	case c.line != nil:
		dir, err := c.shareThere(ctx)
		if err != nil {
			return err
		}
		spec.Mounts = append(spec.Mounts, engine.Mount{Source: dir, Target: engine.ShareDir})
	default:
		volume := volumeName(share.Value)
		c.s.Say.Notice("the Docker engine is on another machine: the shared folder is its volume %s (%s)", volume, share.Origin)
		spec.Mounts = append(spec.Mounts, engine.Mount{Source: volume, Target: engine.ShareDir, Volume: true})
	}
	return nil
}

// volumeName returns the name of the volume that replaces a shared folder, whose last path element is the project's
// name.
func volumeName(dir string) string {
	name := strings.Map(func(c rune) rune {
		if c < 0x80 && (c == '-' || c == '_' || c == '.' || unicode.IsLetter(c) || unicode.IsDigit(c)) {
			return c
		}
		return '_'
	}, filepath.Base(dir))
	return "amlfix-share-" + name
}

// mount lets the container access a copy of the project, never the project itself, and the shared folder.
func (c *run) mount(spec *engine.Spec) {
	spec.Mounts = []engine.Mount{{Source: c.mounted, Target: engine.WorkDir}}
	if share := c.job.Plan.ShareDir.Value; share != "" {
		spec.Mounts = append(spec.Mounts, engine.Mount{Source: share, Target: engine.ShareDir})
	}
	if runtime.GOOS == "linux" && os.Getuid() > 0 { // elsewhere the engine's virtual machine maps users
		spec.User = fmt.Sprintf("%d:%d", os.Getuid(), os.Getgid())
		if !slices.ContainsFunc(spec.Env, func(v string) bool { return strings.HasPrefix(v, "HOME=") }) {
			spec.Env = append(spec.Env, "HOME=/tmp") // for a user that the image does not know, HOME is "/", which is not writable
		}
	}
}
