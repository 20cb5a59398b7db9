package jobs

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/runtime"
	"github.com/amlfix/amlfix/runtime/mlflow"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/ssh"
	"github.com/amlfix/amlfix/schema/plain"
)

// followEvery is how often a log that another process is writing is read.
const followEvery = 50 * time.Millisecond

// runOptions returns the options shared by starting and resuming a run.
func (c *Jobs) runOptions() runtime.RunOptions {
	server, err := mlflow.New(c.Env)
	if err != nil {
		c.Say("%v; the run continues without it, and `amlfix runs push` sends it later", err)
	}
	if c.line == nil {
		c.line = sharedLine(c.Stdout, c.Stderr, c.Err)
	}
	return runtime.RunOptions{
		MLflow: server,
		Stdout: c.line.job(c.Out), Stderr: c.line.job(c.Err), Progress: c.progress(), Kill: c.Kill, Version: c.Version(), Unseen: c.unseen,
		SSH: ssh.Options{Password: c.Env(runtime.PasswordVariable), Ask: c.passwordAsker()},
	}
}

func (c *Jobs) logsOfRun(ctx context.Context, all runs, o RunsOptions) error {
	r, err := all.pick(o.args, anyRun, "")
	if err != nil {
		return err
	}
	if err := c.follow(ctx, r, o.Follow); err != nil {
		return err
	}
	if now, err := r.Again(); err == nil {
		r.Entry = now
	}
	if info, err := os.Lstat(record.LogFile(r.Dir)); err == nil && info.Size() == 0 && r.Cut() == "" {
		c.Say("run %s has printed nothing: %s", r.ID, r.sentence())
	}
	return nil
}

// follow prints the log of a run from the first byte. With onward, it continues until no process is using the run any
// more. If ctx is cancelled, which does not end the run, it says so.
func (c *Jobs) follow(ctx context.Context, r foundRun, onward bool) error {
	f, err := record.Follow(r.Dir)
	if err != nil {
		return err
	}
	defer f.Close()
	for {
		now, err := r.Again()
		over := !onward || err != nil || !now.Live
		if err := f.CopyTo(process.Streams{Stdout: c.Out, Stderr: c.Err}); err != nil {
			return err
		}
		if over {
			c.SayIf(now.Cut())
			return nil
		}
		select {
		case <-ctx.Done():
			c.Say("run %s continues: amlfix runs stop %[1]s ends it", r.ID)
			return console.Status(process.CancelCode(ctx))
		case <-time.After(followEvery):
		}
	}
}

func (c *Jobs) attachToRun(ctx context.Context, all runs, o RunsOptions) error {
	r, err := all.pick(o.args, func(r foundRun) bool { return !r.Over() }, "no run is in progress: amlfix runs list shows those that have ended")
	if err == nil && !r.Over() {
		err = r.inAzureML("stream", "follows it")
	}
	if err != nil {
		return err
	}
	left := !r.Over() && r.After > 0
	result, err := runtime.Attach(ctx, r.Dir, c.runOptions())
	busy := errors.Is(err, record.ErrBusy)
	if now, gone := r.Again(); gone == nil && now.Over() && !busy && record.Unseen(r.Dir) { // it ended in the background, perhaps only now
		if err := c.follow(ctx, r, false); err != nil {
			return err
		}
	}
	if busy {
		c.Say("another amlfix process is using run %s; this one only shows its output", r.ID)
		if err := c.follow(ctx, r, true); err != nil {
			return err
		}
		if now, err := r.Again(); err == nil && now.Over() {
			left = false
		}
		if result, err = runtime.Attach(ctx, r.Dir, c.runOptions()); err != nil && result.RunID.IsZero() {
			if gone := r.gone(); gone != nil {
				return gone
			}
			return err
		}
	}
	if result.RunID.IsZero() {
		return err
	}
	c.Job = true
	err = c.finish(result, err)
	if left && result.Outcome != runtime.Lost {
		c.Say("the pipeline ended with the amlfix process that ran it: %s not run; `amlfix run --step` runs one of them", plain.Count(r.After, "step"))
	}
	return err
}

