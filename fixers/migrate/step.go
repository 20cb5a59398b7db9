package migrate

import (
	"cmp"
	"path"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
)

// step reads a step of a pipeline: its script is in the pipeline, its environment in its run configuration.
func (p *pipelineReader) step(out *Pipeline, name string, n *document.Node) *Job {
	m, own := p.m, below(n)
	field := func(at *document.Node, key string) schema.Field { return schema.FieldAt(p.f, at, key) }
	s := p.surroundings(out, name)
	j := &Job{Name: m.uniqueName(out.Name + "-" + p.names[name]), Source: s, Nodes: 1, Interpreter: "python", Place: OnTarget, Step: &Step{Name: p.names[name], Label: own.Get("name").Text(), Kind: n.Get("type").Text()}}
	if !p.foreign(j) {
		m.Ledger.Map(j.Name, cmp.Or(stepWords()[j.Step.Kind], "a command in the pipeline"), "", field(n, "type"))
	}
	if m.Ledger.Map(j.Name, "a command in the pipeline", "", field(own, "source_directory")); !p.foreign(j) {
		m.Ledger.Map(j.Name, "a command in the pipeline", "", field(own, "script_name"))
	}
	m.Ledger.Map(j.Name, "`display_name`", "", field(own, "name"))
	if m.built[p.f] != nil {
		p.runs(j, n)
	} else if j.Code, j.Script = p.code(schema.Slashes(own.Get("source_directory").Text()), schema.Slashes(own.Get("script_name").Text())); !m.has(j.Script) {
		m.askStepScript(j, field(own, "script_name"))
	} else {
		p.askInstead(j, field(own, "source_directory"))
	}
	p.compute(out, j, n)
	if !j.Lost.Explicit {
		m.Ledger.Map(j.Name, "its environment; see its own keys", "", field(n, "runconfig"), s.EnvironmentPath)
	}
	if t := s.Target; t != nil {
		j.GPU = t.GPU()
	}
	j.Variables = m.variables(j)
	m.readScale(j)
	p.bind(j, n)
	p.pass(j, n)
	m.readDatasets(j)
	if reuse := field(own, "allow_reuse"); reuse.Explicit {
		out.Reruns = out.Reruns || strings.EqualFold(reuse.Text, "false")
		m.Ledger.Map(j.Name, "`settings.force_rerun` of the whole pipeline", "", reuse)
	}
	if m.built[p.f] == nil {
		m.tellUnread(p.f, n, pipelineReads, stepKeys...)
	}
	return j
}

// stepWords says what steps other than commands become.
func stepWords() map[string]string {
	return map[string]string{"HyperDriveStep": "a sweep in the pipeline", "ParallelRunStep": "a parallel step in the pipeline"}
}

// surroundings returns what a step runs in.
func (p *pipelineReader) surroundings(out *Pipeline, name string) *schema.Job {
	if s := p.configs[name]; s != nil {
		p.m.source(s)
		if th := p.m.built[s.File]; th == nil || !th.InStep {
			p.m.Ledger.Drop(out.Name, "the step sets its own value", s.Script)
		}
		return s
	}
	all := p.m.Project.RunConfigurations()
	for _, s := range all {
		if s.File.Rel == p.f.Rel+account.PartEnding {
			return s
		}
	}
	return all[0]
}

// code finds the folder of a step, which is relative to the project's folder, where the pipeline was started, or to the
// pipeline's own.
func (p *pipelineReader) code(folder, script string) (code, file string) {
	for _, from := range []string{".", p.f.Dir()} {
		if code = path.Join(from, folder); p.m.has(path.Join(code, script)) {
			return code, path.Join(code, script)
		}
	}
	for _, from := range []string{".", p.f.Dir()} {
		if code = path.Join(from, folder); p.m.Project.Folder(code) {
			return code, path.Join(code, script)
		}
	}
	return ".", path.Clean(script)
}

// askStepScript asks about a missing script.
func (m *Migration) askStepScript(j *Job, f schema.Field) {
	missing := j.Script
	q := account.Question{ID: scriptQuestion, Scope: j.Name, Ask: "Which script does the job run?", Example: missing,
		Why: account.Place(f) + " names " + account.Name(missing) + ", which is not in the project's folder; give the same name again if it will be"}
	m.proposeCopied(&q, f.File.Rel, missing)
	answer, open := m.decideScript(q, missing)
	if j.Missing = open; !open {
		j.Script = answer
	}
	m.Ledger.Decide(j.Name, "`"+j.Script+"`", scriptQuestion, f)
}

// compute sets where a step runs.
func (p *pipelineReader) compute(out *Pipeline, j *Job, n *document.Node) {
	f := schema.FieldAt(p.f, n, "compute")
	common := schema.FieldAt(p.f, p.root, "default_compute")
	if !f.Explicit {
		f = common
	}
	if !f.Explicit {
		f = j.Source.TargetName
	}
	p.m.Ledger.Map(out.Name, "`compute` of each step", "", common)
	if own := j.Source.TargetName; f.Node != own.Node {
		p.m.Ledger.DropRest(out.Name, "the step sets its own value", own)
	}
	if f.Explicit && plainText(f.Node) && f.Text != "local" && f.Text != "amlcompute" && !p.elsewhere(j) {
		j.Target = f.Text
		p.m.Ledger.Map(j.Name, "`compute: azureml:"+j.Target+"`", "", f)
		return
	}
	q := account.Question{ID: "target", Scope: j.Name, Ask: "On which compute target does the job run?", Example: "cpu-cluster", Why: account.Name(p.f.Rel) + " gives no compute target of a workspace for this step"}
	lost := p.lost(n, "compute")
	if !f.Explicit && !lost.Explicit {
		lost = p.m.lost(j, "target")
	}
	switch {
	case p.elsewhere(j):
		if lost.Explicit {
			f = lost
		}
		q.Why = "a " + j.Step.Kind + " did not run on a compute target that exists in v2"
	case lost.Explicit:
		f, q.Why = lost, ""
		q = p.m.Computed(q, lost)
	}
	answer, _ := p.m.Decide(&q)
	j.Target = cmp.Or(answer, account.Marker)
	p.m.Ledger.Decide(j.Name, "`compute: azureml:"+j.Target+"`", "target", f)
}

