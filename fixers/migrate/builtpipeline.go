package migrate

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
)

// isInStep reports whether a run configuration that a program builds is what a step of
// a pipeline runs, or runs in, and no job of its own.
func (m *Migration) isInStep(f *schema.File) bool {
	th := m.built[f]
	return th != nil && (th.Kind == built.Surroundings || th.InStep && th.Experiment == "" && m.Emitter.Format() == "v2")
}

// readBuiltPipelines reads the pipelines that programs build, and returns the run
// configurations in files that their steps load.
func (m *Migration) readBuiltPipelines() (used map[*schema.Job]bool) {
	used = map[*schema.Job]bool{}
	for _, f := range m.Project.Files {
		th := m.built[f]
		if th == nil || th.Kind != built.Pipeline {
			continue
		}
		p := m.pipelineReader(f, f.Root())
		m.Ledger.Add(f)
		if p.root.Get("steps") == nil {
			p.askSteps()
			continue
		}
		for _, section := range []string{"parameters", "data_references"} {
			for _, e := range p.root.Get(section).Own() {
				p.input[e.Key.Value] = unused(slices.Collect(maps.Values(p.input)), strings.ToLower(identifier(e.Key.Value)))
				p.types[e.Key.Value] = parameterTypes[e.Value.Get("type").Text()]
			}
		}
		for _, e := range p.root.Get("steps").Own() {
			p.call(e.Key.Value)
			for _, out := range e.Value.Get("outputs").Own() {
				to := out.Value.Get("destination").Text()
				if p.made[to] = [2]string{e.Key.Value, out.Key.Value}; e.Value.Get("parallel").Get("output_action").Text() == "append_row" {
					p.types[to] = "uri_file"
				}
			}
			s := m.configOf(p, th.Steps[e.Key.Value], e.Value)
			if p.configs[e.Key.Value], used[s] = s, true; s != nil && m.built[s.File] != nil {
				m.source(s)
			}
		}
		out := p.read()
		m.Ledger.Drop(out.Name, "for one submission: `az ml job create --set inputs.NAME=VALUE`", schema.FieldAt(f, p.root, "pipeline_parameters"), p.lost(p.root, "pipeline_parameters"))
		m.Pipelines = append(m.Pipelines, out)
	}
	delete(used, nil)
	return used
}

// parameterTypes are the types of parameters, by the words that YAML of SDK v1 has.
var parameterTypes = map[string]string{"int": "integer", "float": "number", "bool": "boolean", "string": "string"}

// configOf returns what a step runs in; nil where nothing says.
func (m *Migration) configOf(p *pipelineReader, th *built.Thing, n *document.Node) *schema.Job {
	if th == nil {
		if name := n.Get("runconfig").Text(); name != "" {
			return p.config(name)
		}
		return nil
	}
	for _, s := range m.Project.RunConfigurations() {
		if m.built[s.File] == th {
			return s
		}
	}
	return nil
}

// chosen returns the steps of a pipeline: those that are given, or those of all that
// the program makes that somebody chooses.
func (p *pipelineReader) chosen(out *Pipeline) []document.Entry {
	all := p.root.Get("steps").Resolve().Own()
	lost := schema.FieldAt(p.f, p.root, built.AllSteps)
	if !lost.Explicit {
		return all
	}
	var names []string
	for _, e := range all {
		names = append(names, p.names[e.Key.Value])
	}
	answer, _ := p.m.Decide(account.Question{ID: "steps", Scope: out.Name, Ask: "Which steps does the pipeline have?", Default: strings.Join(names, ","), Example: names[0],
		Why: account.Place(lost) + " chooses them; these are all that the program makes"})
	p.m.Ledger.Decide(out.Name, "`jobs`", "steps", lost)
	var some []document.Entry
	for _, e := range all {
		if slices.Contains(strings.FieldsFunc(answer, func(r rune) bool { return r == ',' || r == ' ' }), p.names[e.Key.Value]) {
			some = append(some, e)
			continue
		}
		p.m.Ledger.Node(account.Note{For: out.Name, Disposition: account.Decided, Why: "decision `steps`"}, e.Value)
	}
	if len(some) == 0 {
		p.m.fail(&AnswerError{Text: "steps=" + answer + ": none of these is a step; there are: " + strings.Join(names, ", ")})
		return all
	}
	return some
}