// fetchRun tries again to copy outputs back.
func (c *Jobs) fetchRun(ctx context.Context, all runs, o RunsOptions) error {
	if len(o.args) == 0 && len(all) > 0 && !slices.ContainsFunc(all, foundRun.OutputsMissing) {
		c.Say("no run here has outputs missing: there is nothing to fetch")
		return nil
	}
	r, err := all.pick(o.args, foundRun.OutputsMissing, "")
	if err == nil {
		err = r.inAzureML("download", "fetches its outputs")
	}
	switch {
	case err != nil:
		return err
	case !r.Over():
		return console.Usage("runs", "run %s has not ended: amlfix runs attach %[1]s copies its outputs back when it ends", r.ID)
	case !r.OutputsMissing() && !r.OutputsLost():
		c.Say("run %s: no outputs are missing", r.ID)
		return nil
	}
	result, err := runtime.Fetch(ctx, r.Dir, c.runOptions())
	if err != nil {
		c.Say("run %s: outputs are still missing: %s", r.ID, runtime.Explain(err))
		return console.Status(console.Failure)
	}
	for _, w := range result.Outputs.Warnings {
		c.Say("%s", w)
	}
	c.Say("%s", result.Sentence())
	return nil
}

// precedes reports whether other is a run in progress of a later step of the same pipeline.
func (r foundRun) precedes(other foundRun) bool {
	file, _, _ := strings.Cut(r.Name, ": ")
	return other.Live && !other.Over() && other.Project == r.Project && other.After < r.After && other.Created.After(r.Created) && strings.HasPrefix(other.Name, file+": ")
}

func (c *Jobs) stopRun(ctx context.Context, all runs, o RunsOptions) error {
	r, err := all.pick(o.args, func(r foundRun) bool { return !r.Over() }, "no run is in progress")
	if err != nil {
		return err
	}
	if r.Over() {
		c.Say("run %s has ended: %s", r.ID, r.sentence())
		if at := slices.IndexFunc(all, r.precedes); at >= 0 {
			c.Say("a later step of its pipeline is in progress: `amlfix runs stop %s` ends it", all[at].ID)
		}
		return nil
	}
	if err := r.inAzureML("cancel", "ends it"); err != nil {
		return err
	}
	err = record.RequestStop(r.Dir)
	if o.Now && err == nil {
		err = record.RequestStop(r.Dir)
	}
	if err != nil {
		return err
	}
	for {
		stop, cancel := context.WithCancelCause(ctx)
		cancel(&process.Signalled{Signal: syscall.SIGTERM})
		opts := c.runOptions()
		opts.Stdout, opts.Stderr, opts.Unseen = nil, nil, true
		result, err := runtime.Attach(stop, r.Dir, opts)
		if errors.Is(err, record.ErrBusy) {
			select {
			case <-ctx.Done():
				c.Say("run %s has been asked to stop, and may still be stopping: amlfix runs show %[1]s says whether it has ended", r.ID)
				return console.Status(process.CancelCode(ctx))
			case <-time.After(followEvery):
				continue
			}
		}
		switch {
		case result.RunID.IsZero():
			if gone := r.gone(); gone != nil { // an untracked run
				c.Say("%v", gone)
				return nil
			}
			return err
		case result.Outcome == runtime.Lost && err != nil:
			c.Say("%s", result.Sentence())
			return console.Status(console.Failure)
		}
		c.Say("%s", result.Sentence())
		return nil
	}
}

func (c *Jobs) pushRun(ctx context.Context, all runs, o RunsOptions) error {
	r, err := all.pick(o.args, foundRun.Over, "no run has ended")
	if err != nil {
		return err
	}
	server, err := mlflow.New(c.Env)
	switch {
	case err != nil:
		return console.Usage("runs", "%v", err)
	case server == nil:
		return console.Usage("runs", "push needs the address of an MLflow server in MLFLOW_TRACKING_URI, such as http://localhost:5000")
	}
	sent, err := runtime.Push(ctx, server, r.Dir)
	switch {
	case errors.Is(err, record.ErrBusy):
		c.Say("another amlfix process is using run %s: it sends the run itself if MLFLOW_TRACKING_URI is set there", r.ID)
		return console.Status(console.Failure)
	case err != nil:
		c.Say("%s", runtime.Explain(err))
		return console.Status(console.Failure)
	}
	c.Say("run %s is run %s of experiment %s on %s", r.ID, sent.Run, sent.Experiment, sent.Server)
	if sent.Error != "" {
		c.Say("%s", sent.Error)
	}
	return nil
}
