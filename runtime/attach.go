package runtime

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/evidence"
	"github.com/amlfix/amlfix/runtime/local"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/runid"
)

// Attach goes on with the run whose record is in dir, where an earlier program was killed, or has lost it: output that
// was not shown yet is passed on, the job is seen to its end, its outputs come back, and nothing is left of it, as with
// Run. A ctx that is cancelled from the start stops the job. A run that is over already gives its result again.
//
// The error is record.ErrBusy while another program is at work on the run, and a *record.RefusedError when the record is not
// believed, see vouch: nothing has been done then. Otherwise it is as with Run.
func Attach(ctx context.Context, dir string, opts RunOptions) (Result, error) {
	run, err := record.Open(dir)
	if err != nil {
		return Result{}, err
	}
	rec := run.Record()
	if rec.Over() {
		run.Close()
		return resultOf(record.Entry{Record: rec, Dir: dir}), nil
	}
	if err := vouch(rec); err != nil {
		run.Close()
		return Result{}, &record.RefusedError{Path: record.Path(dir), Why: err.Error()}
	}
	r := newRunner(planOf(rec), opts)
	if err := r.scanAgain(run); err != nil {
		run.Close()
		return Result{}, err
	}
	if err := run.Log().Replay(r.shown, false); err != nil {
		run.Close()
		return Result{}, fmt.Errorf("the log of run %s cannot be read: %w", rec.ID, err)
	}
	r.keep(run)
	r.earlier = rec.Stop
	if rec.Outputs != nil {
		r.result.Outputs = collectedOf(rec.Outputs)
	}
	ctx, over := r.obey(stoppedAgain(ctx, rec.Stop))
	defer over()
	defer r.hangUp()
	r.sent = r.track(ctx)
	exit, err := r.pickUp(ctx, rec)
	return r.end(ctx, exit, err)
}

// stoppedAgain is ctx, cancelled as it was when the user asked an earlier program to stop the job. A time limit is over
// for this program too.
func stoppedAgain(ctx context.Context, stop *record.Stop) context.Context {
	if stop == nil || stop.Cause != string(process.Cancelled) {
		return ctx
	}
	cause := &process.Signalled{Signal: syscall.SIGTERM}
	if stop.Code == 128+int(syscall.SIGINT) {
		cause.Signal = os.Interrupt
	}
	ctx, cancel := context.WithCancelCause(ctx)
	cancel(cause)
	return ctx
}

// reaching is ctx for the way to the machine of a job: a job that is to be stopped must be reached first.
func reaching(ctx context.Context) context.Context {
	if context.Cause(ctx) != nil {
		return context.WithoutCancel(ctx)
	}
	return ctx
}

// planOf is as much of a run's plan as is needed to go on with it.
func planOf(rec record.Record) Plan {
	p := Plan{RunID: rec.ID, Name: rec.Name, Project: rec.Project}
	p.Kind.Value, p.Target.Value, p.Timeout.Value, p.Tracked.Value = Kind(rec.Kind), rec.Target, rec.Limit, rec.Tracked
	p.Host.Value, p.User.Value = rec.Handle.Host, rec.Handle.User
	p.Interpreter.Value = "the program"
	if rec.Image != nil {
		p.Image.Value = rec.Image.Name
	}
	if slices.ContainsFunc(rec.Plan, func(l record.Line) bool { return l.Name == "gpus" && l.Value == string(AllGPUs) }) {
		p.GPUs.Value = AllGPUs
	}
	return p
}

// scanAgain looks for evidence in what was printed so far.
func (r *runner) scanAgain(run *record.Run) error {
	f, err := record.Follow(run.Dir())
	if err != nil {
		return err
	}
	defer f.Close()
	return f.CopyTo(r.scanned)
}

// errLeft is why a run is not started that was killed before that.
var errLeft = errors.New("amlfix was ended before it had started the job; nothing of it is left")

