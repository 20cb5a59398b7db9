package page

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/runtime/evidence"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
)

func (v *view) facts(r Run) {
	add := v.Facts.add
	add("Started", r.time(r.Created))
	add("Took", r.Took)
	named := r.Named()
	add(strings.ToUpper(named[:1])+named[1:], r.Name)
	add("Target", r.Target+" ("+r.Kind+")")
	if a := r.AzureML; a != nil {
		add("Job in Azure ML", a.Name)
		add("Studio", a.Studio)
	}
	add("Machine", r.Handle.Host)
	if r.Exit != nil {
		add("Exit code", strconv.Itoa(r.Exit.Code))
	}
	if g := r.Git; g != nil {
		add("Commit", g.String())
	}
	if m := r.MLflow; m != nil {
		add("MLflow", m.Server+", run "+m.Run+strings.TrimRight(": "+m.Error, ": "))
	}
	add("Project", r.Project)
}

// gpu sets the verdict and its basis.
func (v *view) gpu(r Run) {
	g := r.GPU
	if g == nil {
		return
	}
	word := cmp.Or(g.Short, "GPU")
	rest, ok := strings.CutPrefix(g.Sentence, word)
	if !ok {
		word, rest = "GPU", ": "+g.Sentence
	}
	out := &verdict{badge: badge{Class: "warn", Sign: "?", Word: said(word), Rest: said(rest)}, Line: max(g.Line, 0)}
	switch {
	case g.Proven:
		out.Class, out.Sign = "good", "✓"
	case g.StandIn:
		out.Sign = "!"
	case !r.SaysGPU():
		out.Class, out.Sign = "none", "–"
	}
	add := out.Facts.add
	add("GPUs", strings.Join(g.Names, ", "))
	if p := g.Peak; p != nil {
		process := "no process of the job on a GPU"
		if p.Process {
			process = "a process of the job on a GPU"
		}
		add("nvidia-smi", "sampled "+times(p.Samples)+", showed "+process)
	}
	add("Driver", g.Driver)
	add("Asked for", cmp.Or(r.GPUs, "no GPU")+strings.TrimSuffix(", by "+g.Way, ", by "))
	v.GPU = out
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func (v *view) metrics(r Run) {
	left := 0
	for i, m := range r.Metrics {
		name := short(m.Name, 120)
		switch {
		case i >= mostMetrics, len(m.Values) > 1 && len(v.Charts) >= mostCharts:
			left++
		case len(m.Values) > 1:
			c := curve{y: m.Values, step: "step", unit: "value", showX: number, showY: number}
			for k := range m.Values {
				c.x = append(c.x, float64(k+1))
			}
			v.Charts = append(v.Charts, c.draw(fmt.Sprintf("metric-%d", i+1), name))
		case len(m.Values) == 1:
			v.Singles = append(v.Singles, fact{Name: name, Value: number(m.Values[0])})
		default:
			v.Singles = append(v.Singles, fact{Name: name, Value: short(m.Text, 1000)})
		}
	}
	if left > 0 {
		v.MetricsNote = fmt.Sprintf("%s of %d left out here: amlfix runs show lists all.", plain.CountIs(left, "metric"), len(r.Metrics))
	}
}

func (v *view) environment(r Run) {
	add := v.Environment.add
	if r.Image != nil {
		add("Image", r.Image.Name)
		add("Digest", cmp.Or(r.Image.Digest, r.Image.ID))
	}
	if e := r.Environment; e != nil {
		add("Conda file", e.File)
		add("Installed by", e.Way)
		add("Base image", e.Base.Name)
		add("Base digest", cmp.Or(e.Base.Digest, e.Base.ID))
		for _, p := range e.Packages[:min(len(e.Packages), mostItems)] {
			v.Packages = append(v.Packages, safe(p))
		}
	}
	if r.GPU != nil {
		add("NVIDIA driver", r.GPU.Driver)
	}
	for _, p := range parameters(r.Record) {
		if len(v.Parameters) < mostItems {
			v.Parameters = append(v.Parameters, fact{Name: short(p.Name, 200), Value: safe(p.Value)})
		}
	}
	for _, c := range r.Checks[:min(len(r.Checks), mostItems)] {
		row := check{"warn", "!", short(c.Status, 10), short(c.Topic, 14), said(c.Text)}
		switch c.Status {
		case "ok":
			row.Class, row.Sign = "good", "✓"
		case "failed":
			row.Class, row.Sign = "bad", "✕"
		case "unknown":
			row.Class, row.Sign = "none", "?"
		}
		v.Checks = append(v.Checks, row)
	}
}

// parameters returns the parameters of a record. An argument must be masked before it is split into a name and a value.
func parameters(r record.Record) []record.Parameter {
	args := make([]string, len(r.Arguments))
	for i, a := range r.Arguments {
		args[i] = evidence.PlainText(a)
	}
	hidden := secret.Arguments(args)
	for i, a := range args {
		switch name, _, given := strings.Cut(a, "="); {
		case hidden[i] && given:
			args[i] = name + "=" + secret.Mask
		case hidden[i]:
			args[i] = secret.Mask
		default:
			args[i] = secret.HideValue(a)
		}
	}
	r.Arguments = args
	return r.Parameters()
}
