package migrate

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
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

// pipelineKeys are the keys that Pipeline.load_yaml reads in a pipeline, and stepKeys those in a PythonScriptStep.
// Source: azureml-pipeline-core 1.62 azureml/pipeline/core/_pipeline_yaml_parser.py.
var (
	pipelineKeys = []string{"name", "description", "parameters", "data_references", "default_compute", "steps"}
	stepKeys     = []string{"type", "python_script_step", "name", "script_name", "source_directory", "compute", "runconfig", "arguments", "parameters", "inputs", "outputs", "allow_reuse", "version", "hash_paths"}
	bindingKeys  = []string{"source", "destination", "type", "bind_mode", "path_on_compute", "overwrite", "datastore", "as_dataset"}
)

// stepOpens are keys of a step that have no counterpart and change what it does.
var stepOpens = []string{"runconfig_parameters", "side_inputs", "module", "parallel_run_step", "adla_step", "data_transfer_step", "databricks_step", "azurebatch_step"}

// pipelineReads is the function that reads pipelines.
const pipelineReads = "`Pipeline.load_yaml`"

// variableName matches the name of an environment variable.
var variableName = plain.Regexp{Text: `^[A-Za-z_][A-Za-z0-9_]*$`}

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
		return used[s] && !s.Script.Explicit && !s.Command.Explicit && len(m.submissionsOf(s)) == 0
	})
}

func (m *Migration) pipelineReader(f *schema.File, root *document.Node) *pipelineReader {
	return &pipelineReader{m: m, f: f, root: root, called: identifiers(), made: map[string][2]string{}, configs: map[string]*schema.Job{}, names: map[string]string{}, input: map[string]string{}, types: map[string]string{}}
}

// problem returns why a pipeline cannot be migrated, and where, or "".
func (p *pipelineReader) problem() (at *document.Node, why string) {
	steps := p.root.Get("steps").Resolve()
	if !steps.IsMapping() || len(steps.Own()) == 0 {
		return p.root, "has no steps"
	}
	if n, why := p.dataProblem(); why != "" {
		return n, why
	}
	for _, e := range steps.Own() {
		if n, why := p.stepProblem(e.Key.Value, e.Value.Resolve()); why != "" {
			return n, why
		}
	}
	for _, e := range steps.Own() {
		for _, in := range e.Value.Get("inputs").Resolve().Own() {
			source := in.Value.Get("source")
			if _, made := p.made[source.Text()]; !made && p.input[source.Text()] == "" {
				return in.Value, "uses an input that no step produces"
			}
		}
		for _, param := range e.Value.Get("parameters").Resolve().Own() {
			if from := param.Value.Get("source"); from != nil && p.input[from.Text()] == "" {
				return param.Value, "uses a parameter that the pipeline does not have"
			}
		}
	}
	return nil, ""
}

// dataProblem does the same for the pipeline's inputs.
func (p *pipelineReader) dataProblem() (at *document.Node, why string) {
	taken := identifiers()
	for _, section := range []string{"parameters", "data_references"} {
		for _, e := range p.root.Get(section).Resolve().Own() {
			v := e.Value.Resolve()
			switch {
			case !v.IsMapping():
				return e.Value, "does not describe " + e.Key.Value
			case section == "parameters" && !slices.Contains([]string{"string", "int", "float", "bool", "datapath"}, v.Get("type").Text()):
				return e.Value, "has a parameter of a type that SDK v1 did not support"
			case section == "data_references" && (v.Get("datastore") == nil || v.Get("path_on_datastore") == nil) && v.Get("dataset_name") == nil && v.Get("dataset_id") == nil:
				return e.Value, "uses data that is neither a path on a datastore nor a dataset"
			}
			p.input[e.Key.Value] = taken.Take(strings.ToLower(identifier(e.Key.Value)))
		}
	}
	return nil, ""
}

