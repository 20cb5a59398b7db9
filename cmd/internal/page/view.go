package page

import (
	"fmt"
	"strings"
	"time"

	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/schema/plain"
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

// plan sets the plan with the lines on which it is based. What it says the run does not do also counts as omitted.
func (v *view) plan(r Run) {
	for _, l := range r.Plan[:min(len(r.Plan), mostItems)] {
		line := planLine{Name: short(l.Name, 16), Value: safe(l.Value), From: said(l.From)}
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
			row.Took = plain.Duration(r.States[i+1].At.Sub(s.At))
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
		v.OutputsSum = plain.Count(len(o.Files), "file") + ", " + progress.Bytes(o.Bytes)
	}
	var notes []string
	if n := len(o.Files) - len(v.Outputs); n > 0 {
		notes = append(notes, plain.CountIs(n, "file")+" left out here.")
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
	v.LogNote = plain.Count(n, "line")
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
		v.LogNote = fmt.Sprintf("%s shown of %d; `amlfix runs logs %s` prints all of them", plain.Count(kept, "line"), n, v.ID)
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
