package built

import (
	"maps"
	"slices"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/python"
)

// stepParameters are the positional parameters of the steps in azureml-pipeline-steps 1.60, in order.
func stepParameters() map[string][]string {
	return map[string][]string{
		"PythonScriptStep": {"script_name", "name", "arguments", "compute_target", "runconfig", "runconfig_pipeline_params", "inputs", "outputs", "params", "source_directory", "allow_reuse", "version", "hash_paths"},
		"CommandStep":      {"command", "name", "compute_target", "runconfig", "runconfig_pipeline_params", "inputs", "outputs", "params", "source_directory", "allow_reuse", "version"},
		"EstimatorStep":    {"name", "estimator", "estimator_entry_script_arguments", "runconfig_pipeline_params", "inputs", "outputs", "compute_target", "allow_reuse", "version"},
		"HyperDriveStep":   {"name", "hyperdrive_config", "estimator_entry_script_arguments", "inputs", "outputs", "metrics_output", "allow_reuse", "version"},
		"ParallelRunStep":  {"name", "parallel_run_config", "inputs", "output", "side_inputs", "arguments", "allow_reuse"},
		"MpiStep":          {"name", "source_directory", "script_name", "arguments", "compute_target", "node_count", "process_count_per_node", "inputs", "outputs", "allow_reuse", "version", "hash_paths"},
		"DataTransferStep": {"name", "source_data_reference", "destination_data_reference", "compute_target", "source_reference_type", "destination_reference_type", "allow_reuse"},
		"DatabricksStep":   {"name", "inputs", "outputs"},
		"AutoMLStep":       {"name", "automl_config", "inputs", "outputs", "script_repl_params", "allow_reuse", "version", "hash_paths"},
	}
}

// stepWords are the parameters that are read of every step.
var stepWords = []string{"name", "script_name", "allow_reuse", "runconfig", "runconfig_pipeline_params", "version", "hash_paths", "metrics_output", "source_directory", "compute_target", "inputs", "side_inputs", "outputs", "output", "arguments", "command", "params"}

// at returns the position of a step's parameter, or -1 if it can only be given by name.
func at(class, name string) int { return slices.Index(stepParameters()[class], name) }

// wordParameters are the parameters with the arguments of a step's script, or its command.
var wordParameters = []string{"arguments", "estimator_entry_script_arguments", "command"}

// given returns the value of such a parameter, or nil. A CommandStep without a command has that of its ScriptRunConfig.
func (p *pipe) given(o *object, name string) []python.Token {
	t := p.argument(o.call, name, at(o.class, name))
	if t == nil && name == "command" && o.class == "CommandStep" {
		if c := p.arg(o.call, "runconfig", at(o.class, "runconfig")).object; c != nil && c.base == nil && c.class == "ScriptRunConfig" {
			t = p.argument(c.call, name, commandPlace)
		}
	}
	return t
}

// passed returns the arguments of a step's script.
func (p *pipe) passed(o *object) [][]python.Token {
	for _, name := range wordParameters {
		if t := p.given(o, name); t != nil {
			items, _ := p.items(t)
			return items
		}
	}
	return nil
}

// step describes a step.
func (p *pipe) step(o *object) *document.Node {
	n := mapping(o.tokens)
	put(n, "type", scalar("!!str", o.class, o.tokens[:1]))
	for _, name := range []string{"name", "script_name", "allow_reuse"} {
		p.take(n, name, o.call, name, at(o.class, name))
	}
	for _, name := range []string{"runconfig_pipeline_params", "version", "hash_paths", "metrics_output"} {
		p.open(n, o.call, name, at(o.class, name))
	}
	folder := p.arg(o.call, "source_directory", at(o.class, "source_directory"))
	if folder.absent() && o.class != "EstimatorStep" && o.class != "HyperDriveStep" && o.class != "ParallelRunStep" {
		folder = p.arg(p.th.object.call, "default_source_directory", 4)
	}
	p.put(n, "source_directory", folder)
	p.runsIn(n, o)
	p.bind(n, o)
	p.arguments(n, o)
	p.variables(n, o)
	if _, known := stepParameters()[o.class]; !known || o.class == "DatabricksStep" {
		for _, name := range slices.Sorted(maps.Keys(o.call.Keywords)) {
			if !slices.Contains(stepWords, name) {
				p.open(n, o.call, name, -1)
			}
		}
	}
	if waits := p.after[place(o)]; len(waits) > 0 {
		names := list(o.tokens[:1])
		for _, earlier := range waits {
			attach(names, scalar("!!str", p.names[earlier], o.tokens[:1]))
		}
		add(n, key("run_after", n), names)
	}
	return n
}

