package migrate

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema"
)

// leavePipeline migrates the steps of a v2 pipeline to a format outside Azure, and adds to used the jobs that it
// accounts for.
func (m *Migration) leavePipeline(f *schema.File, used map[*schema.Job]bool, take func(*leaving, *schema.Pipeline)) {
	of := m.Project.PipelineIn(f, f.Root().Resolve())
	if of == nil {
		return
	}
	steps, err := m.Project.Steps(&schema.Pipeline{Of: of})
	if bad, ok := errors.AsType[*schema.StepError](err); ok {
		m.Skipped = append(m.Skipped, Skipped{File: f.Rel, Why: account.Place(bad.At) + ": " + account.Name(bad.Text), Unread: true})
		return
	}
	for _, s := range steps {
		for j := s.Job; j != nil; j = j.Runs {
			used[j] = true
		}
	}
	alone := func(s schema.PipelineStep) bool { return whyStepLeft(s) == "" }
	if at := slices.IndexFunc(steps, alone); at < 0 {
		why := "a pipeline without steps"
		if len(steps) > 0 {
			why = "a pipeline without commands: the step at " + account.Place(steps[0].At) + " " + whyStepLeft(steps[0])
		}
		m.Skipped = append(m.Skipped, Skipped{File: f.Rel, Why: why, Job: true})
		return
	}
	m.Ledger.Add(f)
	p := &Pipeline{File: f, Name: m.uniqueName(f.Name()), steps: steps}
	m.Pipelines = append(m.Pipelines, p)
	for _, s := range steps {
		m.sourcesOf(s.In)
		if why := whyStepLeft(s); why != "" {
			m.leaveStep(p, s, why)
			continue
		}
		step := &Step{Name: strings.ReplaceAll(s.Name, ".", "-"), In: p}
		take(&leaving{job: s.Job, name: p.Name + "-" + step.Name, step: step, child: s}, s.In)
	}
}

// sourcesOf adds the files of the pipelines around a step to the ledger.
func (m *Migration) sourcesOf(p *schema.Pipeline) {
	for ; p != nil; p = p.Outer {
		f, _ := p.Jobs()
		m.Ledger.Add(f)
	}
}

// whyStepLeft says why a step of a pipeline cannot run outside Azure ML, or returns "".
func whyStepLeft(s schema.PipelineStep) string {
	if s.Job != nil {
		return whyLeft(s.Job)
	}
	return "decides at run time which steps run, which only Azure ML can do"
}

// leaveStep asks about a step that is not written.
func (m *Migration) leaveStep(p *Pipeline, s schema.PipelineStep, why string) {
	id := "step-" + account.Slug(s.Name)
	m.Decide(&account.Question{ID: id, Scope: p.Name, Ask: "What should happen to the step " + account.Name(s.Name) + "?", Choices: []string{"drop"},
		Why: account.Place(s.At) + " " + why + ": write its replacement by hand, or answer `drop` to leave it out"})
	m.Ledger.Decide(p.Name, "left out", id, s.At)
}

// unwanted returns an error for a file that was named but contains nothing that can be migrated.
func (m *Migration) unwanted() error {
	if m.lowered == nil {
		return nil
	}
	for _, want := range m.Options.Configs {
		one := *m
		one.Options.Configs = []string{want}
		found := false
		for _, l := range m.lowered {
			file := l.job.File
			if l.step != nil {
				file = l.step.In.File
			}
			found = found || one.wanted(file)
		}
		if !found {
			return &ConfigError{want + ": there is no job or pipeline of this name that can be migrated from Azure ML"}
		}
	}
	return nil
}

// orderOf returns the position of a v2 job among those that are migrated.
func (m *Migration) orderOf(s *schema.Job) int {
	if l := m.lowered[s.File]; l != nil {
		return l.order
	}
	return len(m.lowered)
}

