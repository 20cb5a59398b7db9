package built

import (
	"slices"

	"github.com/amlfix/amlfix/schema/document"
)

// parallelParameters are the parameters of ParallelRunConfig that say how work is split, in order.
var parallelParameters = []string{
	"environment", "entry_script", "error_threshold", "output_action", "compute_target", "node_count", "process_count_per_node", "mini_batch_size", "source_directory", "description",
	"logging_level", "run_invocation_timeout", "run_max_try", "append_row_file_name", "allowed_failed_count", "allowed_failed_percent", "partition_keys", "environment_variables",
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

// starts reads a step that runs a job; that job is then no longer a job of its own.
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

// thing returns the surroundings of a step, cached by object.
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
				if given, ok := p.given(o.call, "default_value", 1); ok { // v2 accepts no parameter there
					v = given
				}
			}
			p.put(n, "parallel."+parameter, v, true)
		}
	}
}
