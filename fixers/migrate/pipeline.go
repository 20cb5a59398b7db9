package migrate

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/plain"
)

// Pipeline is an SDK v1 pipeline: in YAML, as Pipeline.load_yaml read it, or built by a program.
type Pipeline struct {
	File *schema.File
	// Name is used in file names and scopes.
	Name string
	// Experiment is the experiment's name, or "".
	Experiment string
	// Description is the field with its description, which may be absent.
	Description schema.Field
	Inputs      []PipelineInput
	Steps       []*Job
	// Reruns means that a step runs even if nothing has changed.
	Reruns bool
	// Continues means that steps run even if another one has failed.
	Continues bool

	steps []schema.PipelineStep // of a v2 pipeline
}

// PipelineInput is a parameter or a data reference of a pipeline.
type PipelineInput struct {
	// Name is the name of the input; Of is the name of the SDK v1 parameter or data reference.
	Name, Of string
	// Value is its value; nil for data of a Type, which is at Address.
	Value         *document.Node
	Address, Type string
	// Open means that the value or address is not known.
	Open bool
}

// Step is the role of a job in a pipeline.
type Step struct {
	// Name is the job's name in the pipeline; Label is what the studio shows.
	Name, Label string
	// Kind is the class of SDK v1.
	Kind string
	// Parallel says how a ParallelRunStep splits its work, under the names of ParallelRunConfig; nil for other steps.
	// File is the file with these settings.
	Parallel *document.Node
	File     *schema.File
	// In is the pipeline; After are the names of its steps whose outputs the job needs, for formats that list them
	// explicitly.
	In    *Pipeline
	After []string
}

// pipelineReads is the function that reads pipelines.
const pipelineReads = "`Pipeline.load_yaml`"

// pipelineReader reads one pipeline.
type pipelineReader struct {
	m    *Migration
	f    *schema.File
	root *document.Node // the value of "pipeline"
	// made maps each destination to its step and output.
	made map[string][2]string
	// configs are the run configurations of the steps, by name; nil for a step without one.
	configs map[string]*schema.Job
	names   map[string]string // of steps in v2, by their old names
	called  plain.Names       // all these names
	input   map[string]string // of the pipeline's inputs in v2, by their old names
	types   map[string]string // of the pipeline's data
}

// readPipelines reads the pipelines of the repository, and returns the run configurations that are more than the
// environment of a step. Related has the reason for a pipeline that is not read.
func (m *Migration) readPipelines(found []Related, chosen []*schema.Job) []*schema.Job {
	if m.Emitter.Format() != "v2" || len(m.Options.Configs) > 0 {
		m.leaveBuilt(chosen)
		return chosen
	}
	m.refused = map[string]string{}
	used := m.readBuiltPipelines()
	for _, r := range found {
		f := m.pipelines[r.File]
		if r.What != pipelineFile || f == nil {
			continue
		}
		p := m.pipelineReader(f, f.Root().Get("pipeline").Resolve())
		if n, why := p.problem(); why != "" {
			m.refused[r.File] = account.Name(f.Rel) + lineOf(f, n) + " " + why
			m.Refused = append(m.Refused, Skipped{File: f.Rel, Why: m.refused[r.File], Job: true})
			continue
		}
		m.Ledger.Add(f)
		for _, s := range p.configs {
			used[s] = true
		}
		m.Pipelines = append(m.Pipelines, p.read())
	}
	return slices.DeleteFunc(slices.Clone(chosen), func(s *schema.Job) bool {
		if used[s] {
			m.source(s)
		}
		return slices.Contains(m.loaded, s.File) || used[s] && !s.Script.Explicit && !s.Command.Explicit && len(m.submissionsOf(s)) == 0
	})
}

func (m *Migration) pipelineReader(f *schema.File, root *document.Node) *pipelineReader {
	return &pipelineReader{m: m, f: f, root: root, called: identifiers(), made: map[string][2]string{}, configs: map[string]*schema.Job{}, names: map[string]string{}, input: map[string]string{}, types: map[string]string{}}
}

// call gives a step a name that is valid in v2.
func (p *pipelineReader) call(name string) {
	v2 := strings.ToLower(identifier("step" + name))[len("step"):]
	if v2 == "" || v2[0] <= '9' {
		v2 = "step_" + v2
	}
	p.names[name] = p.called.Take(v2)
}

