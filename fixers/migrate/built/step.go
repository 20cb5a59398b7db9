package built

import (
	"slices"
	"strconv"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/python"
)

// stepParameters are those of the steps of azureml-pipeline-steps 1.60 that may be
// given by place, in their order.
var stepParameters = map[string][]string{
	"PythonScriptStep": {"script_name", "name", "arguments", "compute_target", "runconfig", "runconfig_pipeline_params", "inputs", "outputs", "params", "source_directory", "allow_reuse", "version", "hash_paths"},
	"CommandStep":      {"command", "name", "compute_target", "runconfig", "runconfig_pipeline_params", "inputs", "outputs", "params", "source_directory", "allow_reuse", "version"},
	"EstimatorStep":    {"name", "estimator", "estimator_entry_script_arguments", "runconfig_pipeline_params", "inputs", "outputs", "compute_target", "allow_reuse", "version"},
	"HyperDriveStep":   {"name", "hyperdrive_config", "estimator_entry_script_arguments", "inputs", "outputs", "metrics_output", "allow_reuse", "version"},
	"ParallelRunStep":  {"name", "parallel_run_config", "inputs", "output", "side_inputs", "arguments", "allow_reuse"},
	"DataTransferStep": {"name", "source_data_reference", "destination_data_reference", "compute_target", "source_reference_type", "destination_reference_type", "allow_reuse"},
	"DatabricksStep":   {"name", "inputs", "outputs"},
}

// parallelParameters are those of ParallelRunConfig that say how the work is split, in
// their order.
var parallelParameters = []string{
	"environment", "entry_script", "error_threshold", "output_action", "compute_target", "node_count", "process_count_per_node", "mini_batch_size", "source_directory", "description",
	"logging_level", "run_invocation_timeout", "run_max_try", "append_row_file_name", "allowed_failed_count", "allowed_failed_percent", "partition_keys", "environment_variables",
}

// at returns the place of a parameter of a step; -1 for one that is only given by name.
func at(class, name string) int { return slices.Index(stepParameters[class], name) }

