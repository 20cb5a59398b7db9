package main

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/runtime"
	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/mlflow"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/runtime/ssh"
)

// followEvery is how often a log is looked at that another amlfix writes.
const followEvery = 50 * time.Millisecond

// runOptions are those that running and going on with a run have in common.
func (c *Command) runOptions() runtime.RunOptions {
	server, err := mlflow.New(c.Env)
	if err != nil {
		c.say("%v; the run goes on without, and `amlfix runs push` sends it later", err)
	}
	return runtime.RunOptions{
		MLflow: server,
		Stdout: c.out, Stderr: c.err, Progress: c.progress(), Kill: c.Kill, Version: version(),
		SSH: ssh.Options{Password: c.Env(runtime.PasswordVariable), Ask: c.passwordAsker()},
	}
}

func (c *Command) logsOfRun(ctx *cli.Context, all runs, args []string) error {
	r, err := all.pick(args, anyRun, "")
	if err != nil {
		return err
	}
	return c.follow(ctx.Context, r, ctx.Bool("follow"))
}

// follow prints the log of a run from its first byte on. With onward it does so
// until nobody is at work on the run any more, or ctx is cancelled.
func (c *Command) follow(ctx context.Context, r foundRun, onward bool) error {
	f, err := record.Follow(r.Dir)
	if err != nil {
		return err
	}
	defer f.Close()
	for {
		over := false
		if onward {
			now, err := r.Again()
			over = err != nil || !now.Live
		}
		if err := f.CopyTo(process.Streams{Stdout: c.out, Stderr: c.err}); err != nil {
			return err
		}
		if over || !onward {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(followEvery):
		}
	}
}

func (c *Command) attachToRun(ctx *cli.Context, all runs, args []string) error {
	r, err := all.pick(args, func(r foundRun) bool { return !r.Over() }, "no run is going on: amlfix runs list shows those that are over")
	if err != nil {
		return err
	}
	result, err := runtime.Attach(ctx.Context, r.Dir, c.runOptions())
	if errors.Is(err, record.ErrBusy) {
		c.say("another amlfix is at work on run %s; this one only shows its output", r.ID)
		if err := c.follow(ctx.Context, r, true); err != nil {
			return err
		}
		if result, err = runtime.Attach(ctx.Context, r.Dir, c.runOptions()); err != nil && result.RunID.IsZero() {
			if gone := r.gone(); gone != nil {
				return gone
			}
			return err
		}
	}
	if result.RunID.IsZero() {
		return err
	}
	c.job = true
	return c.finish(result, err)
}

func (c *Command) stopRun(ctx *cli.Context, all runs, args []string) error {
	r, err := all.pick(args, func(r foundRun) bool { return !r.Over() }, "no run is going on")
	if err != nil {
		return err
	}
	if r.Over() {
		c.say("run %s is over: %s", r.ID, r.sentence())
		return nil
	}
	for range 1 + count(ctx.Bool("now")) {
		if err := record.RequestStop(r.Dir); err != nil {
			return err
		}
	}
	for {
		stop, cancel := context.WithCancelCause(ctx.Context)
		cancel(&process.Signalled{Signal: syscall.SIGTERM})
		opts := c.runOptions()
		opts.Stdout, opts.Stderr = nil, nil
		result, err := runtime.Attach(stop, r.Dir, opts)
		if errors.Is(err, record.ErrBusy) {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(followEvery):
				continue
			}
		}
		switch {
		case result.RunID.IsZero():
			if gone := r.gone(); gone != nil { // an untracked run
				c.say("%v", gone)
				return nil
			}
			return err
		case result.Outcome == runtime.Lost && err != nil:
			c.say("%s", result.Sentence())
			return status(statusFailure)
		}
		c.say("%s", result.Sentence())
		return nil
	}
}