// askSteps says of a pipeline whose steps are made elsewhere that nothing is written
// for it.
func (p *pipelineReader) askSteps() {
	lost := schema.FieldAt(p.f, p.root, built.AllSteps)
	name := account.Slug(strings.TrimSuffix(path.Base(p.f.Rel), path.Ext(p.f.Rel)))
	answer, _ := p.m.Decide(account.Question{ID: "steps", Scope: name, Ask: "Which steps does the pipeline have?", Choices: []string{"later"},
		Why: account.Place(lost) + " gets them from elsewhere, so no pipeline job is written: write one of type pipeline, or answer `later`"})
	p.m.Ledger.Decide(name, answer, "steps", lost)
}

// lost returns the value of a key that the program computes.
func (p *pipelineReader) lost(n *document.Node, key string) schema.Field {
	return schema.FieldAt(p.f, n, key+" (not a literal)")
}

// ownSteps are the steps that run something which v2 can run, too.
var ownSteps = []string{"", "PythonScriptStep", "CommandStep", "EstimatorStep", "HyperDriveStep", "ParallelRunStep"}

// foreign reports whether a step did not run on a compute target that v2 has.
func (p *pipelineReader) foreign(j *Job) bool { return !slices.Contains(ownSteps, j.Step.Kind) }

// runs finds what a step of a program runs.
func (p *pipelineReader) runs(j *Job, n *document.Node) {
	m, s := p.m, j.Source
	script, folder := schema.FieldAt(p.f, n, "script_name"), schema.FieldAt(p.f, n, "source_directory")
	if th := m.built[s.File]; th != nil && th.InStep {
		m.readCode(j)
		if !script.Explicit {
			script, folder = s.Script, schema.FieldAt(s.File, s.File.Root(), "sourceDirectory")
		}
		m.Ledger.Map(j.Name, "the script of the command", "", s.Script)
		if n.Get("compute") == nil {
			m.Ledger.Map(j.Name, "`compute`", "", s.TargetName)
		} else {
			m.Ledger.Drop(j.Name, "the step names where it runs", s.TargetName)
		}
	}
	if j.Step.Kind == "ParallelRunStep" {
		if j.Step.Parallel, j.Step.File = n.Get("parallel"), p.f; j.Step.Parallel == nil {
			j.Step.Parallel = &document.Node{Kind: document.Mapping, Tag: "!!map", Dash: -1}
		}
	}
	for _, key := range []string{"runconfig_pipeline_params", "version", "hash_paths"} {
		m.Ledger.Drop(j.Name, "v2 has no counterpart: resources of a step take no parameter, and whether it is run again depends on all of its code", p.lost(n, key))
	}
	for _, key := range []string{"runconfig", "parallel_run_config"} {
		if f := p.lost(n, key); f.Explicit {
			j.Lost = f
		}
	}
	m.Ledger.Drop(j.Name, "the metrics of the trials are runs of MLflow, children of the step's", p.lost(n, "metrics_output"))
	command := schema.FieldAt(p.f, n, "command")
	switch from := schema.Slashes(folder.Text); {
	case j.Step.Kind == "CommandStep" && command.Explicit:
		j.Code, _ = p.code(from, ".")
		if command.Node.IsSequence() {
			return // its words are read with its inputs and outputs
		}
		j.Shell = command.Text
		if m.hidesIn(command) {
			j.Shell, _ = m.secretWord(s, command).Text()
		}
		m.readCommand(j, j.Shell, command)
		m.Ledger.Map(j.Name, "the command, as it is", "", command)
	case j.Step.Kind == "DataTransferStep":
		j.Code = "."
		m.Ledger.Map(j.Name, "a command that copies", "", schema.FieldAt(p.f, n, "type"))
	case p.foreign(j) || !script.Explicit || !plainText(script.Node):
		j.Code, _ = p.code(from, ".")
		p.askRun(j, n)
	default:
		j.Code, j.Script = p.code(from, schema.Slashes(script.Text))
		if !m.has(j.Script) {
			p.findScript(j, n, script)
		}
	}
}