// arguments reads the arguments of a step's script, or its command.
func (p *pipe) arguments(n *document.Node, o *object) {
	for _, name := range wordParameters {
		t := p.given(o, name)
		if t == nil {
			continue
		}
		to := "arguments"
		if name == "command" {
			to = name
		}
		items, ok := p.items(t)
		if !ok {
			v := p.eval(t, 0)
			if v.literal != nil && v.literal.Tag() == "!!null" {
				continue
			}
			if v.literal != nil && v.literal.Kind != document.Scalar {
				v = value{tokens: t}
			}
			p.put(n, to, v)
			continue
		}
		words := list(t)
		for _, item := range items {
			attach(words, p.word(n, item))
		}
		add(n, key(to, n), words)
	}
}

// word returns one argument: a literal, or a placeholder for data or a parameter.
func (p *pipe) word(n *document.Node, t []python.Token) *document.Node {
	in, ok := p.port(t)
	if !ok {
		if _, _, _, is := p.elsewhere(t, ""); is && t[1].Text == "." { // not one of several, which steps may create
			return scalar(InputTag, p.unknown(n, t), t)
		}
		v := p.eval(t, 0)
		if v.literal != nil && v.literal.Kind != document.Scalar {
			v = value{tokens: t}
		}
		return asText(p.node(v))
	}
	word := scalar(InputTag, "", t)
	made := p.made[place(in.from)]
	for _, e := range n.Get("outputs").Own() {
		if !in.read && made != "" && e.Value.Get("destination").Text() == made {
			word.SetTag(OutputTag)
			word.Value = e.Key.Value
			return word
		}
	}
	if in.from.class == "PipelineParameter" && p.param.Get(p.source(in)).Get("type").Text() != "datapath" {
		word.SetTag(ParameterTag)
		word.Value = p.source(in)
		return word
	}
	word.Value = p.input(n, in)
	return word
}

// asText returns an argument as azureml-pipeline-core 1.60 passes it, which calls str: True rather than true.
func asText(n *document.Node) *document.Node {
	if n.Tag() == "!!bool" {
		n.SetTag("!!str")
		n.Value = map[string]string{"true": "True", "false": "False"}[n.Value]
	}
	return n
}

// variables reads the parameters that a step receives as environment variables.
func (p *pipe) variables(n *document.Node, o *object) {
	v := p.arg(o.call, "params", at(o.class, "params"))
	if v.absent() {
		return
	}
	t := p.written(v.tokens)
	dict := p.node(v)
	c, read := python.CallAt(t, 0)
	if dict.Kind != document.Mapping || !read || len(c.Positional) != len(dict.Entries()) {
		put(n, "params", p.node(value{tokens: v.tokens}))
		return
	}
	to := p.section(n, "parameters")
	for i, e := range dict.Entries() {
		value := e.Value
		colon := colon(c.Positional[i])
		if in, ok := p.port(c.Positional[i][colon+1:]); ok && in.from.class == "PipelineParameter" {
			value = mapping(c.Positional[i][colon+1:])
			put(value, "source", scalar("!!str", p.source(in), c.Positional[i][colon+1:]))
		}
		add(to, e.Key, value)
	}
}