func (c *Command) pushRun(ctx *cli.Context, all runs, args []string) error {
	r, err := all.pick(args, foundRun.Over, "no run is over")
	if err != nil {
		return err
	}
	server, err := mlflow.New(c.Env)
	switch {
	case err != nil:
		return usage("runs", "%v", err)
	case server == nil:
		return usage("runs", "push needs the address of an MLflow server in MLFLOW_TRACKING_URI, such as http://localhost:5000")
	}
	sent, err := runtime.Push(ctx.Context, server, r.Dir)
	switch {
	case errors.Is(err, record.ErrBusy):
		c.say("another amlfix is at work on run %s: it sends the run itself when MLFLOW_TRACKING_URI is set there", r.ID)
		return status(statusFailure)
	case err != nil:
		c.say("%s", runtime.Explain(err))
		return status(statusFailure)
	}
	c.say("run %s is run %s of experiment %s on %s", r.ID, sent.Run, sent.Experiment, sent.Server)
	if sent.Error != "" {
		c.say("%s", sent.Error)
	}
	return nil
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (c *Command) cleanRuns(ctx *cli.Context, all runs, args []string) error {
	age, err := older(ctx.String("older"))
	if err != nil {
		return err
	}
	if len(args) > 0 {
		r, err := all.pick(args, anyRun, "")
		if err != nil {
			return err
		}
		all = runs{r}
	}
	cleaned, failed := 0, false
	for _, r := range all {
		switch {
		case r.Live:
		case !r.Over() && r.MayRun():
			c.say("run %s may still be running: amlfix runs attach or amlfix runs stop ends it", r.ID)
		case !r.Over():
			opts := c.runOptions()
			opts.Stdout, opts.Stderr = nil, nil
			if result, err := runtime.Attach(ctx.Context, r.Dir, opts); err != nil && result.Outcome != runtime.NotStarted {
				c.say("%s", runtime.Explain(err))
				failed = true
				continue
			}
			c.say("run %s: removed what it had left", r.ID)
			cleaned++
		case ctx.String("older") != "" && time.Since(r.Created) > age:
			if err := record.Remove(r.Dir); err != nil {
				c.say("%v", err)
				failed = true
				continue
			}
			c.say("run %s: removed its record", r.ID)
			cleaned++
		}
	}
	if ctx.Bool("orphans") {
		n, err := c.cleanOrphans(ctx.Context, all)
		if err != nil {
			c.say("%s", runtime.Explain(err))
			failed = true
		}
		cleaned += n
	}
	switch {
	case failed:
		return status(statusFailure)
	case cleaned == 0:
		c.say("nothing to remove")
	}
	return nil
}

// cleanOrphans removes what runs without a record here have left on this
// computer. Containers in which a job is at work are only named.
func (c *Command) cleanOrphans(ctx context.Context, all runs) (removed int, err error) {
	var known []runid.ID
	for _, r := range all {
		known = append(known, r.ID)
	}
	eng, err := docker.Connect()
	if err != nil {
		return 0, err
	}
	defer func() { _ = eng.Close() }()
	asked := eng
	if _, err := eng.Info(ctx); docker.Is(err, docker.NoEngine) { // then it has no containers either
		asked = nil
	}
	list, err := runtime.Leftovers(ctx, asked, known)
	for _, l := range list {
		if l.Busy {
			c.say("%s of run %s is still at work: left alone", l.What, l.RunID)
			continue
		}
		if err := l.Remove(ctx); err != nil {
			return removed, err
		}
		c.say("run %s: removed %s", l.RunID, l.What)
		removed++
	}
	return removed, err
}

// older reads the value of --older, which may also be in days.
func older(text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	days, isDays := strings.CutSuffix(text, "d")
	if n, err := strconv.Atoi(days); isDays && err == nil && n >= 0 && n < 100_000 {
		return time.Duration(n) * 24 * time.Hour, nil
	}
	age, err := time.ParseDuration(text)
	if err != nil || age < 0 {
		return 0, usage("runs", "--older: %q is no time: write a number with its unit, such as 12h or 30d", ui.Printable(text))
	}
	return age, nil
}
