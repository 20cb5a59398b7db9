package main

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/secret"
)

// inOrder checks the files of a job, and repairs them with --apply; k is then
// the repaired one. stopped tells that errors are left, which have been shown.
// With --plan nothing is written, but the plan is that of the repaired files.
func (c *Command) inOrder(ctx *cli.Context, k *chosen) (stopped bool, err error) {
	about := concernOf(k.job.Target, k.job)
	all := k.root.all(k.project)
	findings := unsuppressed(k.root.counting(all))
	if about.errors(findings) > 0 && ctx.Bool("apply") {
		if findings, err = c.repairJob(ctx, k, about); err != nil {
			return false, err
		}
		about = concernOf(k.job.Target, k.job)
	}
	c.sayHiddenOf(k.root, slices.DeleteFunc(slices.Clone(all), func(f finding.Finding) bool { return !about.about(f) }), nil)
	errors := about.errors(findings)
	if errors == 0 {
		return false, nil
	}
	c.showErrors(ctx, about, findings)
	return true, nil
}

// repairJob makes the safe repairs in a job's files.
func (c *Command) repairJob(ctx *cli.Context, k *chosen, about concern) ([]finding.Finding, error) {
	patch, err := fixers.Repair(k.project, fixers.Options{
		Recheck: k.root.all,
		Allow:   func(f finding.Finding) bool { return mode{}.allow(f) && about.about(f) && k.root.repairs(f) },
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.rel(k.root.Dir), err)
	}
	word := "repaired"
	if ctx.Bool("plan") {
		word = "to be repaired"
	} else if err := c.commit(patch); err != nil {
		return nil, err
	}
	for _, a := range patch.Applied {
		c.say("%s:%d: %s: %s [%s]", c.rel(a.Path), a.Line, word, secret.Hide(a.Title), a.Finding.Rule)
	}
	for _, r := range patch.Refused {
		c.say("%s: not repaired: %s [%s]", c.rel(r.Finding.Source.Path), secret.Hide(r.Reason), r.Finding.Rule)
	}
	k.project = k.project.With(patch.Changed())
	path := k.job.File.Path
	k.job = jobAt(k.project, path)
	if k.job == nil {
		return nil, fmt.Errorf("%s: is no run configuration any more", c.rel(path))
	}
	return unsuppressed(k.root.settings.Filter(patch.Remaining)), nil
}

func jobAt(p *schema.Project, path string) *schema.Job {
	for _, j := range p.Jobs {
		if j.File.Path == path {
			return j
		}
	}
	return nil
}

// showErrors reports what keeps a job from being run, on standard error:
// standard output is the job's.
func (c *Command) showErrors(ctx *cli.Context, about concern, findings []finding.Finding) {
	mode, _ := ui.ParseColourMode(ctx.String("color"))
	if ctx.Bool("no-color") {
		mode = ui.ColourNever
	}
	writer := report.New(report.Text, c.err, report.Options{
		Coloured: ui.Coloured(mode, c.Stderr, c.Env), Applied: ctx.Bool("apply"), Command: "amlfix run --apply",
	})
	resolver := report.Resolver{Dir: c.dir(), Snippets: true}
	count, fixable := 0, 0
	for _, f := range findings {
		if f.Severity < finding.Error || !about.about(f) {
			continue
		}
		writer.Finding(resolver.Finding(f))
		count++
		if f.Fix != nil && f.Fix.Applicability == finding.Safe {
			fixable++
		}
	}
	hint := ""
	if fixable > 0 && !ctx.Bool("apply") {
		hint = fmt.Sprintf("; %d can be repaired: add --apply", fixable)
	}
	_, _ = fmt.Fprintln(c.err)
	c.say("not started: %s in the job's files%s", ui.Count(count, "error"), hint)
}
