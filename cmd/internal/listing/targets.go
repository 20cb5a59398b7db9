package listing

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/pool"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
)

// Target is what is shown about one compute target; it is also the JSON form.
type Target struct {
	Project     string   `json:"project"`
	Name        string   `json:"name"`
	Path        string   `json:"path"`
	Type        string   `json:"type"`
	Image       string   `json:"image"`
	GPU         bool     `json:"gpu"`
	Evidence    []string `json:"evidence"`
	Framework   []string `json:"framework"`
	Environment []string `json:"environment"`
	RunConfigs  []string `json:"runConfigurations"`
	Jobs        []string `json:"jobs"` // v2 jobs
	Errors      int      `json:"errors"`
	Warnings    int      `json:"warnings"`
	Accepted    int      `json:"accepted"` // errors that a baseline or a comment accepts
	Verdict     string   `json:"verdict"`

	images []string
}

// targetList is the result for one project.
type targetList struct {
	rows   []Target
	hidden []check.Hidden
	err    error
}

// Targets returns the compute targets of projects, and how much of what is wrong with them is hidden. It adds projects
// on which amlfix failed to the problems of f. The error is the cause of ctx.
func Targets(ctx context.Context, e *check.Engine, f *check.Found) (rows []Target, hidden check.Tally, _ error) {
	rows = []Target{}
	err := pool.Each(ctx, f.Roots, func(r check.Root) targetList {
		list, err := pool.Guarded(e.Rel(r.Dir), func() targetList { return targetsOf(e, r) })
		list.err = err
		return list
	}, func(l targetList) bool {
		rows = append(rows, l.rows...)
		hidden.Add(l.hidden)
		if l.err != nil {
			f.Problem(e, l.err)
		}
		return true
	})
	return rows, hidden, err
}

// targetsOf describes the targets of one project.
func targetsOf(e *check.Engine, r check.Root) (list targetList) {
	project := r.Load(check.Answers{})
	all := r.All(project)
	counting := r.Counting(all)
	findings := check.Unsuppressed(counting)
	list.hidden = r.Hides(all, finding.Warning)
	for _, same := range sameTargets(project) {
		t := same[0]
		row := Target{
			Project: r.Shown, Name: secret.HideValue(targetName(t)), Path: e.Rel(t.File.Path), Type: secret.HideValue(t.Type.Text),
			Evidence: []string{}, Framework: []string{}, Environment: []string{}, RunConfigs: []string{}, Jobs: []string{},
		}
		var jobs []*schema.Job
		for _, t := range same {
			jobs = append(jobs, slices.DeleteFunc(slices.Clone(t.Jobs), func(j *schema.Job) bool { return j.Kind == schema.Component })...)
			row.images = addNew(row.images, secret.HideValue(t.Image.Text))
			row.GPU = row.GPU || t.GPU()
			for _, name := range evidence(t) {
				row.Evidence = addNew(row.Evidence, name)
			}
		}
		row.Image = strings.Join(row.images, ", ")
		for _, j := range jobs {
			if j.Dialect == schema.V2 {
				row.Jobs = append(row.Jobs, j.Name)
			} else {
				row.RunConfigs = append(row.RunConfigs, j.Name)
			}
			row.Framework = addNew(row.Framework, secret.HideValue(j.Framework.Text))
			if j.UsesConda() && j.Environment != nil {
				row.Environment = addNew(row.Environment, j.Environment.File.Rel)
			}
		}
		about := check.ConcernOf(t, jobs...)
		row.Errors, row.Warnings = about.Errors(findings), about.Count(findings, finding.Warning)
		row.Accepted = about.Errors(counting) - row.Errors
		row.Verdict = verdict(t.File, row)
		list.rows = append(list.rows, row)
	}
	return list
}

// sameTargets groups the targets of a project: v2 targets with the same name form one group, because a compute has a
// target for each environment. A component has none, since it runs where the jobs that use it run.
func sameTargets(project *schema.Project) (list [][]*schema.Target) {
	for _, t := range project.Targets {
		list = append(list, []*schema.Target{t})
	}
	older, at := len(list), map[string]int{}
	for _, j := range project.Jobs {
		if j.Dialect != schema.V2 || j.Kind == schema.Component {
			continue
		}
		i, known := at[targetName(j.Target)]
		switch {
		case !known:
			at[targetName(j.Target)] = len(list)
			list = append(list, []*schema.Target{j.Target})
		case !slices.Contains(list[i], j.Target):
			list[i] = append(list[i], j.Target)
		}
	}
	plain.SortFunc(list[older:], func(a, b []*schema.Target) int { return strings.Compare(targetName(a[0]), targetName(b[0])) })
	return list
}

// targetName returns the name of a target: in v2 the name of a compute, or serverless if a job names none.
func targetName(t *schema.Target) string {
	if t.Dialect == schema.V2 {
		return cmp.Or(t.Name, "serverless")
	}
	return t.Name
}

func addNew(list []string, word string) []string {
	if word == "" || slices.Contains(list, word) {
		return list
	}
	return append(list, word)
}

// evidence returns the settings that make a target a GPU target.
func evidence(t *schema.Target) []string {
	list := []string{}
	for i, field := range []schema.Field{t.GPUSwitch, t.Image, t.VMSize} {
		if field.Key == nil {
			continue
		}
		at, name := field.Location(""), field.Key.Value
		if i == 2 && t.BySettings {
			name = "computes" // in the settings
		}
		if slices.ContainsFunc(t.Evidence, func(l finding.Location) bool { return l.Source == at.Source && l.Span == at.Span }) {
			list = append(list, name)
		}
	}
	switch {
	case !t.GPU() || len(list) > 0:
	case t.Base().File != t.Image.File:
		list = append(list, "Dockerfile")
	case t.Suspected():
		list = append(list, "environment")
	}
	return list
}

func verdict(f *schema.File, row Target) string {
	kind := "cpu"
	if row.GPU {
		kind = "gpu"
	}
	switch {
	case f.Err != nil || f.Broken():
		return "not readable"
	case row.Errors > 0:
		return kind + ": " + plain.Count(row.Errors, "error")
	case row.Warnings > 0:
		return kind + ": " + plain.Count(row.Warnings, "warning")
	case row.Accepted > 0:
		return kind + ": " + plain.Count(row.Accepted, "error") + " accepted"
	case row.GPU:
		return "gpu ok"
	}
	return "cpu"
}
