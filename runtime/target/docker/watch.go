package docker

import (
	"archive/tar"
	"context"
	"errors"
	"io"
	"path"
	"sync"
	"time"

	engine "github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/session"
	"github.com/amlfix/amlfix/runtime/shim"
)

// watch records what becomes known about the run while it proceeds.
func (c *run) watch(ctx context.Context, spec *engine.Spec) {
	s := c.s
	name, measured, sampled, local := engine.ContainerName(s.Plan.RunID.String()), func() {}, func() {}, false
	spec.Found = func(info engine.Info, img engine.Image) {
		local = info.Local
		s.Note(func(rec *record.Record) {
			rec.Handle.Engine, rec.Handle.Container, rec.Handle.Mounted = info.Host, name, c.mounted != ""
			rec.Image = &record.Image{Name: spec.Image, ID: img.ID, Digest: first(img.Digests)}
			if env := s.Result.Environment; env.Image != "" {
				base := record.Image{Name: c.part.Image.Value, ID: env.Base, Digest: env.BaseDigest}
				rec.Environment = &record.Environment{File: c.part.Conda.Value, Base: base, Way: string(env.Way), Packages: c.part.Recipe.Packages()}
			}
		})
	}
	spec.Began = func(time.Time) {
		measured = s.Measure(ctx, c.metrics(name))
		if s.Plan.GPUs.Value.Wanted() {
			sampled = s.Sample(ctx, gpus(c.eng, name, c.machine(local)))
		}
	}
	spec.Exited = s.Exited
	spec.Look = func() *engine.Rest { return c.look(ctx, name) }
	spec.Last = func() {
		var metrics sync.WaitGroup
		metrics.Go(measured)
		sampled()
		c.written(ctx, name)
		metrics.Wait()
	}
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// ended records what became of a container.
func (c *run) ended(ctx context.Context, result engine.Result) {
	s, name := c.s, engine.ContainerName(c.job.Plan.RunID.String())
	s.Result.GPUWay = result.GPU
	switch {
	case result.Cause == process.Lost:
		s.Result.Container = name
	case result.Ran() && c.mounted != "":
		s.Collect(ctx, c.mounted)
	case engine.Is(result.CollectErr, engine.ContainerGone):
		s.OutputsKept(&session.GoneError{What: "its container " + name}, "")
	case result.CollectErr != nil:
		at := "the container " + name
		if c.line != nil {
			at += " on " + c.line.Name()
		}
		s.OutputsKept(result.CollectErr, at)
	}
}

// Fetch copies the outputs out of the container again.
func (Target) Fetch(ctx context.Context, s *session.Session, rec record.Record) error {
	if rec.Handle.Mounted {
		return s.FetchFolder(ctx, rec)
	}
	c := containerOf(&s.Job)
	defer c.close()
	if err := c.connect(ctx); err != nil {
		return err
	}
	err := engine.Fetch(ctx, c.eng, rec.ID.String(), collector(s))
	if engine.Is(err, engine.ContainerGone) {
		return &session.GoneError{What: "its container " + rec.Handle.Container}
	}
	if err == nil {
		c.dropVolume(ctx, rec)
	}
	return c.place(err)
}

// lookForDriver checks the engine's machine for a driver, if that is this machine or is reached over SSH.
func (c *run) lookForDriver(ctx context.Context) {
	if c.line != nil {
		c.s.LookForDriver(ctx, c.line.Script)
	} else if info, err := c.eng.Info(context.WithoutCancel(ctx)); err == nil && info.Local {
		c.s.LookForDriver(ctx, session.Here)
	}
}

// Resume resumes a run in a container made by an earlier process.
func (Target) Resume(ctx context.Context, s *session.Session, rec record.Record) (process.Exit, error) {
	if rec.Entered(progress.Creating).IsZero() || rec.Handle.Container == "" {
		s.DropFolder(rec)
		if rec.Handle.Volume != "" || !rec.Entered(progress.Checking).IsZero() {
			dropUnstarted(ctx, s, rec)
		}
		return process.Exit{}, session.ErrNeverStarted
	}
	c := &run{container: containerOf(&s.Job), s: s}
	if rec.Image != nil {
		c.part.Image.Value = rec.Image.Name
	}
	defer c.close()
	if err := c.connect(session.Reaching(ctx)); err != nil {
		s.Result.Container = rec.Handle.Container
		return session.Unseen(rec, ""), err
	}
	spec := engine.Spec{RunID: rec.ID.String()}
	if rec.Handle.Mounted {
		c.mounted = rec.Handle.Folder
	} else {
		spec.Collect = collector(s)
	}
	c.watch(ctx, &spec)
	out, errs := s.Seen()
	result, err := engine.Reopen(ctx, c.eng, spec, engine.Seen{Stdout: out, Stderr: errs}, s.Streams, s.Control, s.Say)
	defer c.dropVolume(ctx, rec) // a container that is kept keeps its volume
	s.Result.GPUWay = result.GPU
	switch {
	case engine.Is(err, engine.ContainerGone) && rec.Exit != nil: // killed when only the final report was missing
		s.CollectLeft(ctx, rec)
		return *rec.Exit, nil
	case engine.Is(err, engine.ContainerGone) && !rec.MayRun(), err == nil && !result.Ran():
		s.DropFolder(rec)
		return process.Exit{}, session.ErrNeverStarted
	case engine.Is(err, engine.ContainerGone):
		s.CollectLeft(ctx, rec)
		return session.Unseen(rec, "its container no longer exists: it was removed, and it is not known how the job ended"), nil
	case err != nil:
		s.Result.Container = rec.Handle.Container
		return session.Unseen(rec, ""), err
	}
	c.ended(ctx, result)
	c.lookForDriver(ctx)
	if s.Result.Container == "" {
		s.DropFolder(rec)
	}
	return result.Exit, nil
}

// metrics reads the metrics of a job in a container, running or not. The engine returns only whole files, so it is
// first asked for the file's size.
func (c *run) metrics(name string) session.MetricsSource {
	file := path.Join(engine.WorkDir, shim.MetricsFile)
	return func(ctx context.Context, from int64) ([]byte, error) {
		if all := c.measured.Load(); all != nil {
			return (*all)[min(from, int64(len(*all))):], nil
		}
		stat, err := c.eng.Stat(ctx, name, file)
		if err != nil || stat.Size <= from {
			return nil, err
		}
		stream, err := c.eng.CopyOut(ctx, name, file)
		if err != nil {
			return nil, err
		}
		defer func() { _ = stream.Close() }()
		tr := tar.NewReader(stream)
		h, err := tr.Next()
		if err != nil || h.Typeflag != tar.TypeReg {
			return nil, errors.Join(err, errors.New("the metrics are not a file"))
		}
		if _, err := io.CopyN(io.Discard, tr, from); err != nil {
			return nil, err
		}
		return io.ReadAll(io.LimitReader(tr, session.MetricsPiece))
	}
}

// machine returns a way to call nvidia-smi on the engine's machine; nil: it cannot be reached. local means that the
// engine is on this machine.
func (c *run) machine(local bool) session.SMI {
	switch {
	case c.line != nil:
		return session.SMIOf(c.line.Script)
	case local:
		return session.SMIHere
	}
	return nil
}

// gpus queries the GPUs of a container. In most containers nvidia-smi cannot see processes; on the engine's machine it
// can, and it numbers them as the engine does. It also serves containers that have no nvidia-smi.
func gpus(eng engine.Engine, name string, machine session.SMI) session.GPUs {
	inside := func(ctx context.Context, args ...string) (string, bool) {
		out, code, err := eng.Exec(ctx, name, "", append([]string{"nvidia-smi"}, args...)...)
		return string(out), err == nil && code == 0
	}
	ask := []session.SMI{inside}
	if machine != nil {
		ask = append(ask, machine)
	}
	return session.GPUs{List: ask, Processes: ask, Job: func(ctx context.Context) []int {
		pids, _ := eng.Processes(ctx, name) // none are known then
		return pids
	}}
}
