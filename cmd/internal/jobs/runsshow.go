package jobs

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/schema/plain"
)

// sparkWidth is the width in characters of a metric's sparkline.
const sparkWidth = 32

func (c *Jobs) showRun(_ context.Context, all runs, o RunsOptions) error {
	r, err := all.pick(o.args, anyRun, "")
	if err != nil {
		return err
	}
	if o.json {
		c.WriteJSON(c.row(r))
		return nil
	}
	style, err := o.Style()
	if err != nil {
		return err
	}
	head := style.Bold("run "+r.ID.String()) + "  " + r.paint(style)(ui.Printable(r.sentence()))
	_, _ = fmt.Fprintln(c.Out, ui.Fold(head, ui.Columns(c.Out), "    "))
	c.showFacts(style, r)
	c.showMetrics(style, r)
	c.showPlan(style, r)
	c.showStates(style, r)
	c.showOutputs(style, r)
	if n := r.next(); n != "" {
		_, _ = fmt.Fprintln(c.Out, "\n"+ui.Fold(ui.Printable(n), ui.Columns(c.Out), ""))
	}
	return nil
}

// sentence returns how the run is, or how it ended.
func (r foundRun) sentence() string {
	text := r.state()
	if r.Over() && r.Exit != nil && r.Exit.Code != 0 {
		text += fmt.Sprintf(" with exit code %d", r.Exit.Code)
	}
	if took := r.took(); took != "" && r.Over() {
		text += " after " + took
	} else if took != "" {
		text += " for " + took
	}
	if r.Reason != "" {
		text += ": " + r.Reason
	}
	return text
}

// next returns what can be done with a run that is not over, or of which something is missing here.
func (r foundRun) next() string {
	switch {
	case r.OutputsMissing():
		return "outputs could not be copied back: amlfix runs fetch " + r.ID.String() + " tries again"
	case r.Over():
		return ""
	case r.AzureML != nil:
		return "it is a job in Azure ML: `" + azCommand("show", r.AzureML) + "` says how it is, `" + azCommand("stream", r.AzureML) + "` follows it, `" + azCommand("cancel", r.AzureML) + "` ends it"
	case r.Live:
		return "an amlfix process is using it: amlfix runs attach " + r.ID.String() + " shows its output, amlfix runs stop " + r.ID.String() + " ends it"
	case r.MayRun():
		return "no amlfix process is following it: amlfix runs attach " + r.ID.String() + " resumes it, amlfix runs stop " + r.ID.String() + " ends it"
	}
	return "its amlfix process ended before the job was started: amlfix runs clean removes the leftovers"
}

// section writes the heading of a section.
func (c *Jobs) section(style ui.Style, name string) {
	_, _ = fmt.Fprintf(c.Out, "\n%s\n", style.Bold(name))
}

func (c *Jobs) showFacts(style ui.Style, r foundRun) {
	table := new(ui.Table)
	add := func(name, value string) {
		if value != "" {
			table.Row(name, value)
			table.Paint(0, style.Dim)
		}
	}
	add("job", r.job()+"  ("+r.Name+")")
	add("target", r.Target+"  ("+r.Kind+")")
	add("started", begun(r.Created, time.Now()))
	if a := r.AzureML; a != nil {
		add("azure ml", a.Name)
		add("studio", a.Studio)
	}
	if r.Image != nil {
		add("image", r.Image.Name)
		add("digest", r.digest())
	}
	if g := r.Git; g != nil {
		add("commit", g.String())
	}
	if r.SaysGPU() {
		add("gpu", r.GPU.Sentence)
	}
	for i, pod := range r.Pods {
		add(fmt.Sprintf("pod %d", i), podState(pod)+", output in "+record.PodLogName(i))
	}
	if m := r.MLflow; m != nil {
		text := m.Server + ", run " + m.Run
		if m.Error != "" {
			text += ": " + m.Error
		}
		add("mlflow", text)
	}
	add("record", c.Rel(r.Dir))
	for _, w := range r.Warnings {
		add("warning", w)
	}
	table.Write(c.Out, "  ")
}

