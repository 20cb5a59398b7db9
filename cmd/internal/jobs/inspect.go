package jobs

import (
	"fmt"
	"io"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/runtime"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/target"
	"github.com/amlfix/amlfix/schema/secret"
)

// inspection is the JSON form of what --plan and --check report: a row for each job, or for each step of a pipeline.
type inspection struct {
	Version string       `json:"version"`
	Jobs    []*inspected `json:"jobs"`

	step string // whose row is next
}

// inspected is the row of a job. Without a plan, name, target and kind are not known.
type inspected struct {
	Step   string     `json:"step,omitempty"`
	Name   string     `json:"name,omitempty"`
	Target string     `json:"target,omitempty"`
	Kind   string     `json:"kind,omitempty"`
	Plan   []planRow  `json:"plan"`
	Checks []checkRow `json:"checks"`
	Errors []string   `json:"errors"` // why there is no plan
}

type planRow struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	from
}

type checkRow struct {
	Topic  preflight.Topic  `json:"topic"`
	Status preflight.Status `json:"status"`
	Text   string           `json:"text"`
	Next   string           `json:"next,omitempty"`
	Stops  bool             `json:"stops"` // the run would not be started
	from
}

// from is where a row comes from.
type from struct {
	Path string `json:"path,omitempty"`
	Line int    `json:"line,omitempty"`
	Note string `json:"note,omitempty"`
}

func fromOf(o plan.Origin) from { return from{o.Path, o.Line, o.Note} }

// row returns the row of the job or step, which it appends if there is none.
func (i *inspection) row() *inspected {
	if n := len(i.Jobs); n == 0 || i.Jobs[n-1].Step != i.step {
		i.Jobs = append(i.Jobs, &inspected{Step: i.step, Plan: []planRow{}, Checks: []checkRow{}, Errors: []string{}})
	}
	return i.Jobs[len(i.Jobs)-1]
}

// named is row, with what is known about its job; nil where nothing is reported as JSON.
func (i *inspection) named(name, target, kind string) *inspected {
	if i == nil {
		return nil
	}
	row := i.row()
	row.Name, row.Target, row.Kind = secret.HideValue(name), secret.HideValue(target), kind
	return row
}

// of returns the row of a plan.
func (i *inspection) of(p runtime.Plan) *inspected {
	return i.named(p.Name, p.Target.Value, string(p.Kind.Value))
}

// sayWhy says why there is no plan.
func (c *Jobs) sayWhy(format string, args ...any) {
	c.Say(format, args...)
	c.why(fmt.Sprintf(format, args...))
}

// why adds to the row of the job, if there are rows, why there is no plan.
func (c *Jobs) why(texts ...string) {
	if c.inspection == nil {
		return
	}
	for _, text := range texts {
		row := c.inspection.row()
		row.Errors = append(row.Errors, secret.Hide(strings.Join(strings.Fields(text), " ")))
	}
}

// sayStep begins a step of a pipeline.
func (c *Jobs) sayStep(name string, first bool) {
	if c.inspection != nil {
		c.inspection.step = name
		return
	}
	if !first {
		_, _ = fmt.Fprintln(c.Out)
	}
	_, _ = fmt.Fprintf(c.Out, "%-12s %s\n", "step", ui.Printable(name))
}

// print writes a plan.
func (c *Jobs) print(p runtime.Plan) {
	c.printLines(c.inspection.of(p), p.Lines()...)
}

// printLines writes lines of a plan, to a row if there is one.
func (c *Jobs) printLines(row *inspected, lines ...plan.Line) {
	for _, l := range lines {
		if row != nil {
			row.Plan = append(row.Plan, planRow{l.Name, l.Value, fromOf(l.Origin)})
			continue
		}
		_, _ = io.WriteString(c.Out, planLine(l, ui.Columns(c.Out))+"\n")
	}
}

// planLine returns a line of a plan. On a terminal that is too narrow for it, the origin is on a line of its own; the
// value stays whole, as it may be a command to copy.
func planLine(l plan.Line, columns int) string {
	text := ui.Printable(l.String())
	l.Origin = plan.Origin{}
	value := ui.Printable(l.String())
	whole := func(part string) string { return strings.ReplaceAll(part, " ", ui.NoBreak) }
	if origin, ok := strings.CutPrefix(text, value+" "); ok {
		return ui.Fold(whole(value)+" "+whole(origin), columns, strings.Repeat(" ", 12))
	}
	return text
}

// printCheck writes the result of a check, to a row if there is one.
func (c *Jobs) printCheck(k target.Check, requireGPU bool, row *inspected) {
	if row != nil {
		row.Checks = append(row.Checks, checkRow{k.Topic, k.Status, k.Text, k.Next, k.Stops(requireGPU), fromOf(k.Origin)})
		return
	}
	text := k.Text
	if k.Origin.Path != "" && k.Status != preflight.OK {
		text = k.Origin.String() + ": " + text
	}
	const indent = 23
	line := func(begin, text string) {
		_, _ = fmt.Fprintln(c.Out, ui.Fold(begin+ui.Printable(text), ui.Columns(c.Out), strings.Repeat(" ", indent)))
	}
	line(fmt.Sprintf("%-9s %-12s ", k.Status, k.Topic), text)
	if k.Next != "" {
		line(strings.Repeat(" ", indent), "-> "+k.Next)
	}
}
