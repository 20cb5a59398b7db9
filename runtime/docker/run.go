package docker

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/shim"
)

// Limits for waits that have no natural end.
const (
	removeTime = 30 * time.Second // to remove a container
	stopSlack  = 15 * time.Second // beyond the grace period, until a container that does not end counts as lost
	oomPause   = 100 * time.Millisecond
	stopPause  = 500 * time.Millisecond // after an end from outside, until an engine that caused it is gone
	drainTime  = 5 * time.Second        // without a byte of output after a container has ended
)

// codeKilled is the exit code of a process ended by SIGKILL.
const codeKilled = 128 + 9

// codeUnknown is the exit code that an engine reports for a container whose end it did not observe.
const codeUnknown = 255

// Spec is a job to run in a container.
type Spec struct {
	RunID string // unique
	Image string
	Argv  []string // if the image has no python, python3 is started instead
	Env   []string // "NAME=value"
	// PythonPath is a folder of the container to append to PYTHONPATH, whether that comes from Env or the image; empty:
	// none.
	PythonPath string
	GPUs       bool   // all GPUs of the engine's machine; without them the job is not started
	GPUWay     GPUWay // how to request them, if a check has found out; empty: try each way
	// GPUCount of the machine's GPUTotal GPUs are reserved for this run among those of amlfix; 0: all, shared.
	GPUCount, GPUTotal int
	// Leases returns the GPUs that are in use other than by containers, with the user of each number; nil: nobody.
	Leases  func() map[int]string
	CPUs    float64 // processors, possibly fractional; 0: no limit
	Memory  int64   // bytes; 0: no limit
	Shm     int64   // bytes; 0: the engine's default
	IPC     string  // as in docker run --ipc; empty: the engine's default
	User    string  // empty: the image's user
	Mounts  []Mount
	Dir     string // the working directory; empty: WorkDir
	Name    string // the container's name; empty: ContainerName of RunID
	Project string // the ProjectMark of the container's project; empty: none
	// Upload writes the project as a tar stream with its files below TarPrefix. open means that the image's user is not
	// root, so the files must be writable by everyone. nil if the project is mounted.
	Upload func(ctx context.Context, w io.Writer, open bool) error
	// Stored keeps the project in a volume between runs; Upload then sends only what the volume lacks. nil: it is not
	// kept.
	Stored *Stored
	// Collect reads the outputs folder as a tar stream. It is called after the job has ended, however it ended, unless
	// the job left no such folder. nil if the project is mounted.
	Collect func(ctx context.Context, tar io.Reader) error
	// Fresh is the time that Upload, and nothing else, gives the empty outputs folder. If the folder still has that
	// time when the job has ended, it is not read, and Collect gets an empty stream. Zero: none.
	Fresh time.Time
	// HasProgram means that the image is known to have Argv's program, and Plain that WorkDir is known not to exist in
	// it. Neither is then checked.
	HasProgram, Plain bool
	// Finish is called with the container's ID when the job has succeeded, before the container is removed; may be nil.
	Finish func(ctx context.Context, id string) error

	// These report, if not nil, what becomes known during a run: the engine and the image, before the container is
	// made; when the job began; and how it ended, while its outputs are collected.
	Found  func(Info, Image)
	Began  func(time.Time)
	Exited func(process.Exit)
	// Look is called with Exited, and returns what else to read of the working directory; nil: nothing, or it is better
	// read separately. May be nil.
	Look func() *Rest
	// Last is called at the same time, for anything else to be read from the container, which is removed when all are
	// done. May be nil.
	Last func()
}

// TarPrefix is the folder in the tar stream that becomes WorkDir.
const TarPrefix = "azureml-run"

// Result is how a job in a container ended.
type Result struct {
	process.Exit
	GPU        GPUWay // how GPUs were requested
	CollectErr error  // the job ran, but its outputs could not be copied back completely
	FinishErr  error  // what Finish returned
}

// Run runs a job in a container and then removes the container, unless the engine went away for good: then Cause is
// Lost, and the container keeps its name and label. For a job that was not started it returns an Exit with Ran unset
// and an error: an *Error, a *GPUError, one from Upload, or the cause of ctx. out is used from one goroutine at a time.
func Run(ctx context.Context, eng Engine, spec Spec, out process.Streams, control process.Control, say progress.Sink) (Result, error) {
	say.Enter(progress.Checking, "asking the Docker engine")
	c, img, err := prepare(ctx, eng, spec, say)
	if err != nil {
		return Result{}, err
	}
	r := &run{eng: eng, spec: spec, control: control, limited: control.Limit > 0, say: say, own: context.WithoutCancel(ctx), streams: newFollowed(out, 0, 0)}
	result, err := r.run(ctx, c, img)
	result.GPU = c.GPU
	return result, err
}