// begun returns when a run was created, and how long ago that is. If the clock was set back since, nobody knows the
// latter.
func begun(created, now time.Time) string {
	text := created.Local().Format("Mon 2 Jan 2006 15:04:05")
	if ago := plain.Duration(now.Sub(created)); ago != "" {
		text += "  (" + ago + " ago)"
	}
	return text
}

// podState returns how the job ended in a pod, and what is known about its GPU.
func podState(p record.Pod) string {
	text := "end not seen"
	switch {
	case p.Exit == nil:
	case p.Exit.Cause == process.Ended:
		text = fmt.Sprintf("exit code %d", p.Exit.Code)
	default:
		text = fmt.Sprintf("%s, exit code %d", p.Exit.Cause, p.Exit.Code)
	}
	if p.GPU != "" {
		text += ", " + p.GPU
	}
	if p.Metrics {
		text += ", the run's metrics"
	}
	return text
}

// digest returns the exact image.
func (r foundRun) digest() string {
	if r.Image.Digest != "" {
		return r.Image.Digest
	}
	if r.Image.ID == "" {
		return ""
	}
	return r.Image.ID + "  (made on that engine: no registry has it)"
}

func (c *Jobs) showMetrics(style ui.Style, r foundRun) {
	list := readSeries(r.Dir)
	if len(list) == 0 {
		return
	}
	c.section(style, "metrics")
	table := new(ui.Table)
	for _, s := range list {
		low, high, ok := s.bounds()
		switch {
		case len(s.values) > 1 && ok:
			table.Row(plain.Fit(s.name, 60), ui.Sparkline(s.values, sparkWidth), s.last(), fmt.Sprintf("%s to %s, %s", number(low), number(high), plain.Count(len(s.values), "value")))
			table.Paint(1, style.Cyan)
		default:
			table.Row(plain.Fit(s.name, 60), " ", s.last(), " ")
		}
	}
	table.Write(c.Out, "  ")
}

// showPlan shows the lines as --plan does: the origin follows the value, since a column after the longest command would
// be off the screen.
func (c *Jobs) showPlan(style ui.Style, r foundRun) {
	if len(r.Plan) == 0 {
		return
	}
	c.section(style, "plan")
	table := new(ui.Table)
	for _, l := range r.Plan {
		from := ""
		if l.From != "" {
			from = "  (" + l.From + ")"
		}
		table.Row(l.Name, l.Value+from)
		table.Paint(1, func(cell string) string {
			value, ok := strings.CutSuffix(cell, from)
			if !ok || from == "" {
				return cell
			}
			return value + style.Dim(from)
		})
	}
	table.Write(c.Out, "  ")
}

func (c *Jobs) showStates(style ui.Style, r foundRun) {
	c.section(style, "states")
	table := new(ui.Table)
	for i, s := range r.States {
		stayed := " "
		if i+1 < len(r.States) {
			stayed = plain.Duration(r.States[i+1].At.Sub(s.At))
		}
		table.Row(s.At.Local().Format("15:04:05.000"), string(s.State), stayed)
		table.Paint(0, style.Dim)
	}
	table.Write(c.Out, "  ")
}

// fewOutputs is the maximum number of files listed.
const fewOutputs = 20

func (c *Jobs) showOutputs(style ui.Style, r foundRun) {
	if r.Outputs == nil || len(r.Outputs.Files) == 0 && r.Outputs.Error == "" {
		return
	}
	c.section(style, fmt.Sprintf("outputs  %s, %s", plain.Count(len(r.Outputs.Files), "file"), progress.Bytes(r.Outputs.Bytes)))
	table := new(ui.Table)
	for i, f := range r.Outputs.Files {
		if i == fewOutputs {
			table.Row(fmt.Sprintf("and %d more", len(r.Outputs.Files)-i), " ")
			break
		}
		table.Row("outputs/"+f.Path, progress.Bytes(f.Bytes))
	}
	if r.Outputs.Error != "" {
		table.Row("not everything was copied back: "+r.Outputs.Error, " ")
	}
	if r.Outputs.At != "" {
		table.Row("the rest is in "+r.Outputs.At, " ")
	}
	table.Write(c.Out, "  ")
}
