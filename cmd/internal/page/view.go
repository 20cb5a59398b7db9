package page

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/runtime/evidence"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
)

// view is what the template shows.
type view struct {
	Hash   string
	Styles css

	ID, Job, Title string
	State          badge
	GPU            *verdict
	Facts          facts
	Next           string
	Made           string

	Charts      []chart
	Singles     []fact
	MetricsNote string
	Cards       []card
	CardsNote   string
	Parameters  []fact
	Environment facts
	Packages    []string
	Checks      []check
	Plan        []planLine
	States      []state
	LeftOut     []fact // From is where it says so
	Outputs     []fact
	OutputsNote string
	OutputsSum  string
	Log         []logPart
	LogNote     string
	Sections    []section
}

type badge struct{ Class, Sign, Word, Rest string }

type fact struct{ Name, Value, From string }

type facts []fact

// add adds a value from a record, unless it is empty.
func (f *facts) add(name, value string) {
	if value != "" {
		*f = append(*f, fact{Name: name, Value: safe(value)})
	}
}

type check struct{ Class, Sign, Status, Topic, Text string }

type planLine struct {
	Name, Value, From string
	Note              bool
}

type state struct{ At, Since, Name, Took string }

type section struct{ ID, Name string }

type verdict struct {
	badge
	Line  int  // in the log; 0: none
	There bool // the page shows the line
	Facts facts
}

func (v *view) fill(r Run) {
	v.ID, v.Job = r.ID.String(), short(r.Job, 300)
	v.Title = short(r.Job, 60) + " · " + v.ID
	v.State = r.badge()
	v.Next = said(r.Next)
	v.Made = fmt.Sprintf("Made by amlfix %s on %s", said(r.Version), r.time(r.Now))
	v.facts(r)
	v.gpu(r)
	v.metrics(r)
	v.cards(r)
	v.environment(r)
	v.plan(r)
	v.states(r)
	v.outputs(r)
	v.log(r)
	v.sections()
}

func (r Run) time(t time.Time) string {
	return t.In(r.Now.Location()).Format("2 Jan 2006 15:04:05 MST")
}

// badge returns the state of the run. Its colour never carries information alone.
func (r Run) badge() badge {
	b := badge{Word: said(r.State), Rest: said(strings.TrimPrefix(r.Sentence, r.State))}
	switch {
	case !r.Over() && r.Live:
		b.Class, b.Sign = "live", "●"
	case !r.Over() || r.OutputsMissing() || r.OutputsLost() || r.Outcome == "lost" || r.Outcome == "cancelled":
		b.Class, b.Sign = "warn", "!"
	case r.Outcome == "succeeded":
		b.Class, b.Sign = "good", "✓"
	default:
		b.Class, b.Sign = "bad", "✕"
	}
	return b
}

func (v *view) facts(r Run) {
	add := v.Facts.add
	add("Started", r.time(r.Created))
	add("Took", r.Took)
	add("Run configuration", r.Name)
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
		v.MetricsNote = fmt.Sprintf("%s of %d left out here: amlfix runs show lists all.", isOrAre(left, "metric"), len(r.Metrics))
	}
}