// askRun decides what a step runs where the program computes it, or where it runs
// nothing that v2 has.
func (p *pipelineReader) askRun(j *Job, n *document.Node) {
	at := schema.FieldAt(p.f, n, "type")
	for _, key := range []string{"script_name", "command", "runconfig", "parallel_run_config"} {
		if f := p.lost(n, key); f.Explicit {
			at = f
			break
		}
	}
	q := account.Question{ID: scriptQuestion, Scope: j.Name, Ask: "Which script does the step run?", Example: "train.py", Why: account.Place(at) + " computes it"}
	if p.foreign(j) {
		q.Why = account.Place(at) + " makes a " + j.Step.Kind + ", which v2 does not have: a script has to do its work, or call the service that did it"
	}
	answer, open := p.m.decideScript(q)
	if !open {
		j.Script = answer
		if below := j.Code + "/"; j.Code != "." && !strings.HasPrefix(j.Script, below) {
			j.Code = path.Dir(j.Script)
		}
	}
	if j.Script != "" {
		answer = "`" + j.Script + "`"
	}
	p.m.Ledger.Decide(j.Name, answer, scriptQuestion, at, schema.FieldAt(p.f, n, "type"), p.lost(n, "source_directory"))
}

// findScript decides about a script that is not where the program says, or somewhere
// in a folder that it computes.
func (p *pipelineReader) findScript(j *Job, n *document.Node, f schema.Field) {
	named := schema.Slashes(f.Text)
	lost := p.lost(n, "source_directory")
	if same := slices.DeleteFunc(p.m.scripts.called(named), func(s string) bool { return s != named && !strings.HasSuffix(s, "/"+named) }); lost.Explicit && len(same) == 1 {
		j.Script, j.Code = same[0], cmp.Or(strings.TrimSuffix(strings.TrimSuffix(same[0], named), "/"), ".")
		answer, _ := p.m.decideScript(account.Question{ID: scriptQuestion, Scope: j.Name, Ask: "Which script does the step run?", Default: same[0], Example: same[0], Why: account.Place(lost) + " computes its folder; it is the only one of this name"})
		p.m.Ledger.Decide(j.Name, "`"+answer+"`", scriptQuestion, f, lost)
		if answer != "" && answer != same[0] {
			j.Script, j.Code = answer, "."
		}
		return
	}
	p.m.askStepScript(j, f)
}

// given reads the arguments, or the command, of a step that a program builds.
func (p *pipelineReader) given(j *Job, n *document.Node) {
	m := p.m
	if j.Step.Kind == "DataTransferStep" {
		p.copies(j)
		return
	}
	words := &j.Arguments
	args := schema.FieldAt(p.f, n, "arguments")
	if command := schema.FieldAt(p.f, n, "command"); command.Explicit && command.Node.IsSequence() {
		args, words = command, &j.Command
	}
	if lost := p.lost(n, "arguments"); lost.Explicit {
		p.askGiven(j, lost)
		return
	}
	if th := m.built[j.Source.File]; !args.Explicit && th != nil && th.InStep {
		nameData(j)
		for i, a := range j.Source.Arguments {
			word, open := m.openWord(j, a, i+1)
			if !open {
				word = m.word(j, a)
				m.Ledger.Map(j.Name, "an argument of the script", "", a)
			}
			j.Arguments = append(j.Arguments, word)
		}
		m.readData(j)
		return
	}
	for i, v := range items(args.Node) {
		f := schema.Field{File: p.f, Node: v, Explicit: true}
		word, open := m.openWord(j, f, i+1)
		switch {
		case open:
		case v.Tag == built.InputTag:
			word = Word{Part{Input: p.port(j.Inputs, v.Value)}}
		case v.Tag == built.OutputTag:
			word = Word{Part{Output: p.port(j.Outputs, v.Value)}}
		case v.Tag == built.ParameterTag:
			word = Word{Part{Input: p.takes(j, v.Value), Value: p.root.Get("parameters").Get(v.Value).Get("type").Text() == "string"}}
		case m.hidesIn(f):
			word = m.secretWord(j.Source, f)
		default:
			word = literal(argumentText(v))
		}
		*words = append(*words, word)
		if m.Ledger.Unknown(f) {
			m.Ledger.Map(j.Name, "an argument of the script", "", f)
		}
	}
}

