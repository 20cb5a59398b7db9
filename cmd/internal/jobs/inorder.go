package jobs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
)

// inOrder checks the files of a job and, with --apply, repairs them and replaces k with the repaired job. stopped means
// that errors remain, which have been shown. With --plan it writes nothing, but plans with the repaired files.
func (c *Jobs) inOrder(k *chosen, o RunOptions) (stopped bool, err error) {
	about := k.concern()
	all := k.findings(k.root.All(k.project))
	findings := check.Unsuppressed(k.root.Counting(all))
	if about.Errors(findings) > 0 && o.Apply {
		if findings, err = c.repairJob(k, about, o.Plan); err != nil {
			return false, err
		}
		about = k.concern()
	}
	c.sayHidden(k.root, slices.DeleteFunc(slices.Clone(all), func(f finding.Finding) bool { return !about.About(f) }), nil)
	errors := about.Errors(findings)
	if errors == 0 {
		return false, nil
	}
	c.showErrors(k, about, findings, o)
	return true, nil
}

// ready is inOrder for callers that have nothing to do if errors remain: that is an error, too.
func (c *Jobs) ready(k *chosen, o RunOptions) error {
	if stopped, err := c.inOrder(k, o); err != nil || !stopped {
		return err
	}
	return console.Status(console.NotStarted)
}

// repairJob makes the safe repairs in a job's files.
func (c *Jobs) repairJob(k *chosen, about check.Concern, planned bool) ([]finding.Finding, error) {
	patch, err := fixers.Repair(k.project, fixers.Options{
		Recheck: k.root.All,
		Allow:   func(f finding.Finding) bool { return check.MaySafely(f) && about.About(f) && k.root.Repairs(f) },
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Rel(k.root.Dir), err)
	}
	word := "repaired"
	if planned {
		word = "to be repaired"
	} else if err := c.Commit(patch); err != nil {
		return nil, err
	}
	for _, a := range patch.Applied {
		c.Say("%s:%d: %s: %s [%s]", c.Rel(a.Path), a.Line, word, secret.Hide(a.Title), a.Finding.Rule)
	}
	for _, r := range patch.Refused {
		c.Say("%s: not repaired: %s [%s]", c.Rel(r.Finding.Source.Path), secret.Hide(r.Reason), r.Finding.Rule)
	}
	k.project = k.project.With(patch.Changed())
	for _, j := range append([]*schema.Job{k.job}, k.also...) {
		if j.Node != nil && jobAt(k.project, j) == nil {
			return nil, fmt.Errorf("%s: is no longer a %v", c.Rel(j.File.Path), j.Kind)
		}
	}
	if k.job.Node != nil {
		k.job = jobAt(k.project, k.job)
	}
	for i, j := range k.also {
		k.also[i] = jobAt(k.project, j)
	}
	for i, j := range k.without {
		file := k.project.File(j.File.Path)
		k.without[i] = schema.NewJob(file, file.Root().Find(j.Node.Pointer()))
	}
	return check.Unsuppressed(k.root.Settings.Filter(k.findings(patch.Remaining))), nil
}

// concern returns which findings are about the job and those that run with it.
func (k *chosen) concern() check.Concern {
	return check.ConcernOf(k.job.Target, append([]*schema.Job{k.job}, k.also...)...).Without(k.without)
}

// findings omits findings that matter only to Azure ML, such as a missing compute, if a v2 job runs on one of the
// user's machines.
func (k *chosen) findings(list []finding.Finding) []finding.Finding {
	if k.job.File.V2 == "" || k.elsewhere {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(f finding.Finding) bool {
		return f.Rule == "schema/missing-key" && strings.Contains(f.Message, `"compute"`)
	})
}

// jobAt returns the counterpart of a job in a repaired project.
func jobAt(p *schema.Project, was *schema.Job) *schema.Job {
	for _, j := range p.Jobs {
		if j.File.Path == was.File.Path && j.Kind == was.Kind && j.Name == was.Name {
			return j
		}
	}
	return nil
}

// showErrors reports what prevents a job from running, on standard error: standard output is reserved for the job.
func (c *Jobs) showErrors(k *chosen, about check.Concern, findings []finding.Finding, o RunOptions) {
	repair := strings.Join(append([]string{"amlfix --apply"}, check.Answers{GPU: o.GPU}.Words()...), " ")
	if k.root.Shown != "" {
		repair += " " + escape.Word(k.root.Shown)
	}
	writer := report.New(report.Text, c.Err, report.Options{Style: o.Style, Applied: o.Apply, Command: repair})
	resolver := report.Resolver{Dir: c.Dir, Snippets: true, Columns: ui.Columns(c.Err)}
	count, fixable := 0, 0
	for _, f := range findings {
		if f.Severity < finding.Error || !about.About(f) {
			continue
		}
		shown := resolver.Finding(f)
		writer.Finding(shown)
		c.why(fmt.Sprintf("%s:%d: %s [%s]", shown.Path, shown.Line, shown.Message, shown.Rule))
		count++
		if f.Fix != nil && f.Fix.Applicability == finding.Safe {
			fixable++
		}
	}
	hint := ""
	if fixable > 0 && !o.Apply {
		hint = fmt.Sprintf("; %d can be repaired: add --apply", fixable)
	}
	_, _ = fmt.Fprintln(c.Err)
	c.Say("not started: %s in the job's files%s", plain.Count(count, "error"), hint)
}
