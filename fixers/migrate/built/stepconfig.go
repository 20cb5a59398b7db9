package built

import (
	"cmp"
	"slices"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/python"
)

// parallelParameters are the parameters of ParallelRunConfig that say how work is split, in order.
var parallelParameters = []string{
	"environment", "entry_script", "error_threshold", "output_action", "compute_target", "node_count", "process_count_per_node", "mini_batch_size", "source_directory", "description",
	"logging_level", "run_invocation_timeout", "run_max_try", "append_row_file_name", "allowed_failed_count", "allowed_failed_percent", "partition_keys", "environment_variables",
}

// ParallelParameter ends the key of a parameter of the pipeline in the settings of a parallel step.
const ParallelParameter = " of the parallel step"

// runsIn reads where a step runs, and in what.
func (p *pipe) runsIn(n *document.Node, o *object) {
	name := p.names[place(o)]
	switch o.class {
	case "EstimatorStep", "HyperDriveStep":
		p.starts(n, name, p.estimated(o))
	case "ParallelRunStep":
		p.parallel(n, name, o)
	case "MpiStep":
		p.mpi(name, o)
	case "AutoMLStep":
		if config := p.automlOf(o); config != nil {
			if th := p.make(config); th != nil {
				th.InStep = true
			}
			p.targetAt(n, "compute", p.arg(config.call, "compute_target", -1))
		}
	default:
		v := p.arg(o.call, "runconfig", at(o.class, "runconfig"))
		if v.object != nil && v.object.class == "ScriptRunConfig" {
			p.starts(n, name, v)
		} else {
			p.surroundings(n, name, v)
		}
	}
	p.targetAt(n, "compute", p.arg(o.call, "compute_target", at(o.class, "compute_target")))
}

// estimated returns what an EstimatorStep or HyperDriveStep starts.
func (b *builder) estimated(o *object) value {
	if o.class == "EstimatorStep" {
		return b.arg(o.call, "estimator", at(o.class, "estimator"))
	}
	v := b.arg(o.call, "hyperdrive_config", 1)
	if v.object != nil && isSweep(v.object) {
		v = b.sweeps(v.object)
	}
	return v
}

// loose gives the jobs of steps whose pipeline is not read what the step would have given them, unless a job has two.
func (b *builder) loose() {
	jobs := make([]*Thing, len(b.found))
	steps := map[*Thing]int{}
	for i, o := range b.found {
		if o.class != "EstimatorStep" && o.class != "HyperDriveStep" {
			continue
		}
		if run := b.estimated(o).object; run != nil && run.base == nil {
			jobs[i] = b.make(run)
			steps[jobs[i]]++
		}
	}
	for i, th := range jobs {
		if th != nil && steps[th] == 1 && th.Kind == Job && !th.InStep && th.Experiment == "" && th.ExperimentAt == nil && th.Root.Get("arguments") == nil {
			o := b.found[i]
			if t := b.argument(o.call, "estimator_entry_script_arguments", at(o.class, "estimator_entry_script_arguments")); t != nil {
				b.arguments(th, python.Call{Keywords: map[string][]python.Token{"arguments": t}}, "arguments", -1)
			}
			b.target(th.Root, b.arg(o.call, "compute_target", at(o.class, "compute_target")))
		}
	}
}

// automlOf returns the configuration of an AutoMLStep, or nil.
func (p *pipe) automlOf(o *object) *object {
	if o.class != "AutoMLStep" {
		return nil
	}
	if c := p.arg(o.call, "automl_config", at(o.class, "automl_config")).object; c != nil && c.base == nil && c.class == "AutoMLConfig" {
		return c
	}
	return nil
}

// learnsFrom returns the data in the configuration of an AutoMLStep; other steps have none.
func (p *pipe) learnsFrom(o *object) (list []port) {
	c := p.automlOf(o)
	if c == nil {
		return nil
	}
	for _, name := range []string{"training_data", "validation_data", "test_data", "X", "y", "X_valid", "y_valid"} {
		if in, ok := p.port(p.argument(c.call, name, -1)); ok {
			list = append(list, in)
		}
	}
	return list
}

// starts reads a step that runs a job; that job is then no longer a job of its own.
func (p *pipe) starts(n *document.Node, name string, v value) {
	if v.object == nil || v.object.base != nil {
		p.put(n, "runconfig", value{tokens: v.tokens})
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
		p.put(n, "runconfig", value{tokens: v.tokens})
	case o.method == "load" && len(p.during(p.attrs[o.name], o.name, place(o))) == 0:
		put(n, "runconfig", p.loads(o, v.tokens))
	case o.method == "" || o.method == "load":
		th := p.thing(o)
		if p.th.Steps[name] = th; len(th.Root.Entries()) > 0 {
			break
		}
		if o.method == "load" {
			put(th.Root, "runConfig", p.loads(o, v.tokens))
		}
		p.readConfig(th, o)
	default:
		put(n, "runconfig", p.node(value{tokens: v.tokens}))
	}
}

// mpi reads the environment of an MpiStep, which has the parameters of an estimator.
func (p *pipe) mpi(name string, o *object) {
	th := p.thing(o)
	p.th.Steps[name] = th
	put(th.Root, "communicator", scalar("!!str", "OpenMpi", o.tokens[:1]))
	p.take(th.Root, "mpi.processCountPerNode", o.call, "process_count_per_node", at(o.class, "process_count_per_node"))
	p.take(th.Root, "nodeCount", o.call, "node_count", at(o.class, "node_count"))
	if p.useEnvironment(th, p.arg(o.call, "environment_definition", -1)); th.Uses == nil {
		p.packages(th)
	}
}

// thing returns the surroundings of a step, cached by object.
func (b *builder) thing(o *object) *Thing {
	at := place(o)
	if i := slices.IndexFunc(b.things, func(t *Thing) bool { return t.Kind == Surroundings && t.At.Start == at }); i >= 0 {
		return b.things[i]
	}
	n := mapping(o.tokens)
	th := &Thing{Kind: Surroundings, Of: cmp.Or(o.name, o.class), At: n.Span, object: o, Root: n}
	b.things = append(b.things, th)
	return th
}

// parallel reads a step that splits its work.
func (p *pipe) parallel(n *document.Node, name string, o *object) {
	v := p.arg(o.call, "parallel_run_config", 1)
	c := v.object
	if c == nil || c.base != nil || c.class != "ParallelRunConfig" || c.method != "" {
		p.put(n, "parallel_run_config", value{tokens: v.tokens})
		return
	}
	th := p.thing(c)
	p.th.Steps[name] = th
	fresh := len(th.Root.Entries()) == 0
	for place, parameter := range parallelParameters {
		v := p.arg(c.call, parameter, place)
		switch parameter {
		case "entry_script":
			p.put(n, "script_name", v)
		case "source_directory":
			p.put(n, "source_directory", v)
		case "compute_target":
			p.targetAt(n, "compute", v)
		case "environment":
			if fresh {
				p.useEnvironment(th, v)
			}
		case "environment_variables":
			if fresh {
				p.put(th.Root, "environmentVariables", v)
			}
		default:
			if o := v.object; o != nil && o.class == "PipelineParameter" {
				if given := p.arg(o.call, "default_value", 1); !given.absent() { // v2 accepts no parameter there
					p.put(n, parameter+ParallelParameter, value{tokens: v.tokens})
					v = given
				}
			}
			p.put(n, "parallel."+parameter, v)
		}
	}
}