// askGiven decides which arguments a script gets where the program computes them.
func (p *pipelineReader) askGiven(j *Job, lost schema.Field) {
	answer, open := p.m.Decide(account.Question{ID: "arguments", Scope: j.Name, Ask: "Which arguments does the script get?", Example: "'--epochs 3'", Why: account.Place(lost) + " computes them; `none` for none"})
	p.m.Ledger.Decide(j.Name, answer, "arguments", lost)
	switch {
	case open:
		j.Arguments = []Word{literal(account.Marker)}
	case answer != "none":
		for _, word := range commandWords(answer, nil) {
			j.Arguments = append(j.Arguments, literal(word))
		}
	}
}

// port returns the name that an input or output of a step has in v2.
func (p *pipelineReader) port(list []Data, name string) string {
	for _, d := range list {
		if d.Source.Name == name {
			return d.Name
		}
	}
	return name
}

// takes gives a step a parameter of the pipeline, once, and returns the name that it
// has there.
func (p *pipelineReader) takes(j *Job, name string) string {
	address := p.from(name)
	var taken []string
	for _, d := range slices.Concat(j.Inputs, j.Outputs) {
		if d.Address == address && d.Export == "" {
			return d.Name
		}
		taken = append(taken, d.Name)
	}
	j.Inputs = append(j.Inputs, Data{Name: unused(taken, p.input[name]), Address: address, Type: p.types[name]})
	return j.Inputs[len(j.Inputs)-1].Name
}

// copies makes a command of a step that copies data.
func (p *pipelineReader) copies(j *Job) {
	if len(j.Inputs) == 0 || len(j.Outputs) == 0 {
		p.m.Decide(account.Question{ID: scriptQuestion, Scope: j.Name, Ask: "Which script copies the data?", Example: "copy.py", Why: account.Name(p.f.Rel) + " copies to or from what is no folder of a datastore"})
		return
	}
	j.Command = []Word{literal("cp"), literal("-r"), {Part{Input: j.Inputs[0].Name}, Part{Text: "/."}}, {Part{Output: j.Outputs[0].Name}}}
	if j.Inputs[0].Type == "uri_file" {
		j.Command[2] = Word{Part{Input: j.Inputs[0].Name}}
	}
}

// wait lets steps wait for others that the program orders before them: v2 knows no
// order but that of data, so the earlier step makes an output that says it is done.
func (p *pipelineReader) wait(out *Pipeline) {
	step := func(name string) *Job {
		for _, j := range out.Steps {
			if j.Step.Name == p.names[name] {
				return j
			}
		}
		return nil
	}
	for _, e := range p.root.Get("steps").Resolve().Own() {
		later := step(e.Key.Value)
		for _, item := range items(e.Value.Get("run_after")) {
			earlier := step(item.Value)
			if later == nil || earlier == nil {
				continue
			}
			note := account.Note{For: later.Name, Disposition: account.Mapped, Result: "`inputs`: it takes data that the step makes"}
			prefix := "${{parent.jobs." + earlier.Step.Name + ".outputs."
			if !slices.ContainsFunc(later.Inputs, func(d Data) bool { return strings.HasPrefix(d.Address, prefix) }) {
				name := p.done(earlier)
				var taken []string
				for _, d := range slices.Concat(later.Inputs, later.Outputs) {
					taken = append(taken, d.Name)
				}
				in := Data{Name: unused(taken, "after_"+earlier.Step.Name), Address: prefix + name + "}}", Waits: true}
				later.Inputs = append(later.Inputs, in)
				note.Result, note.Why = "`inputs."+in.Name+"`", "v2 has no order but that of data"
			}
			p.m.Ledger.Node(note, item)
		}
	}
}

