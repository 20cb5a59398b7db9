package schema

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/binding"
	"github.com/amlfix/amlfix/schema/document"
)

// Pipeline is a v2 pipeline: a file, or a step of another pipeline.
type Pipeline struct {
	// Of is the pipeline itself, for its inputs and outputs; it is a Job only for the methods. If it is a component,
	// Runs is what its file says.
	Of *Job
	// Outer is the pipeline that it is a step of, under its Name there; nil if it is not a step.
	Outer *Pipeline
	Name  string
}

// Jobs is the mapping of its steps, and the file that it is in.
func (p *Pipeline) Jobs() (*File, *document.Node) {
	of := p.Of
	if of.Runs != nil {
		of = of.Runs
	}
	return of.File, of.Node.Get("jobs").Resolve()
}

// inside reports whether a mapping of jobs belongs to the pipeline or to one around it.
func (p *Pipeline) inside(jobs *document.Node) bool {
	for ; p != nil; p = p.Outer {
		if _, own := p.Jobs(); own == jobs {
			return true
		}
	}
	return false
}

// PipelineStep is a step of a pipeline that is not a pipeline itself.
type PipelineStep struct {
	// Name is the step's name with those of the steps around it, such as "train.fit"; Child is its own name.
	Name, Child string
	// Job is what it runs; nil if the step only determines what runs.
	Job *Job
	// At is the step as it is written.
	At Field
	// In is the pipeline whose step it is.
	In *Pipeline
}

// StepError reports that the steps of a pipeline cannot be ordered.
type StepError struct {
	// At is where that is.
	At Field
	// Text says why.
	Text string
}

func (e *StepError) Error() string { return e.Text }

// Steps returns the steps of a pipeline in the order in which they run: each after those whose outputs it uses, and
// otherwise as written. The steps of a pipeline that is itself a step take its place. The error is a *StepError.
func (p *Project) Steps(pipeline *Pipeline) ([]PipelineStep, error) {
	byNode := map[*document.Node]*Job{}
	for _, j := range p.Jobs {
		byNode[j.Node] = j
	}
	return p.steps(byNode, pipeline, "")
}

// group are the steps of one child, which uses outputs of the children in after.
type group struct {
	child string
	at    Field
	after []string
	steps []PipelineStep
}

func (p *Project) steps(byNode map[*document.Node]*Job, in *Pipeline, before string) ([]PipelineStep, error) {
	var left []group
	file, mapping := in.Jobs()
	for _, e := range mapping.Entries() {
		g := group{child: e.Key.Value, at: FieldAt(file, mapping, e.Key.Value)}
		step := PipelineStep{Name: before + g.child, Child: g.child, Job: byNode[e.Value.Resolve()], At: g.at, In: in}
		inner := p.PipelineIn(file, e.Value.Resolve())
		switch {
		case step.Job != nil:
			g.after, g.steps = Makers(step.Job), []PipelineStep{step}
		case inner == nil:
			g.after, g.steps = Makers(NewJob(file, e.Value.Resolve())), []PipelineStep{step}
		default:
			as := &Pipeline{Of: inner, Outer: in, Name: g.child}
			if _, jobs := as.Jobs(); in.inside(jobs) {
				return nil, &StepError{g.at, "step " + step.Name + " is the pipeline that it is in"}
			}
			steps, err := p.steps(byNode, as, step.Name+".")
			if err != nil {
				return nil, err
			}
			g.after, g.steps = Makers(inner), steps
		}
		left = append(left, g)
	}
	return ordered(left)
}

// ordered sorts groups of steps: of those that need nothing more, the first one is next.
func ordered(groups []group) (list []PipelineStep, err error) {
	missing := map[string]int{} // groups of a name that are not in the list yet
	for _, g := range groups {
		missing[g.child]++
	}
	needs, waiting, ready := make([]int, len(groups)), map[string][]int{}, []int{}
	for i, g := range groups {
		for _, name := range g.after {
			if missing[name] > 0 {
				needs[i]++
				waiting[name] = append(waiting[name], i)
			}
		}
		if needs[i] == 0 {
			ready = append(ready, i)
		}
	}
	for range groups {
		if len(ready) == 0 {
			return nil, circle(groups, missing)
		}
		g := groups[ready[0]]
		ready = ready[1:]
		list = append(list, g.steps...)
		if missing[g.child]--; missing[g.child] > 0 {
			continue
		}
		for _, i := range waiting[g.child] {
			if needs[i]--; needs[i] == 0 {
				at, _ := slices.BinarySearch(ready, i)
				ready = slices.Insert(ready, at, i)
			}
		}
	}
	return list, nil
}

// circle returns the error about steps that wait for each other, at the first of them that is found. Others only wait
// for these.
func circle(groups []group, missing map[string]int) *StepError {
	awaited := func(g group) string {
		i := slices.IndexFunc(g.after, func(name string) bool { return missing[name] > 0 })
		if i < 0 {
			return ""
		}
		return g.after[i]
	}
	at, waiting := 0, map[string]int{}
	for i, g := range slices.Backward(groups) {
		if awaited(g) != "" {
			at, waiting[g.child] = i, i
		}
	}
	for met := map[int]bool{}; !met[at]; at = waiting[awaited(groups[at])] {
		met[at] = true
	}
	g := groups[at]
	return &StepError{g.at, "step " + g.child + " needs outputs that come from itself, through " + awaited(g)}
}

// PipelineIn returns the pipeline that a mapping is: a file, or a step with its own jobs or with a component that has
// jobs; nil if it is not a pipeline.
func (p *Project) PipelineIn(file *File, n *document.Node) *Job {
	of := NewJob(file, n)
	switch {
	case !n.IsMapping():
		return nil
	case n.Get("jobs").IsMapping():
		return of
	}
	at := FieldAt(file, n, "component")
	if inline := at.Node.Resolve(); inline.IsMapping() && inline.Get("jobs").IsMapping() {
		of.Runs = NewJob(file, inline)
		return of
	}
	if f := p.Linked("component", at); f != nil && f.Root().Resolve().Get("jobs").IsMapping() {
		of.Runs = NewJob(f, f.Root().Resolve())
		return of
	}
	return nil
}

// Makers returns the names of the steps whose outputs are inputs of a job, each once, in the order of its inputs.
func Makers(j *Job) (names []string) {
	seen := map[string]bool{}
	for _, d := range j.Inputs() {
		for _, e := range binding.Parse(d.Value().Text) {
			parts := strings.Split(e.Name, ".")
			if len(parts) > 2 && parts[0] == "parent" && parts[1] == "jobs" && !e.Broken && !seen[parts[2]] {
				seen[parts[2]] = true
				names = append(names, parts[2])
			}
		}
	}
	return names
}

// Bound returns the pipeline output that a step's output is bound to, or "".
func (d V2Data) Bound() string {
	text := d.Given.Text
	if at := FieldAt(d.Given.File, d.Given.Node, "path"); at.Explicit {
		text = at.Text
	}
	name, _ := binding.Whole(text)
	own, ok := strings.CutPrefix(name, "parent.outputs.")
	if !ok || strings.ContainsAny(own, "./") {
		return ""
	}
	return own
}

// Artifacts is the name of an output that every step has: everything it leaves.
const Artifacts = "default"

// IsArtifacts reports whether an output is everything that a step leaves rather than a separate folder: it has one of
// two names and no value.
func (d V2Data) IsArtifacts() bool {
	return (d.Name == Artifacts || d.Name == "artifacts") && !d.Given.Explicit && !d.Declared.Explicit
}
