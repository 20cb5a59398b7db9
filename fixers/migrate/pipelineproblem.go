package migrate

import (
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/secret"
)

// pipelineKeys are the keys that Pipeline.load_yaml reads in a pipeline, and stepKeys those in a PythonScriptStep.
// Source: azureml-pipeline-core 1.62 azureml/pipeline/core/_pipeline_yaml_parser.py.
var (
	pipelineKeys = []string{"name", "description", "parameters", "data_references", "default_compute", "steps"}
	stepKeys     = []string{"type", "python_script_step", "name", "script_name", "source_directory", "compute", "runconfig", "arguments", "parameters", "inputs", "outputs", "allow_reuse", "version", "hash_paths"}
	bindingKeys  = []string{"source", "destination", "type", "bind_mode", "path_on_compute", "overwrite", "datastore", "as_dataset"}
)

// stepOpens are keys of a step that have no counterpart and change what it does.
var stepOpens = []string{"runconfig_parameters", "side_inputs", "module", "parallel_run_step", "adla_step", "data_transfer_step", "databricks_step", "azurebatch_step"}

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
	for _, v := range n.Get("arguments").List() {
		if v = v.Resolve(); v.Kind != document.Scalar || open(v) {
			return v, "has an argument that is filled in before it is used, or contains a secret"
		}
	}
	for _, e := range n.Get("parameters").Resolve().Own() {
		if v := e.Value.Resolve(); !IsVariable(e.Key.Value) || v.Get("source") == nil && (v.Kind != document.Scalar || open(v) || secret.Variable(e.Key.Value, v.Text())) {
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