// askStepNodes asks about a step that needs several nodes: the steps of a pipeline are containers of one pod.
func (m *Migration) askStepNodes(j *Job) {
	if m.Emitter.Format() != "k8s" || j.Step == nil || j.Nodes < 2 {
		return
	}
	m.Decide(&account.Question{ID: "step-nodes", Scope: j.Name, Ask: "On how many nodes does the step run?", Choices: []string{"1"},
		Why: account.Place(j.Source.Nodes) + " asks for several, but the steps of a pipeline are containers in one pod, on one node: answer `1`, or write a separate job for the step"})
	m.Ledger.Decide(j.Name, "one node", "step-nodes", j.Source.Nodes)
	j.Nodes = 1
}

// outputsFolder is where the outputs of jobs go in the project.
const outputsFolder = "outputs"

// folder returns where the outputs of the steps of a pipeline are kept.
func (p *Pipeline) folder(of *schema.Pipeline) string {
	if of.Outer == nil {
		return path.Join(outputsFolder, p.Name)
	}
	return path.Join(p.folder(of.Outer), fit(of.Name))
}

// place returns where an output of a pipeline, or of one in it, is kept: the pipeline's own outputs under their names,
// and those of a step where the pipeline around it says.
func (p *Pipeline) place(of *schema.Pipeline, name string) string {
	if of.Outer != nil {
		for _, d := range of.Of.Outputs() {
			if outer := d.Bound(); d.Name == name && outer != "" {
				return p.place(of.Outer, outer)
			}
		}
	}
	return path.Join(p.folder(of), fit(name))
}

// made is an output of a step: its folder and, if it is a file, its name.
type made struct {
	step         schema.PipelineStep
	folder, file string
	// all means everything that the step writes.
	all bool
}

// output returns where an output of a step is.
func (p *Pipeline) output(s schema.PipelineStep, d schema.V2Data) made {
	out := made{step: s, all: d.IsArtifacts()}
	typ := d.Type()
	if own := d.Bound(); own != "" {
		out.folder = p.place(s.In, own)
		for _, of := range s.In.Of.Outputs() {
			if of.Name == own {
				typ = cmp.Or(typ, of.Type())
			}
		}
	} else {
		out.folder = path.Join(p.folder(s.In), fit(s.Child), fit(d.Name))
	}
	if typ == "uri_file" {
		out.file = fileOf(d)
	}
	return out
}

// maker returns the step output behind an output of a pipeline's child; if the child is a pipeline, it is an output of
// one of its steps.
func (p *Pipeline) maker(in *schema.Pipeline, child, name string) (made, bool) {
	for _, s := range p.steps {
		if s.In == in && s.Child == child {
			return p.outputNamed(s, func(d schema.V2Data) bool { return d.Name == name }, name)
		}
		for inner := s.In; inner != nil; inner = inner.Outer {
			if inner.Outer != in || inner.Name != child {
				continue
			}
			if s.In == inner {
				if out, ok := p.outputNamed(s, func(d schema.V2Data) bool { return d.Bound() == name }, ""); ok {
					return out, true
				}
				continue
			}
			next := s.In
			for next.Outer != inner {
				next = next.Outer
			}
			for _, d := range next.Of.Outputs() {
				if d.Bound() == name {
					if out, ok := p.maker(inner, next.Name, d.Name); ok {
						return out, true
					}
				}
			}
		}
	}
	return made{}, false
}

// outputNamed returns the step's output for which meant returns true; every step has the artifacts.
func (p *Pipeline) outputNamed(s schema.PipelineStep, meant func(schema.V2Data) bool, name string) (made, bool) {
	for _, d := range outputsOf(s) {
		if meant(d) {
			return p.output(s, d), true
		}
	}
	return made{step: s, all: true}, name == schema.Artifacts
}

// outputsOf returns the outputs of a step, including one that only controls what runs.
func outputsOf(s schema.PipelineStep) []schema.V2Data {
	if s.Job != nil {
		return s.Job.Outputs()
	}
	return schema.NewJob(s.At.File, s.At.Node.Resolve()).Outputs()
}

// fit returns a name that is valid in paths of Compose and Kubernetes, or "" if no character is.
func fit(name string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == '.' || r < 0x80 && (r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z') {
			return r
		}
		return '-'
	}, name), "-.")
}