func isOrAre(n int, word string) string {
	return plain.Count(n, word) + " " + plain.Is(n)
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
		row := check{"warn", "!", short(c.Status, 16), safe(c.Topic), said(c.Text)}
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

// plan sets the plan with the lines on which it is based. What it says the run does not do also counts as omitted.
func (v *view) plan(r Run) {
	for _, l := range r.Plan[:min(len(r.Plan), mostItems)] {
		line := planLine{Name: safe(l.Name), Value: safe(l.Value), From: said(l.From)}
		if l.Name == "note" {
			v.LeftOut = append(v.LeftOut, fact{Value: line.Value, From: line.From})
		}
		v.Plan = append(v.Plan, line)
	}
	for _, w := range r.Warnings[:min(len(r.Warnings), mostItems)] {
		v.LeftOut = append(v.LeftOut, fact{Value: said(w)})
	}
}

func (v *view) states(r Run) {
	for i, s := range r.States[:min(len(r.States), mostItems)] {
		row := state{At: s.At.In(r.Now.Location()).Format("15:04:05"), Name: safe(string(s.State))}
		row.Since = s.At.UTC().Format(time.RFC3339)
		if i+1 < len(r.States) {
			row.Took = elapsed(r.States[i+1].At.Sub(s.At).Seconds())
		}
		v.States = append(v.States, row)
	}
}

func (v *view) outputs(r Run) {
	o := r.Outputs
	if o == nil {
		return
	}
	for _, f := range o.Files[:min(len(o.Files), mostItems)] {
		v.Outputs = append(v.Outputs, fact{Name: safe("outputs/" + f.Path), Value: progress.Bytes(f.Bytes)})
	}
	if len(o.Files) > 0 {
		v.OutputsSum = ui.Count(len(o.Files), "file") + ", " + progress.Bytes(o.Bytes)
	}
	var notes []string
	if n := len(o.Files) - len(v.Outputs); n > 0 {
		notes = append(notes, isOrAre(n, "file")+" left out here.")
	}
	if o.Error != "" {
		notes = append(notes, "Some files were not retrieved: "+said(o.Error)+".")
	}
	if o.At != "" {
		notes = append(notes, "The rest is in "+said(o.At)+".")
	}
	v.OutputsNote = strings.Join(notes, " ")
}

func (v *view) log(r Run) {
	proof := 0
	if v.GPU != nil {
		proof = v.GPU.Line
	}
	parts, n, err := readLog(r.Dir, proof)
	if err != nil {
		v.LogNote = "The log cannot be read: " + said(err.Error())
		return
	}
	v.Log = parts
	v.LogNote = ui.Count(n, "line")
	kept, cut := 0, false
	for _, p := range parts {
		kept += len(p.Lines)
		for _, l := range p.Lines {
			cut = cut || l.Error
			if v.GPU != nil && l.Number == proof {
				v.GPU.There = true
			}
		}
	}
	if kept < n {
		v.LogNote = fmt.Sprintf("%s of %d; `amlfix runs logs %s` prints all of them", isOrAre(kept, "line")+" shown", n, v.ID)
		v.LogNote = strings.Replace(v.LogNote, " are shown of", " shown of", 1)
	}
	if cut {
		v.LogNote += ". Lines of standard error have a bar at their left"
	}
	v.LogNote += "."
}

// sections sets the sections of the page that have something to show.
func (v *view) sections() {
	add := func(there bool, id, name string) {
		if there {
			v.Sections = append(v.Sections, section{id, name})
		}
	}
	add(len(v.Charts)+len(v.Singles) > 0, "metrics", "Metrics")
	add(len(v.Cards) > 0, "gpus", "GPU use")
	add(len(v.LeftOut) > 0, "left", "Left out")
	add(len(v.Parameters) > 0, "parameters", "Parameters")
	add(len(v.Environment)+len(v.Checks)+len(v.Packages) > 0, "environment", "Environment")
	add(len(v.Plan) > 0, "plan", "Plan")
	add(len(v.States) > 0, "states", "Timeline")
	add(len(v.Outputs) > 0 || v.OutputsNote != "", "outputs", "Outputs")
	add(len(v.Log) > 0 || v.LogNote != "", "log", "Log")
}

// card is one GPU over time.
type card struct {
	Name        string
	Use, Memory *chart
}

// cards draws the use of each GPU over time.
func (v *view) cards(r Run) {
	type history struct {
		name              string
		at, use, atM, mem []float64
		total             float64
	}
	var all []*history
	var begin time.Time
	looks := 0
	err := record.ReadLooks(r.Dir, func(l record.Look) {
		if looks++; begin.IsZero() {
			begin = l.At
		}
		t := l.At.Sub(begin).Seconds()
		for i, c := range l.GPUs[:min(len(l.GPUs), mostCards)] {
			if i == len(all) {
				all = append(all, &history{name: c.Name})
			}
			h := all[i]
			if n := len(h.at); c.Utilisation >= 0 && (n == 0 || t >= h.at[n-1]) {
				h.at, h.use = append(h.at, t), append(h.use, float64(min(c.Utilisation, 100)))
			}
			if n := len(h.atM); c.Used >= 0 && (n == 0 || t >= h.atM[n-1]) {
				h.atM, h.mem = append(h.atM, t), append(h.mem, float64(c.Used)/1e9)
				h.total = max(h.total, float64(c.Total)/1e9)
			}
		}
	})
	if err != nil {
		v.CardsNote = said(err.Error())
		return
	}
	for i, h := range all {
		out := card{Name: fmt.Sprintf("GPU %d: %s", i, short(h.name, 80))}
		if len(h.use) > 0 {
			c := curve{x: h.at, y: h.use, high: 100, area: true, step: "after", unit: "busy", showX: elapsed, showY: func(p float64) string { return number(p) + " %" }}.draw(fmt.Sprintf("gpu-%d-use", i), fmt.Sprintf("GPU %d: busy", i))
			out.Use = &c
		}
		if len(h.mem) > 0 {
			c := curve{x: h.atM, y: h.mem, high: h.total, area: true, step: "after", unit: "memory", showX: elapsed, showY: gigabytes}.draw(fmt.Sprintf("gpu-%d-memory", i), fmt.Sprintf("GPU %d: memory used", i))
			if h.total > 0 {
				c.Title += ", of " + gigabytes(h.total)
			}
			out.Memory = &c
		}
		v.Cards = append(v.Cards, out)
	}
	if looks > 0 {
		v.CardsNote = fmt.Sprintf("What nvidia-smi showed, sampled %s, for the GPUs that the job could see. Other programs may have used them too.", times(looks))
	}
}

const mostCards = 16

func gigabytes(gb float64) string { return number(math.Round(gb*10)/10) + " GB" }

// elapsed formats seconds since the beginning.
func elapsed(s float64) string {
	switch d := int(s + 0.5); {
	case s < 10:
		return number(float64(int(s*10+0.5))/10) + " s"
	case d < 60:
		return fmt.Sprintf("%d s", d)
	case d < 3600:
		return fmt.Sprintf("%d:%02d min", d/60, d%60)
	default:
		return fmt.Sprintf("%d:%02d h", d/3600, d/60%60)
	}
}