// stepProblem does the same for one step.
func (p *pipelineReader) stepProblem(name string, n *document.Node) (at *document.Node, why string) {
	script := below(n)
	for _, key := range stepOpens {
		if v := n.Get(key); v != nil {
			return v, "has `" + key + "`: amlfix migrates only PythonScriptStep"
		}
	}
	switch {
	case !n.IsMapping() || n.Get("python_script_step") == nil && n.Get("type").Text() != "PythonScriptStep":
		return n, "has a step that is not a PythonScriptStep: amlfix migrates only those"
	case !plainText(script.Get("script_name")):
		return n, "does not use a script of " + name
	}
	for _, v := range items(n.Get("arguments")) {
		if v = v.Resolve(); v.Kind != document.Scalar || open(v) {
			return v, "has an argument that is filled in before it is used, or contains a secret"
		}
	}
	for _, e := range n.Get("parameters").Resolve().Own() {
		if v := e.Value.Resolve(); !variableName.Get().MatchString(e.Key.Value) || v.Get("source") == nil && (v.Kind != document.Scalar || open(v) || secret.Variable(e.Key.Value, v.Text())) {
			return e.Value, "has a parameter that cannot be passed as an environment variable"
		}
	}
	for _, e := range n.Get("outputs").Resolve().Own() {
		to := e.Value.Get("destination").Text()
		if to == "" || p.made[to][0] != "" {
			return e.Value, "has an output without a destination of its own"
		}
		p.made[to] = [2]string{name, e.Key.Value}
	}
	p.call(name)
	if config := n.Get("runconfig"); config != nil {
		s := p.config(config.Text())
		switch name := schema.Slashes(config.Text()); {
		case s == nil && (p.m.has(path.Clean(name)) || p.m.has(path.Join(p.f.Dir(), name))):
			return config, "uses a run configuration that amlfix reads only under a name with the ending .runconfig: rename it there and here, and migrate again"
		case s == nil:
			return config, "uses a run configuration that does not exist"
		}
		p.configs[name] = s
	}
	return nil, ""
}

// call gives a step a name that is valid in v2.
func (p *pipelineReader) call(name string) {
	v2 := strings.ToLower(identifier("step" + name))[len("step"):]
	if v2 == "" || v2[0] <= '9' {
		v2 = "step_" + v2
	}
	p.names[name] = p.called.Take(v2)
}

