package jobs

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/runtime"
	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/ssh"
	"github.com/amlfix/amlfix/schema/plain"
)

// othersTime is how long a run that was not started looks for further obstacles.
const othersTime = 15 * time.Second

// sayOthers reports what else prevents a job from starting: a run ends at the first obstacle, and users prefer to learn
// about the others at once. Without a connection to the job's machine, nothing more can be learned; with one, no
// password is asked for again.
func (c *Jobs) sayOthers(ctx context.Context, plan runtime.Plan, opts runtime.RunOptions, why error) {
	if _, unconnected := errors.AsType[*ssh.Error](why); unconnected {
		return
	}
	said := runtime.Explain(why)
	ctx, cancel := context.WithTimeout(ctx, othersTime)
	defer cancel()
	opts.SSH.Ask, opts.Progress = nil, nil
	checks, err := runtime.CheckRun(ctx, plan, opts)
	if err != nil {
		return
	}
	for _, k := range checks {
		started := k.Topic == preflight.Program && k.Err == nil // a run starts a program that is not Python anyway
		if !k.Stops(opts.RequireGPU) || started || strings.Contains(said, k.Text) {
			continue
		}
		text := k.Text
		if k.Origin.Path != "" {
			text = k.Origin.String() + ": " + text
		}
		c.Say("also: %s", text)
	}
}

// needsEngine says once how a v2 job that has not started because there is no engine runs without one.
func (c *Jobs) needsEngine(err error) {
	if !c.hinted && docker.Is(err, docker.NoEngine) {
		c.hinted = true
		c.Say("without an engine, -t local runs the job as a process of this machine, with the Python and packages here")
	}
}

// checkRun reports whether a job can run on its target. The report goes to standard output; if the job cannot run, the
// exit status is that of a run that was not started.
func (c *Jobs) checkRun(ctx context.Context, plan runtime.Plan, requireGPU bool) error {
	opts := c.runOptions()
	opts.RequireGPU = requireGPU
	checks, err := runtime.CheckRun(ctx, plan, opts)
	if err != nil {
		return err
	}
	what := "run configuration"
	if plan.Work != nil {
		what = "job"
	}
	row := c.inspection.of(plan)
	stops, doubts, unknown := 0, 0, ""
	var missing error
	for _, k := range checks {
		if missing == nil {
			missing = k.Err
		}
		switch {
		case k.Stops(requireGPU):
			stops++
		case k.Status == preflight.Doubtful:
			doubts++
		case k.Status == preflight.Unknown:
			unknown = "; what is marked unknown could not be checked"
		}
		c.printCheck(k, requireGPU, row)
	}
	switch {
	case stops > 0:
		c.Say(what+" %s cannot be started on target %s: %s%s", plan.Name, plan.Target.Value, plain.Count(stops, "obstacle"), unknown)
		if plan.Work != nil {
			c.needsEngine(missing)
		}
		return console.Status(console.NotStarted)
	case doubts > 0:
		c.Say(what+" %s can be started on target %s, with %s%s", plan.Name, plan.Target.Value, plain.Count(doubts, "doubt"), unknown)
	default:
		c.Say(what+" %s can be started on target %s%s", plan.Name, plan.Target.Value, unknown)
	}
	return nil
}