func (r *runner) pickUp(ctx context.Context, rec record.Record) (process.Exit, error) {
	switch Kind(rec.Kind) {
	case Docker:
		return r.pickUpContainer(ctx, rec)
	case Local:
		return r.pickUpLocal(ctx, rec)
	case Remote, Cluster:
		return r.pickUpRemote(ctx, rec)
	}
	return process.Exit{}, fmt.Errorf("a run of kind %q cannot be picked up", rec.Kind)
}

func (r *runner) pickUpContainer(ctx context.Context, rec record.Record) (process.Exit, error) {
	if rec.Entered(progress.Creating).IsZero() || rec.Handle.Container == "" {
		r.dropFolder(rec)
		return process.Exit{}, errLeft
	}
	eng, err := r.engine(reaching(ctx))
	if err != nil {
		r.result.Container = rec.Handle.Container
		return r.unseen(rec), err
	}
	if r.opts.Engine == nil {
		defer func() { _ = eng.Close() }()
	}
	spec, mounted := docker.Spec{RunID: rec.ID.String()}, ""
	if rec.Handle.Mounted {
		mounted = rec.Handle.Folder
	} else {
		spec.Collect = func(ctx context.Context, tar io.Reader) (err error) {
			r.result.Outputs, err = project.CollectTar(ctx, r.counted(tar), r.plan.Project)
			r.collected()
			return err
		}
	}
	r.watch(ctx, eng, &spec, mounted)
	out, errs := r.rec.run.Log().Seen()
	result, err := docker.Reopen(ctx, eng, spec, docker.Seen{Stdout: out, Stderr: errs}, r.streams, r.control, r.say)
	r.result.GPUWay = result.GPU
	switch {
	case docker.Is(err, docker.ContainerGone) && rec.Exit != nil: // killed when all was done but to say so
		r.collectFolder(ctx, rec)
		return exitOf(rec), nil
	case docker.Is(err, docker.ContainerGone) && !rec.MayRun(), err == nil && !result.Ran():
		r.dropFolder(rec)
		return process.Exit{}, errLeft
	case docker.Is(err, docker.ContainerGone):
		r.collectFolder(ctx, rec)
		exit := r.unseen(rec)
		exit.Note = "its container is gone: somebody has removed it, and how the job ended is not known"
		return exit, nil
	case err != nil:
		r.result.Container = rec.Handle.Container
		return r.unseen(rec), err
	}
	r.ended(ctx, result, mounted)
	if r.result.Container == "" {
		r.dropFolder(rec)
	}
	return result.Exit, nil
}

// unseen is the exit of a job that was started, as far as is known, and whose end was not seen.
func (r *runner) unseen(rec record.Record) process.Exit {
	return process.Exit{Cause: process.Lost, Code: CodeNotStarted, Started: rec.Entered(progress.Starting)}
}

func exitOf(rec record.Record) process.Exit {
	e := rec.Exit
	return process.Exit{Code: e.Code, Cause: process.Cause(e.Cause), OOMKilled: e.OOMKilled, Started: e.Started, Ended: e.Ended, Note: e.Note}
}

// collectFolder brings the outputs of a working folder on this machine back, if there is one still, and removes it.
func (r *runner) collectFolder(ctx context.Context, rec record.Record) {
	if _, err := os.Stat(rec.Handle.Folder); rec.Handle.Folder == "" || err != nil {
		return
	}
	r.collect(ctx, rec.Handle.Folder)
	r.dropFolder(rec)
}

// dropFolder removes the working folder of a run, unless outputs are still in it.
func (r *runner) dropFolder(rec record.Record) {
	if r.result.KeptAt == "" && rec.Handle.Folder != "" {
		removeTemp(filepath.Dir(rec.Handle.Folder)) // see vouch
	}
}

// folderName is the name of the folder that holds the working folder of a run on this machine.
func folderName(runID runid.ID) string { return folderStart + runID.String() }

const folderStart = "amlfix-"

