package jobs

import (
	"context"
	"fmt"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/runtime"
	"github.com/amlfix/amlfix/runtime/process"
)

// Prepare makes the environment of a job's container, as an image, and prints its name. style is that of findings.
func (c *Jobs) Prepare(ctx context.Context, choice Choice, style ui.Style) error {
	chosen, err := c.choose(ctx, choice)
	if err != nil {
		return err
	}
	stopped, err := c.inOrder(&chosen, RunOptions{Style: style})
	if err != nil {
		return err
	}
	options := c.planOptions(chosen)
	options.NoScript = true
	plan, err := runtime.NewPlan(chosen.job, options)
	file, image, ok := runtime.Environment(plan)
	switch {
	case err != nil && !stopped:
		return c.noPlan(choice.Command, err)
	case stopped:
		return console.Status(console.Findings)
	case !ok:
		c.Say("nothing to prepare: %s", c.whyNoEnvironment(chosen))
		return nil
	}
	opts := c.runOptions()
	opts.Stdout = c.Err // standard output is reserved for the image's name
	env, err := runtime.Prepare(ctx, plan, opts)
	switch {
	case ctx.Err() != nil:
		c.Say("stopped: no environment was built")
		return console.Status(process.CancelCode(ctx))
	case err != nil:
		c.Say("%s", runtime.Explain(err))
		return console.Status(console.Findings)
	case !env.Made:
		c.Say("the environment of %s on image %s already exists", file, image)
	}
	_, _ = fmt.Fprintln(c.Out, ui.Printable(env.Image))
	return nil
}

// whyNoEnvironment explains why nothing is installed for a job.
func (c *Jobs) whyNoEnvironment(k chosen) string {
	job, target := k.job, k.job.Target
	switch {
	case target.UserManaged.Bool:
		return fmt.Sprintf("the environment of target %s is the user's own (%s)", target.Name, c.Rel(target.File.Path))
	case !target.Provisions():
		return fmt.Sprintf("target %s runs jobs with an existing Python", target.Name)
	case job.Environment == nil:
		return c.Rel(job.File.Path) + " names no conda file"
	}
	return c.Rel(job.Environment.File.Path) + " lists no packages"
}