// errDeaf is returned when a container does not end after SIGKILL.
var errDeaf = errors.New("the container was sent a kill signal, but its end was not confirmed")

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

type run struct {
	eng     Engine
	spec    Spec
	control process.Control
	say     progress.Sink
	own     context.Context // not cancelled with the job's: for cleanup that must always happen
	id      string
	streams *followed
	resumed bool // the output comes from the engine's log
	exact   bool // which keeps it as ExactLog asks for
	fresh   bool // no outputs folder existed before Upload made one
	limited bool // the job has a time limit
	// compared means that the project's volume already existed.
	compared bool
	stops    sync.WaitGroup
}

func (r *run) run(ctx context.Context, c Container, img Image) (result Result, err error) {
	defer func() {
		r.stops.Wait()
		r.remove(c.Name, result)
	}()
	c, err = r.store(ctx, c, img)
	if err != nil {
		return result, err
	}
	r.say.Enter(progress.Creating, "")
	if err := r.create(ctx, c, img); err != nil {
		return result, err
	}
	watched, stopWatching := context.WithCancelCause(r.own)
	defer stopWatching(nil)
	attached := r.attach(watched)
	if err := r.upload(ctx, open(img)); err != nil {
		go func() { // an engine that is lost may not answer
			if output, e := attached(); e == nil {
				output.Close()
			}
		}()
		return result, err
	}
	r.say.Enter(progress.Starting, "")
	output, err := attached()
	if err != nil {
		return result, err
	}
	ended := r.eng.Wait(watched, r.id, true)
	if err := r.eng.Start(ctx, r.id); err != nil {
		output.Close()
		return result, err
	}
	r.began(&result, time.Now())
	r.guard(ctx)
	r.say.Enter(progress.Running, "running in %s", c.Name)
	return r.watch(ctx, watched, stopWatching, ended, output, result)
}

// attach connects to the output of a container before it starts, so that nothing is lost and unfinished lines arrive at
// once. It does so while the project is uploaded.
func (r *run) attach(ctx context.Context) func() (Output, error) {
	type answer struct {
		output Output
		err    error
	}
	answers := make(chan answer, 1)
	go func() {
		output, err := r.eng.Attach(ctx, r.id)
		answers <- answer{output, err}
	}()
	return func() (Output, error) {
		a := <-answers
		return a.output, a.err
	}
}

func (r *run) began(result *Result, at time.Time) {
	result.Started = at
	if r.spec.Began != nil {
		r.spec.Began(at)
	}
}