func (r *runner) pickUpLocal(ctx context.Context, rec record.Record) (process.Exit, error) {
	if !rec.MayRun() {
		r.dropFolder(rec)
		return process.Exit{}, errLeft
	}
	if rec.Exit != nil { // killed when the job had ended
		r.collectFolder(ctx, rec)
		return exitOf(rec), nil
	}
	dir := rec.Handle.Folder
	if since := rec.Entered(progress.Running); local.Busy(filepath.Dir(dir)) && !since.IsZero() {
		r.say.Notice("the job runs on this machine, since %s", since.Local().Format(time.DateTime))
	}
	out, errs := r.rec.run.Log().Seen()
	exit, err := r.attendLocal(ctx, dir, func() (process.Exit, error) {
		return local.Attend(ctx, filepath.Dir(dir), local.Position{Stdout: out, Stderr: errs}, r.streams, r.control.Kill, r.stopping)
	})
	switch {
	case errors.Is(err, local.ErrNotBegun):
		err = errLeft
	case errors.Is(err, local.ErrGone):
		exit, err = r.unseen(rec), nil
		exit.Note = "its working folder is gone, and how the job ended is not known: the machine was restarted, or somebody has removed it"
	}
	if err == nil || errors.Is(err, errLeft) {
		r.dropFolder(rec)
	}
	return exit, err
}

// resultOf is the result of a run that is over, as its record tells it.
func resultOf(e record.Entry) Result {
	res := Result{RunID: e.ID, Outcome: Outcome(e.Outcome), Code: e.Code, Reason: e.Reason, Record: e.Dir}
	if e.Exit != nil {
		res.JobCode, res.Started, res.Ended = e.Exit.Code, e.Exit.Started, e.Exit.Ended
	}
	if e.Outputs != nil {
		res.Outputs, res.KeptAt = collectedOf(e.Outputs), e.Outputs.At
		if e.Outputs.Error != "" {
			res.OutputsErr = errors.New(e.Outputs.Error)
		}
	}
	if e.GPU != nil {
		res.GPUWay, res.said = docker.GPUWay(e.GPU.Way), e.GPU.Sentence
		res.Evidence = evidence.Verdict{StandIn: e.GPU.StandIn, GPUs: e.GPU.Names}
		if e.GPU.Proven {
			res.Evidence.Level = evidence.Used
		}
	}
	return res
}

func collectedOf(o *record.Outputs) project.Collected {
	c := project.Collected{Files: len(o.Files), Bytes: o.Bytes}
	for _, f := range o.Files {
		c.List = append(c.List, project.File(f))
	}
	return c
}

// Leftover is something that runs have left behind.
type Leftover struct {
	RunID runid.ID
	What  string // "container amlfix-…" or "folder /tmp/…"
	Busy  bool   // a job is still at work in it
	drop  func(context.Context) error
}

// Remove removes it, and ends the job that is at work in it.
func (l Leftover) Remove(ctx context.Context) error { return l.drop(ctx) }

// Leftovers lists the containers of eng (nil: none are looked for) and the working folders on this machine that belong
// to no run whose id is in known: an amlfix was killed and its record removed, or the record is elsewhere. Containers that
// are not called as a run's are left out, and so are folders of other users.
func Leftovers(ctx context.Context, eng docker.Engine, known []runid.ID) (list []Leftover, err error) {
	if eng != nil {
		containers, err := eng.Containers(ctx)
		if err != nil {
			return nil, err
		}
		for _, c := range containers {
			if id, err := runid.Parse(c.RunID); err == nil && !slices.Contains(known, id) && c.Name == docker.ContainerName(c.RunID) {
				list = append(list, Leftover{RunID: id, What: "container " + c.Name, Busy: c.Running, drop: func(ctx context.Context) error { return eng.Remove(ctx, c.Name) }})
			}
		}
	}
	folders, err := filepath.Glob(filepath.Join(os.TempDir(), folderStart+"*"))
	for _, f := range folders {
		id, err := runid.Parse(strings.TrimPrefix(filepath.Base(f), folderStart))
		if err != nil || slices.Contains(known, id) || record.Own(f) != nil {
			continue
		}
		list = append(list, Leftover{RunID: id, What: "folder " + f, Busy: local.Busy(f) || len(local.Processes(id)) > 0, drop: func(ctx context.Context) error {
			if err := local.End(ctx, id, f); err != nil {
				return err
			}
			removeTemp(f)
			return nil
		}})
	}
	return list, err
}