// done returns the output that says that a step is done.
func (p *pipelineReader) done(j *Job) string {
	var taken []string
	for _, d := range slices.Concat(j.Inputs, j.Outputs) {
		if d.Waits && strings.HasPrefix(d.Name, "done") {
			return d.Name
		}
		taken = append(taken, d.Name)
	}
	if j.Step.Parallel != nil && len(j.Outputs) > 0 {
		return j.Outputs[0].Name
	}
	j.Outputs = append(j.Outputs, Data{Name: unused(taken, "done"), Waits: true})
	return j.Outputs[len(j.Outputs)-1].Name
}

// outside reads data that a pipeline of a program is given.
func (p *pipelineReader) outside(out *Pipeline, in PipelineInput, name string, v *document.Node) PipelineInput {
	field := func(key string) schema.Field { return schema.FieldAt(p.f, v, key) }
	kind, version, lost := field("type"), field("dataset_version"), p.lost(v, "value")
	in.Type = kind.Text
	p.m.Ledger.Map(out.Name, "`inputs."+in.Name+"`", "", kind, version)
	for _, key := range []string{"dataset_name", "uri"} {
		if open := p.lost(v, key); open.Explicit {
			lost = open
		}
	}
	switch dataset := field("dataset_name"); {
	case v.Get("datastore") != nil && v.Get("path_on_datastore") != nil && v.Get("path_on_datastore").Tag == "!!str":
		if in.Address = onDatastore(v); in.Type == "" || in.Type == "mltable" {
			in.Type = p.askType(out, name, v)
		}
		p.m.Ledger.Map(out.Name, "`inputs."+in.Name+"`", "", field("datastore"), field("path_on_datastore"))
	case plainText(dataset.Node):
		in.Address = "azureml:" + dataset.Text + "@latest"
		if version.Explicit {
			in.Address = "azureml:" + dataset.Text + ":" + version.Text
		}
		if in.Type == "" {
			in.Type, _ = p.m.Decide(account.Question{ID: "data-type", Scope: out.Name, Ask: "Are the datasets files or tables?", Default: "uri_folder", Choices: []string{"uri_folder", "uri_file", "mltable"},
				Why: "a v1 FileDataset is a uri_folder now, a TabularDataset an mltable; the program does not say which it is"})
		}
		p.m.Ledger.Map(out.Name, "`inputs."+in.Name+"`", "", dataset)
	case plainText(v.Get("uri")):
		if in.Address = v.Get("uri").Text(); in.Type == "" {
			in.Type = "uri_file"
		}
		p.m.Ledger.Map(out.Name, "`inputs."+in.Name+"`", "", field("uri"))
	default:
		id := "data-" + in.Name
		in.Address, in.Open = p.m.Decide(account.Question{ID: id, Scope: out.Name, Ask: "Where is the data " + name + "?", Example: "azureml:NAME@latest", Why: account.Place(schema.Field{File: p.f, Node: cmp.Or(lost.Node, v)}) + " computes it"})
		p.m.Ledger.Decide(out.Name, in.Address, id, lost)
		if in.Open {
			in.Address = "azureml:" + account.Marker + "@latest"
		}
	}
	p.types[name] = in.Type
	return in
}
