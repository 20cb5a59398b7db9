package main

import (
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
configurations that use it, and the verdict: gpu or cpu, with the number of errors
that amlfix check reports about it.`,
		UsageText: `amlfix targets
amlfix targets projects/digits
amlfix targets --format json`,
		Flags:  slices.Concat([]cli.Flag{cli.FormatFlag()}, trustFlags(), cli.ColourFlags()),
		Action: c.targets,
	}
}

// targetRow is what is shown of one target; it is also its JSON form.
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
	Errors      int      `json:"errors"`
	Warnings    int      `json:"warnings"`
	Verdict     string   `json:"verdict"`
}

// targetList is what became of one project.
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
	for _, t := range project.Targets {
		row := targetRow{
			Project: r.Shown, Name: secret.HideValue(t.Name), Path: c.Rel(t.File.Path),
			Type: secret.HideValue(t.Type.Text), Image: secret.HideValue(t.Image.Text), GPU: t.GPU(), Evidence: evidence(t),
			Framework: []string{}, Environment: []string{}, RunConfigs: []string{},
		}
		for _, j := range t.Jobs {
			row.RunConfigs = append(row.RunConfigs, j.Name)
			row.Framework = addNew(row.Framework, secret.HideValue(j.Framework.Text))
			if j.UsesConda() && j.Environment != nil {
				row.Environment = addNew(row.Environment, j.Environment.File.Rel)
			}
		}
		about := check.ConcernOf(t, t.Jobs...)
		row.Errors, row.Warnings = about.Errors(findings), about.Count(findings, finding.Warning)
		row.Verdict = verdict(t, row.Errors, row.Warnings)
		list.rows = append(list.rows, row)
	}
	return list
}

func addNew(list []string, word string) []string {
	if word == "" || slices.Contains(list, word) {
		return list
	}
	return append(list, word)
}

// evidence names the settings that make a target a GPU target.
func evidence(t *schema.Target) []string {
	list := []string{}
	for i, field := range []schema.Field{t.GPUSwitch, t.Image, t.VMSize} {
		if field.Key == nil {
			continue
		}
		at, name := field.Location(""), field.Key.Value
		if i == 2 && t.BySettings {
			name = "computes" // of the settings
		}
		if slices.ContainsFunc(t.Evidence, func(l finding.Location) bool { return l.Source == at.Source && l.Span == at.Span }) {
			list = append(list, name)
		}
	}
	return list
}

func verdict(t *schema.Target, errors, warnings int) string {
	kind := "cpu"
	if t.GPU() {
		kind = "gpu"
	}
	switch {
	case t.File.Err != nil || t.File.Broken():
		return "not readable"
	case errors > 0:
		return kind + ": " + ui.Count(errors, "fault")
	case warnings > 0:
		return kind + ": " + ui.Count(warnings, "warning")
	case t.GPU():
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
			table.Row(r.Name, r.Type, r.Image, strings.Join(r.Evidence, ", "), strings.Join(r.Framework, ", "),
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

// shortPaths joins paths; the folder of all configuration is left out.
func shortPaths(paths []string) string {
	var list []string
	for _, p := range paths {
		switch path.Dir(p) {
		case "aml_config", ".azureml":
			p = path.Base(p)
		}
		list = append(list, p)
	}
	return strings.Join(list, ", ")
}

func (c *call) writeTargetsJSON(rows []targetRow) {
	c.WriteJSON(struct {
		Version string      `json:"version"`
		Targets []targetRow `json:"targets"`
	}{c.Version, rows})
}