// below returns the mapping with the step's own keys, which used to be below its type.
func below(step *document.Node) *document.Node {
	if n := step.Get("python_script_step").Resolve(); n.IsMapping() {
		return n
	}
	return step
}

// config returns a run configuration by its path relative to the project's or the pipeline's folder, or nil.
func (p *pipelineReader) config(name string) *schema.Job {
	for _, rel := range loadable(name, p.f.Dir()) {
		for _, s := range p.m.configurations() {
			if s.File.Of == "" && s.Dialect == schema.SDKv1 && (s.File.Rel == rel || s.File.Rel == rel+".runconfig") {
				return s
			}
		}
	}
	return nil
}

// read converts a pipeline to one to write.
func (p *pipelineReader) read() *Pipeline {
	m, f := p.m, p.f
	out := &Pipeline{File: f, Name: jobName(f)}
	out.Experiment = m.submittedTo(f)
	if th := m.built[f]; th != nil {
		out.Experiment = th.Experiment
	}
	if slices.ContainsFunc(m.configurations(), func(s *schema.Job) bool { return strings.EqualFold(s.Name, out.Name) }) {
		out.Name += "-pipeline"
	}
	out.Name = m.uniqueName(out.Name)
	for _, key := range []string{"description", "name"} {
		if field := schema.FieldAt(f, p.root, key); field.Explicit {
			if out.Description.Explicit {
				m.Ledger.Drop(out.Name, "`description` counts", field)
				continue
			}
			out.Description = field
			m.Ledger.Map(out.Name, "`description`", "", field)
		}
	}
	for _, e := range p.root.Get("parameters").Resolve().Own() {
		out.Inputs = append(out.Inputs, p.parameter(out, e))
	}
	for _, e := range p.root.Get("data_references").Resolve().Own() {
		out.Inputs = append(out.Inputs, p.reference(out, e.Key.Value, e.Value.Resolve()))
	}
	for _, e := range p.chosen(out) {
		j := p.step(out, e.Key.Value, e.Value.Resolve())
		out.Steps = append(out.Steps, j)
		m.Jobs = append(m.Jobs, j)
	}
	p.wait(out)
	if m.built[f] == nil {
		m.tellUnread(f, f.Root(), pipelineReads, "pipeline")
		m.tellUnread(f, p.root, pipelineReads, pipelineKeys...)
	}
	return out
}

// jobName returns the name of the job that a file describes; the name of the job's file begins with "job-" already.
func jobName(f *schema.File) string {
	return strings.TrimPrefix(account.Slug(stem(f.Rel)), "job-")
}

// lineOf returns the line of a node in the form ":12".
func lineOf(f *schema.File, n *document.Node) string {
	return strings.TrimPrefix(account.Place(schema.Field{File: f, Node: n}), account.Name(f.Rel))
}

// pipelineFiles reads the files of pipelines, and returns parts for the environments of steps without a run
// configuration, including those in pipelines that programs build.
func (m *Migration) pipelineFiles(made []*schema.File, found []Related) (parts []*schema.File) {
	m.pipelines = map[string]*schema.File{}
	for _, f := range made {
		if m.built[f].Kind == built.Pipeline && !slices.ContainsFunc(parts, func(o *schema.File) bool { return o.Of == f.Rel }) {
			m.pipelines[f.Path+"#"+f.Of] = f
			parts = append(parts, m.part(f, f.Rel, schema.SDKv1, entry("framework", "Python"), nil))
		}
	}
	for _, r := range found {
		if r.What != pipelineFile || !filepath.IsLocal(filepath.FromSlash(way(m.Project.Root, r.File))) {
			continue
		}
		f := m.parsed(r.File)
		if f == nil || len(f.Stream.Documents) != 1 || !f.Root().Get("pipeline").IsMapping() {
			continue
		}
		f.Kind = schema.Unknown
		m.pipelines[r.File] = f
		if slices.ContainsFunc(f.Root().Get("pipeline").Get("steps").Resolve().Own(), func(e document.Entry) bool { return e.Value.Get("runconfig") == nil }) {
			parts = append(parts, m.part(f, f.Rel, schema.SDKv1, entry("framework", "Python"), nil))
		}
	}
	return parts
}