// passed returns the arguments of a step's script.
func (p *pipe) passed(o *object) [][]python.Token {
	for _, name := range []string{"arguments", "estimator_entry_script_arguments", "command"} {
		if t := argument(o.call, name, at(o.class, name)); t != nil {
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
		v, ok := p.given(o.call, name, at(o.class, name))
		p.put(n, name, v, ok)
	}
	for _, name := range []string{"runconfig_pipeline_params", "version", "hash_paths", "metrics_output"} {
		p.open(n, o.call, name, at(o.class, name))
	}
	folder, ok := p.given(o.call, "source_directory", at(o.class, "source_directory"))
	if !ok && o.class != "EstimatorStep" && o.class != "HyperDriveStep" && o.class != "ParallelRunStep" {
		folder, ok = p.given(p.th.object.call, "default_source_directory", 4)
	}
	p.put(n, "source_directory", folder, ok)
	p.runsIn(n, o)
	p.bind(n, o)
	p.arguments(n, o)
	p.variables(n, o)
	if waits := p.after[place(o)]; len(waits) > 0 {
		names := list(o.tokens[:1])
		for _, earlier := range waits {
			item := scalar("!!str", p.names[earlier], o.tokens[:1])
			item.Parent = names
			names.Items = append(names.Items, item)
		}
		add(n, key("run_after", n), names)
	}
	return n
}

// runsIn reads where a step runs, and in what.
func (p *pipe) runsIn(n *document.Node, o *object) {
	name := p.names[place(o)]
	switch o.class {
	case "EstimatorStep", "HyperDriveStep":
		v, ok := p.given(o.call, "estimator", at(o.class, "estimator"))
		if o.class == "HyperDriveStep" {
			v, ok = p.given(o.call, "hyperdrive_config", 1)
			if ok && v.object != nil && isSweep(v.object) {
				v, ok = p.sweeps(v.object)
			}
		}
		p.starts(n, name, v, ok)
	case "ParallelRunStep":
		p.parallel(n, name, o)
	default:
		v, ok := p.given(o.call, "runconfig", at(o.class, "runconfig"))
		switch {
		case ok && v.object != nil && v.object.class == "ScriptRunConfig":
			p.starts(n, name, v, ok)
		case ok:
			p.surroundings(n, name, v)
		}
	}
	v, ok := p.given(o.call, "compute_target", at(o.class, "compute_target"))
	p.runsOn(n, v, ok)
}

// runsOn reads the compute target of a step.
func (p *pipe) runsOn(n *document.Node, v value, ok bool) {
	if !ok {
		return
	}
	if target := p.compute(v); target != nil {
		name := clone(target)
		name.Span = scalar("!!str", "", v.tokens).Span
		name.Properties = name.Span.Start
		put(n, "compute", name)
		return
	}
	put(n, "compute", p.node(value{tokens: v.tokens}))
}

// starts reads a step that runs what a job of its own would: the job is then none.
func (p *pipe) starts(n *document.Node, name string, v value, ok bool) {
	if !ok || v.object == nil || v.object.base != nil {
		if ok {
			put(n, "runconfig", p.node(value{tokens: v.tokens}))
		}
		return
	}
	if th := p.make(v.object); th != nil && th.Kind == Job {
		th.InStep, p.th.Steps[name] = true, th
	}
}

// surroundings reads the run configuration of a step.
func (p *pipe) surroundings(n *document.Node, name string, v value) {
	o := v.object
	switch {
	case o == nil || o.base != nil || o.class != "RunConfiguration":
		put(n, "runconfig", p.node(value{tokens: v.tokens}))
	case o.method == "load":
		folder, file := p.text(o.call, "path", 0), p.text(o.call, "name", 1)
		if file != "" {
			folder += "/.azureml/" + file
		}
		put(n, "runconfig", scalar("!!str", folder, v.tokens))
	case o.method == "":
		th := p.thing(o)
		if p.th.Steps[name] = th; len(th.Root.Entries) == 0 {
			p.readConfig(th, o)
		}
	default:
		put(n, "runconfig", p.node(value{tokens: v.tokens}))
	}
}

// thing returns what stands for the surroundings of a step, once for each object.
func (b *builder) thing(o *object) *Thing {
	at := place(o)
	if i := slices.IndexFunc(b.things, func(t *Thing) bool { return t.Kind == Surroundings && t.At.Start == at }); i >= 0 {
		return b.things[i]
	}
	n := mapping(o.tokens)
	th := &Thing{Kind: Surroundings, Of: o.name, At: n.Span, object: o, Root: n}
	if th.Of == "" {
		th.Of = o.class
	}
	b.things = append(b.things, th)
	return th
}

// parallel reads a step that splits its work.
func (p *pipe) parallel(n *document.Node, name string, o *object) {
	v, ok := p.given(o.call, "parallel_run_config", 1)
	c := v.object
	if !ok || c == nil || c.base != nil || c.class != "ParallelRunConfig" || c.method != "" {
		if ok {
			put(n, "parallel_run_config", p.node(value{tokens: v.tokens}))
		}
		return
	}
	th := p.thing(c)
	p.th.Steps[name] = th
	fresh := len(th.Root.Entries) == 0
	for place, parameter := range parallelParameters {
		v, ok := p.given(c.call, parameter, place)
		if !ok {
			continue
		}
		switch parameter {
		case "entry_script":
			p.put(n, "script_name", v, true)
		case "source_directory":
			p.put(n, "source_directory", v, true)
		case "compute_target":
			p.runsOn(n, v, true)
		case "environment":
			if fresh {
				p.useEnvironment(th, v, true)
			}
		case "environment_variables":
			if fresh {
				p.put(th.Root, "environmentVariables", v, true)
			}
		default:
			if o := v.object; o != nil && o.class == "PipelineParameter" {
				if given, ok := p.given(o.call, "default_value", 1); ok { // v2 takes no parameter there
					v = given
				}
			}
			p.put(n, "parallel."+parameter, v, true)
		}
	}
}

// bind reads the inputs and outputs of a step.
func (p *pipe) bind(n *document.Node, o *object) {
	for _, name := range []string{"inputs", "side_inputs", "source_data_reference"} {
		t := argument(o.call, name, at(o.class, name))
		if t == nil {
			continue
		}
		items, ok := p.items(t)
		if _, one := p.port(t); one || !ok {
			items = [][]python.Token{t}
		}
		for _, item := range items {
			if in, ok := p.port(item); ok {
				p.input(n, in)
			} else if v := p.eval(item, 0); v.literal == nil || v.literal.Tag != "!!null" {
				p.unknown(n, item)
			}
		}
	}
	for _, out := range p.outgoing(o) {
		p.output(n, out)
	}
}

// input gives a step an input, and returns its name.
func (p *pipe) input(n *document.Node, in port) string {
	source := p.source(in)
	inputs := p.section(n, "inputs")
	for _, e := range inputs.Entries {
		if e.Value.Get("source").Text() == source {
			return e.Key.Value
		}
	}
	one := mapping(in.tokens)
	put(one, "source", scalar("!!str", source, in.tokens))
	if in.mode == "download" || in.mode == "mount" {
		put(one, "bind_mode", scalar("!!str", in.mode, in.tokens))
	}
	name := in.name
	for k := 2; inputs.Get(name) != nil || n.Get("outputs").Get(name) != nil; k++ {
		name = in.name + "_" + strconv.Itoa(k)
	}
	add(inputs, key(name, one), one)
	return name
}

// unknown gives a step an input that the program computes.
func (p *pipe) unknown(n *document.Node, t []python.Token) {
	name := p.free("input_" + strconv.Itoa(len(p.data.Entries)+1))
	one := mapping(t)
	add(one, key("value (not a literal)", one), p.node(value{tokens: t}))
	add(p.data, key(name, one), one)
	in := mapping(t)
	put(in, "source", scalar("!!str", name, t))
	add(p.section(n, "inputs"), key(name, in), in)
}

// output gives a step an output.
func (p *pipe) output(n *document.Node, out port) {
	one := mapping(out.tokens)
	put(one, "destination", scalar("!!str", p.made[place(out.from)], out.tokens))
	c := out.from.call
	if out.from.class == "PipelineData" {
		if v, ok := p.given(c, "datastore", 1); ok {
			p.store(one, v)
		}
		v, ok := p.given(c, "output_mode", 3)
		p.put(one, "bind_mode", v, ok)
	} else if t := argument(c, "destination", 1); t != nil {
		if items, ok := p.items(t); ok && len(items) > 0 {
			p.store(one, p.eval(items[0], 0))
			if len(items) > 1 {
				p.put(one, "path", p.eval(items[1], 0), true)
			}
		} else {
			put(one, "destination_path", p.node(value{tokens: t}))
		}
	}
	if out.mode != "" {
		put(one, "bind_mode", scalar("!!str", out.mode, out.tokens))
	}
	add(p.section(n, "outputs"), key(out.name, one), one)
}

// store reads the datastore of an output.
func (p *pipe) store(n *document.Node, v value) {
	if name := p.datastore(v); name != nil {
		put(n, "datastore", name)
		return
	}
	put(n, "datastore", p.node(value{tokens: v.tokens}))
}

// section returns a mapping of a step, which is made when it is first needed.
func (p *pipe) section(n *document.Node, name string) *document.Node {
	if found := n.Get(name); found != nil {
		return found
	}
	found := mapping(p.th.object.tokens[:1])
	found.Span = n.Span
	add(n, key(name, n), found)
	return found
}

// arguments reads what the script of a step is given, or its command.
func (p *pipe) arguments(n *document.Node, o *object) {
	for _, name := range []string{"arguments", "estimator_entry_script_arguments", "command"} {
		t := argument(o.call, name, at(o.class, name))
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
			if v.literal != nil && v.literal.Tag == "!!null" {
				continue
			}
			if v.literal != nil && v.literal.Kind != document.Scalar {
				v = value{tokens: t}
			}
			p.put(n, to, v, true)
			continue
		}
		words := list(t)
		for _, item := range items {
			word := p.word(n, item)
			word.Parent = words
			words.Items = append(words.Items, word)
		}
		add(n, key(to, n), words)
	}
}