// items returns the items of a sequence, none of anything else.
func items(n *document.Node) []*document.Node {
	if n = n.Resolve(); n.IsSequence() {
		return n.Items
	}
	return nil
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
	name = path.Clean(schema.Slashes(name))
	for _, rel := range []string{name, path.Join(p.f.Dir(), name)} {
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
	out := &Pipeline{File: f, Name: account.Slug(strings.TrimSuffix(path.Base(f.Rel), path.Ext(f.Rel)))}
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

// parameter reads a parameter of the pipeline.
func (p *pipelineReader) parameter(out *Pipeline, e document.Entry) PipelineInput {
	m, v := p.m, e.Value.Resolve()
	in := PipelineInput{Name: p.input[e.Key.Value], Of: e.Key.Value}
	m.Ledger.Map(out.Name, "`inputs."+in.Name+"`", "", schema.FieldAt(p.f, v, "type"))
	given := schema.FieldAt(p.f, v, "default")
	if v.Get("type").Text() == "datapath" {
		if d := given.Node.Resolve(); d.IsMapping() && (d.Get("datastore") != nil && d.Get("path_on_datastore") != nil || m.built[p.f] != nil) {
			return p.reference(out, e.Key.Value, d)
		}
		return p.askData(out, in, e.Key.Value, schema.Field{})
	}
	if given.Explicit && given.Node.Resolve().Kind == document.Scalar && !open(given.Node.Resolve()) && given.Node.Tag != built.Open && !secret.Variable(e.Key.Value, given.Text) {
		in.Value = given.Node.Resolve()
		if v.Get("type").Text() == "string" {
			in.Value = text(given.Text, given.Node)
		}
		m.Ledger.Map(out.Name, "`inputs."+in.Name+"`", "", given)
		return in
	}
	zero := map[string]string{"int": "0", "float": "0.0", "bool": "false"}[v.Get("type").Text()]
	if given.Explicit {
		zero = ""
	}
	why := account.Name(p.f.Rel) + lineOf(p.f, v) + " does not set a value"
	if given.Explicit && given.Node.Tag == built.Open {
		why = account.Place(given) + " computes it"
	}
	answer, open := m.Decide(account.Question{ID: "parameter-" + account.Slug(e.Key.Value), Scope: out.Name, Ask: "What is the value of the parameter " + e.Key.Value + "?", Default: zero, Example: "VALUE",
		Why: why})
	m.Ledger.Decide(out.Name, "`inputs."+in.Name+"`", "parameter-"+account.Slug(e.Key.Value), given)
	in.Open = open
	in.Value = &document.Node{Kind: document.Scalar, Tag: map[string]string{"int": "!!int", "float": "!!float", "bool": "!!bool", "string": "!!str"}[v.Get("type").Text()], Value: cmp.Or(answer, account.Marker)}
	return in
}

// reference reads a data reference.
func (p *pipelineReader) reference(out *Pipeline, name string, v *document.Node) PipelineInput {
	in := PipelineInput{Name: p.input[name], Of: name}
	field := func(key string) schema.Field { return schema.FieldAt(p.f, v, key) }
	if p.m.built[p.f] == nil {
		p.m.tellUnread(p.f, v, pipelineReads, "datastore", "path_on_datastore", "dataset_name", "dataset_id")
	}
	switch dataset := v.Get("dataset_name"); {
	case p.m.built[p.f] != nil:
		return p.outside(out, in, name, v)
	case v.Get("datastore") != nil:
		in.Address, in.Type = onDatastore(v), p.askType(out, name, v)
		p.m.Ledger.Map(out.Name, "`inputs."+in.Name+"`", "", field("datastore"), field("path_on_datastore"))
	case plainText(dataset):
		in.Address, in.Type = "azureml:"+dataset.Resolve().Value+"@latest", p.m.RegisteredType(out.Name)
		p.types[name] = in.Type
		p.m.Ledger.Map(out.Name, "`inputs."+in.Name+"`", "", field("dataset_name"))
	default:
		return p.askData(out, in, name, field("dataset_id"))
	}
	return in
}

// askType asks whether a path on a datastore is a file or a folder: an SDK v1 reference could be either.
func (p *pipelineReader) askType(out *Pipeline, name string, at *document.Node) string {
	q := account.Question{ID: "type-" + p.input[name], Scope: out.Name, Ask: "Is the data " + name + " a folder or a file?", Default: "uri_folder", Choices: []string{"uri_folder", "uri_file"},
		Why: account.Name(p.f.Rel) + lineOf(p.f, at) + " may be either"}
	if path.Ext(schema.Slashes(at.Get("path_on_datastore").Text())) != "" {
		q.Default = "uri_file"
	}
	answer, _ := p.m.Decide(q)
	p.types[name] = answer
	return answer
}

// askData asks where data is that only the old workspace knows.
func (p *pipelineReader) askData(out *Pipeline, in PipelineInput, name string, f schema.Field) PipelineInput {
	id, why := "data-"+in.Name, " does not say where it is"
	if f.Explicit {
		why = lineOf(p.f, f.Node) + " refers to it by an id that only the old workspace can resolve"
	}
	in.Address, in.Open = p.m.Decide(account.Question{ID: id, Scope: out.Name, Ask: "Where is the data " + name + "?", Example: "azureml:NAME@latest", Why: account.Name(p.f.Rel) + why})
	p.m.Ledger.Decide(out.Name, in.Address, id, f)
	if in.Open {
		in.Address = "azureml:" + account.Marker + "@latest"
	}
	return in
}

// onDatastore returns the address of a path on a datastore.
func onDatastore(n *document.Node) string {
	return "azureml://datastores/" + n.Get("datastore").Text() + "/paths/" + strings.TrimPrefix(schema.Slashes(n.Get("path_on_datastore").Text()), "/")
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