// watch follows a started job to its end.
func (r *run) watch(ctx, watched context.Context, stopWatching context.CancelCauseFunc, ended <-chan Waited, output Output, result Result) (Result, error) {
	done := make(chan struct{})
	var end Waited
	go func() {
		end = r.follow(watched, ended, output)
		close(done)
	}()
	result.Cause = r.control.Watch(ctx, done, func(step process.Step, why process.Cause) {
		r.stop(watched, step, why, why == process.Cancelled && process.Interrupted(ctx), stopWatching)
	})
	result.Ended = time.Now()
	if end.Err != nil {
		result.Cause, result.Code, result.Note = process.Lost, process.CodeNotStarted, Explain(end.Err)
		return result, nil
	}
	if r.finish(&result.Exit, end.Code); result.Cause == process.Lost {
		return result, nil
	}
	result.CollectErr = r.bring(result.Exit)
	if away(result.CollectErr) {
		result.Cause, result.Code, result.Note = process.Lost, process.CodeNotStarted, Explain(result.CollectErr)
		return result, nil
	}
	if r.spec.Finish != nil && result.Cause == process.Ended && result.Code == 0 {
		result.FinishErr = r.spec.Finish(r.own, r.id)
	}
	return result, nil
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
		program, err = Program(ctx, r.eng, r.id, img, c.Env, program)
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

// stop takes one step towards ending the container, once there is an engine to ask, unless watched is done before that.
// After Ctrl-C the job first gets SIGINT, for which Python raises KeyboardInterrupt. stop calls giveUp if even SIGKILL
// does not end the container.
func (r *run) stop(watched context.Context, step process.Step, why process.Cause, interrupt bool, giveUp context.CancelCauseFunc) {
	r.say.Stop(step, why, r.control)
	var request func(context.Context) error
	switch {
	case step == process.Ask:
		request = func(ctx context.Context) error {
			if why == process.TimedOut {
				r.timeIsUp(ctx)
			}
			if interrupt {
				return r.eng.Interrupt(ctx, r.id)
			}
			return r.eng.Stop(ctx, r.id, r.control.GraceTime())
		}
	case step == process.Insist && interrupt:
		request = func(ctx context.Context) error { return r.eng.Stop(ctx, r.id, r.control.GraceTime()/2) }
	case step == process.Kill:
		request = func(ctx context.Context) error { return r.eng.Kill(ctx, r.id) }
		time.AfterFunc(stopSlack, func() { giveUp(errDeaf) })
	default: // the engine itself proceeds to SIGKILL
		return
	}
	r.stops.Go(func() {
		ctx, cancel := context.WithTimeout(r.own, r.control.GraceTime()+stopSlack)
		defer cancel()
		for pause := firstPause; ; pause = min(2*pause, longPause) {
			if err := request(ctx); !away(err) { // a container that has ended in the meantime is the desired result
				return
			}
			select {
			case <-watched.Done():
				return
			case <-ctx.Done():
				return
			case <-time.After(pause):
			}
		}
	})
}

// finish fills in how the container ended. code is its exit code.
func (r *run) finish(exit *process.Exit, code int) {
	exit.Code = code
	var state State
	look := func() (err error) {
		ctx, cancel := context.WithTimeout(r.own, removeTime)
		defer cancel()
		exit.Cause = r.settle(ctx, exit.Cause)
		state, err = r.eng.State(ctx, r.id)
		return err
	}
	err := r.persist(look)
	tries := 5
	if state.Memory > 0 {
		tries = 30
	}
	for n := 0; err == nil && n < tries && exit.Cause == process.Ended && state.Code == codeKilled && !state.OOMKilled; n++ {
		time.Sleep(oomPause) // on a busy machine, the kernel's OOM event arrives after the exit
		err = look()
	}
	if err == nil && exit.Cause == process.Ended && endedFromOutside(state) {
		// the engine may be shutting down: copying from an engine that stops meanwhile leaves mounts behind
		time.Sleep(stopPause)
		err = r.persist(look)
	}
	switch {
	case away(err):
		exit.Cause, exit.Code, exit.Note = process.Lost, process.CodeNotStarted, Explain(err)
		return
	case err != nil:
		exit.Note = Explain(err)
		return
	}
	if r.spec.Stored != nil {
		r.spec.Stored.Begun = state.Started
	}
	exit.Code = state.Code
	exit.OOMKilled = state.OOMKilled && state.Code != 0 // the engine also reports this when the job lost a child process and continued
	exit.Note = state.Error
	if took := state.Ended.Sub(state.Started); took > 0 && r.resumed { // it may have ended long before this process looked
		exit.Ended = exit.Started.Add(took)
	}
	if state.OOMKilled {
		exit.Note = memoryNote(state.Code == codeKilled, state.Memory)
	}
	if r.resumed && state.Code == codeUnknown {
		exit.Note = "the job returned 255, or it ended while the engine was down, in which case the engine reports 255: see the end of the log"
	}
	if exit.Cause == process.Ended && endedFromOutside(state) {
		exit.Note = "it was ended by a signal that amlfix did not send: the container was stopped from outside, or the job sent the signal itself"
		switch {
		case state.Code != codeKilled:
		case state.Memory > 0: // a busy engine can lose the kernel's event
			exit.Note += "; or memory ran out, whose limit was " + progress.Bytes(state.Memory)
		default: // of this the engine may get no event
			exit.Note += "; or the machine ran out of memory"
		}
	}
}

// memoryNote describes an OOM kill. main means that the job's own process was killed, so the outcome says the rest.
func memoryNote(main bool, limit int64) string {
	var parts []string
	if !main {
		parts = append(parts, "the kernel ended a process that the job had started, because memory ran out")
	}
	if limit > 0 {
		parts = append(parts, "the memory limit was "+progress.Bytes(limit))
	}
	return strings.Join(parts, "; ")
}

// endedFromOutside reports whether the job was ended by a signal that only an engine or a person can have sent.
func endedFromOutside(s State) bool { return !s.OOMKilled && (s.Code == 143 || s.Code == codeKilled) }