// word returns one argument: a literal, or what stands for data or a parameter.
func (p *pipe) word(n *document.Node, t []python.Token) *document.Node {
	in, ok := p.port(t)
	if !ok {
		v := p.eval(t, 0)
		if v.literal != nil && v.literal.Kind != document.Scalar {
			v = value{tokens: t}
		}
		return p.node(v)
	}
	word := scalar(InputTag, "", t)
	made := p.made[place(in.from)]
	for _, e := range n.Get("outputs").Own() {
		if !in.read && made != "" && e.Value.Get("destination").Text() == made {
			word.Tag, word.Value = OutputTag, e.Key.Value
			return word
		}
	}
	if in.from.class == "PipelineParameter" && !p.isPath(in) {
		word.Tag, word.Value = ParameterTag, p.source(in)
		return word
	}
	word.Value = p.input(n, in)
	return word
}

// isPath reports whether a parameter of the pipeline is data.
func (p *pipe) isPath(in port) bool {
	return p.param.Get(p.source(in)).Get("type").Text() == "datapath"
}

// variables reads the parameters that a step gets as environment variables.
func (p *pipe) variables(n *document.Node, o *object) {
	v, ok := p.given(o.call, "params", at(o.class, "params"))
	if !ok {
		return
	}
	t := p.written(v.tokens)
	dict := p.node(v)
	c, read := python.CallAt(t, 0)
	if dict.Kind != document.Mapping || !read || len(c.Positional) != len(dict.Entries) {
		put(n, "params", p.node(value{tokens: v.tokens}))
		return
	}
	to := p.section(n, "parameters")
	for i, e := range dict.Entries {
		value := e.Value
		colon := slices.IndexFunc(c.Positional[i], func(k python.Token) bool { return k.Text == ":" && k.Kind == python.Operator })
		if in, ok := p.port(c.Positional[i][colon+1:]); ok && in.from.class == "PipelineParameter" {
			value = mapping(c.Positional[i][colon+1:])
			put(value, "source", scalar("!!str", p.source(in), c.Positional[i][colon+1:]))
		}
		add(to, e.Key, value)
	}
}