// bind reads the inputs and outputs of a step.
func (p *pipelineReader) bind(j *Job, n *document.Node) {
	taken := identifiers()
	named := func(name string) string { return taken.Take(strings.ToLower(identifier(name))) }
	for _, side := range []string{"outputs", "inputs"} { // other steps name the outputs
		for _, e := range n.Get(side).Resolve().Own() {
			v := e.Value.Resolve()
			f := func(key string) schema.Field { return schema.FieldAt(p.f, v, key) }
			d := Data{Name: named(e.Key.Value), Mode: strings.ToLower(cmp.Or(v.Get("bind_mode").Text(), v.Get("type").Text(), "mount")), Source: schema.Data{Name: e.Key.Value}}
			d.Export = "AZUREML_DATAREFERENCE_" + e.Key.Value
			if !IsVariable(d.Export) || !p.m.scripts.mentions(j.Script, d.Export) {
				d.Export = ""
			}
			if side == "inputs" {
				d.Address, d.Type = p.from(v.Get("source").Text()), p.types[v.Get("source").Text()]
				if d.Type == "mltable" && v.Get("bind_mode") == nil && p.m.built[p.f] != nil && j.Step.Parallel == nil {
					d.Mode = "direct" // as_named_input alone passes the dataset itself
				}
				j.Inputs = append(j.Inputs, d)
			} else {
				p.trained(j, &d, v.Get("training_output"))
				d.Address, d.Source.Register = p.placed(v, d.Name), f("register")
				if d.Address == "" {
					p.m.Ledger.Drop(j.Name, "the program computes its datastore, so the service chooses the location", f("path"))
				}
				j.Outputs = append(j.Outputs, d)
			}
			p.m.Ledger.Map(j.Name, "`"+side+"."+d.Name+"`", "", account.Fields(p.f, v, "source", "destination", "type", "bind_mode", "datastore")...)
			p.m.Ledger.MapRest(j.Name, "`"+side+"."+d.Name+"`", "", f("path"))
			p.m.Ledger.Drop(j.Name, "the service chooses the location and passes it to the script", account.Fields(p.f, v, "path_on_compute", "overwrite", "as_dataset")...)
			if p.m.built[p.f] == nil {
				p.m.tellUnread(p.f, v, pipelineReads, bindingKeys...)
			}
		}
	}
	for _, e := range n.Get("parameters").Resolve().Own() {
		variable := "AML_PARAMETER_" + e.Key.Value
		if from := e.Value.Get("source"); from != nil {
			j.Inputs = append(j.Inputs, Data{Name: named(e.Key.Value), Address: p.from(from.Text()), Type: p.types[from.Text()], Export: variable})
		} else {
			j.Variables = append(j.Variables, Variable{Name: variable, Value: e.Value.Resolve().Text(), Source: schema.FieldAt(p.f, n.Get("parameters"), e.Key.Value)})
		}
		p.m.Ledger.Node(account.Note{For: j.Name, Disposition: account.Mapped, Result: "`" + variable + "`, as in SDK v1"}, e.Value)
	}
}

// from returns the v2 expression for what a step takes.
func (p *pipelineReader) from(source string) string {
	if in := p.input[source]; in != "" {
		return "${{parent.inputs." + in + "}}"
	}
	made := p.made[source]
	taken, name := identifiers(), ""
	for _, e := range p.root.Get("steps").Get(made[0]).Get("outputs").Resolve().Own() { // as in bind
		if name = taken.Take(strings.ToLower(identifier(e.Key.Value))); e.Key.Value == made[1] {
			break
		}
	}
	return "${{parent.jobs." + p.names[made[0]] + ".outputs." + name + "}}"
}

// placed returns where an output is kept, or "" if the service may choose.
func (p *pipelineReader) placed(v *document.Node, name string) string {
	store, at := schema.FieldAt(p.f, v, "datastore"), schema.FieldAt(p.f, v, "path")
	switch {
	case !store.Explicit:
		return ""
	case at.Explicit && at.Text != "":
		return OnStore(store.Text, ofRun(schema.Slashes(at.Text), name))
	}
	return "azureml://datastores/" + store.Text + "/paths/azureml/${{name}}/" + name + "/"
}

// pass reads the arguments of a step: input:NAME and output:NAME are paths, in YAML.
func (p *pipelineReader) pass(j *Job, n *document.Node) {
	if p.m.built[p.f] != nil {
		p.given(j, n)
		return
	}
	ports := map[string]Part{}
	for _, d := range j.Inputs {
		if d.Source.Name != "" {
			ports["input:"+d.Source.Name] = Part{Input: d.Name}
		}
	}
	for _, d := range j.Outputs {
		ports["output:"+d.Source.Name] = Part{Output: d.Name}
	}
	for _, v := range n.Get("arguments").List() {
		word := literal(argumentText(v))
		if port, ok := ports[v.Text()]; ok {
			word = Word{port}
		}
		j.Arguments = append(j.Arguments, word)
	}
	p.m.Ledger.Map(j.Name, "an argument of the script", "", schema.FieldAt(p.f, n, "arguments"))
}
