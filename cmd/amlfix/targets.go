package main

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/cli"

	"github.com/amlfix/amlfix/cmd/internal/pool"
	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/secret"
)

func (c *call) targetsCommand() *cli.Command {
	return &cli.Command{
		Name:      "targets",
		Usage:     "list the compute targets and whether they are correct",
		ArgsUsage: "[FLAGS] [PATH...]",
		Description: `Prints a row for each compute target: its type and image, what makes it a GPU
target (its name does not count), the framework and environment file of the run
configurations and v2 jobs that use it, and the verdict: gpu or cpu, with the number of errors
that amlfix check reports about it.`,
		UsageText: `amlfix targets
amlfix targets projects/digits
amlfix targets --format json`,
		Flags:  slices.Concat([]cli.Flag{cli.FormatFlag()}, trustFlags(), cli.ColourFlags()),
		Action: c.targets,
	}
}

// targetRow is what is shown about one target; it is also the JSON form.
type targetRow struct {
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
	Verdict     string   `json:"verdict"`

	images []string
}

// targetList is the result for one project.
type targetList struct {
	rows   []targetRow
	hidden []check.Hidden
	err    error
}

func (c *call) targets(ctx *cli.Context) error {
	form, err := cli.Format(ctx)
	if err != nil {
		return err
	}
	coloured, err := c.Coloured(ctx)
	if err != nil {
		return err
	}
	f := c.Discover(ctx.Args().Slice())
	rows := []targetRow{}
	var hidden check.Tally
	err = pool.Each(ctx.Context, f.Roots, func(r check.Root) targetList {
		list, err := pool.Guarded(c.Rel(r.Dir), func() targetList { return c.targetRows(r) })
		list.err = err
		return list
	}, func(l targetList) bool {
		rows = append(rows, l.rows...)
		hidden.Add(l.hidden)
		if l.err != nil {
			c.Say("%v", l.err)
			f.Problems = append(f.Problems, l.err.Error())
		}
		return true
	})
	if err != nil {
		return err
	}
	if form == report.JSON {
		c.writeTargetsJSON(rows)
	} else {
		c.writeTargets(ui.NewStyle(coloured), rows)
	}
	c.SayIf(c.HiddenText(hidden, f.Excluded))
	if f.Unreadable() {
		return cli.Status(cli.Failure)
	}
	return nil
}

// targetRows describes the targets of one project.
func (c *call) targetRows(r check.Root) (list targetList) {
	project := r.Load(check.Answers{})
	all := r.All(project)
	findings := check.Unsuppressed(r.Counting(all))
	list.hidden = r.Hides(all, finding.Warning)
	for _, same := range sameTargets(project) {
		t := same[0]
		row := targetRow{
			Project: r.Shown, Name: secret.HideValue(targetName(t)), Path: c.Rel(t.File.Path), Type: secret.HideValue(t.Type.Text),
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
	slices.SortStableFunc(list[older:], func(a, b []*schema.Target) int { return strings.Compare(targetName(a[0]), targetName(b[0])) })
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
	if t.GPU() && len(list) == 0 && t.Base().File != t.Image.File {
		list = append(list, "Dockerfile")
	}
	return list
}

func verdict(f *schema.File, row targetRow) string {
	kind := "cpu"
	if row.GPU {
		kind = "gpu"
	}
	switch {
	case f.Err != nil || f.Broken():
		return "not readable"
	case row.Errors > 0:
		return kind + ": " + ui.Count(row.Errors, "fault")
	case row.Warnings > 0:
		return kind + ": " + ui.Count(row.Warnings, "warning")
	case row.GPU:
		return "gpu ok"
	}
	return "cpu"
}

func (c *call) writeTargets(style ui.Style, rows []targetRow) {
	for len(rows) > 0 {
		project := rows[0].Project
		n := slices.IndexFunc(rows, func(r targetRow) bool { return r.Project != project })
		if n < 0 {
			n = len(rows)
		}
		indent := ""
		if project != "" {
			_, _ = fmt.Fprintf(c.Out, "%s\n", style.Bold(ui.Printable(project)))
			indent = "  "
		}
		table := cli.Heading(style, "TARGET", "TYPE", "IMAGE", "GPU EVIDENCE", "FRAMEWORK", "ENVIRONMENT", "VERDICT")
		for _, r := range rows[:n] {
			table.Row(r.Name, r.Type, few(r.images), strings.Join(r.Evidence, ", "), strings.Join(r.Framework, ", "),
				shortPaths(r.Environment), r.Verdict)
			switch {
			case r.Errors > 0:
				table.Paint(6, style.Red)
			case r.Warnings > 0:
				table.Paint(6, style.Yellow)
			case r.GPU:
				table.Paint(6, style.Green)
			}
		}
		table.Write(c.Out, indent)
		if rows = rows[n:]; len(rows) > 0 {
			_, _ = fmt.Fprintln(c.Out)
		}
	}
}

// shortPaths joins paths, without the folder common to all configuration.
func shortPaths(paths []string) string {
	var list []string
	for _, p := range paths {
		switch path.Dir(p) {
		case "aml_config", ".azureml":
			p = path.Base(p)
		}
		list = append(list, p)
	}
	return few(list)
}

// few joins the first items of a list and counts the others: a v2 compute may have many.
func few(list []string) string {
	if len(list) <= 2 {
		return strings.Join(list, ", ")
	}
	return list[0] + " and " + ui.Count(len(list)-1, "other")
}

func (c *call) writeTargetsJSON(rows []targetRow) {
	c.WriteJSON(struct {
		Version string      `json:"version"`
		Targets []targetRow `json:"targets"`
	}{c.Version, rows})
}
