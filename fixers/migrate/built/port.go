package built

import (
	"cmp"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/python"
)

// Tags of a step's arguments that stand for a path or a value: the node's value is the name of an input or output of
// the step, or of a pipeline parameter.
const (
	InputTag     = "!!input"
	OutputTag    = "!!output"
	ParameterTag = "!!parameter"
)

// port is data that goes into a step, or comes out of one.
type port struct {
	// from is what creates the data: PipelineData, DataReference, a dataset, a parameter.
	from   *object
	name   string
	mode   string // how a step accesses it; "" if not given
	kind   string // uri_folder or mltable; "" if not given
	read   bool   // it is declared as an input
	path   bool   // it is DATASTORE.path(…), or all of a datastore
	steps  []step // what follows from, up to the path of DATASTORE.path(…)
	tokens []python.Token
}

// steady returns the start of a chain, and everything that follows it.
func steady(o *object) (start *object, steps []step) {
	for start = o; start.base != nil; start = start.base {
		steps = append(slices.Clone(start.steps), steps...)
	}
	return start, steps
}

// chained returns an object with the steps that follow it.
func chained(o *object, steps []step) *object {
	if len(steps) == 0 {
		return o
	}
	return &object{base: o, steps: steps, tokens: o.tokens}
}

// madeClasses are the classes of data that a step creates.
var madeClasses = []string{"PipelineData", "OutputFileDatasetConfig", "OutputTabularDatasetConfig"}

// port returns the data that an expression stands for; ok is false if it is not data.
func (b *builder) port(t []python.Token) (p port, ok bool) {
	if inner := inText(t); inner != nil {
		p, ok = b.port(inner)
		return p, ok && (p.path || p.from.class == "DataReference" || p.from.class == "PipelineData")
	}
	v := b.eval(t, 0)
	if list, ok := b.items(t); ok && len(list) == 2 { // a parameter and how it is bound
		first := b.eval(list[0], 0)
		if first.object == nil || first.object.class != "PipelineParameter" {
			return p, false
		}
		v = value{object: first.object, tokens: t}
		if how := b.eval(list[1], 0).object; how != nil && how.class == "DataPathComputeBinding" {
			p.mode = cmp.Or(b.text(how.call, "mode", 0), "mount")
		}
	}
	mode := p.mode
	if v.object == nil {
		return p, false
	}
	start, steps := steady(v.object)
	p = port{from: start, name: cmp.Or(start.name, v.object.name), steps: steps, mode: mode, tokens: t}
	for i, s := range steps {
		switch {
		case s.name == "as_mount" && s.call != nil, s.name == "as_download" && s.call != nil, s.name == "as_upload" && s.call != nil:
			p.mode = strings.TrimPrefix(s.name, "as_")
			if !p.path && b.datastore(value{object: chained(start, steps[:i]), tokens: t}) != nil {
				p.path, p.steps = true, steps[:i] // all of a datastore
			}
			if strings.HasPrefix(start.class, "Dataset") || start.class == "Workspace" {
				p.kind = "uri_folder" // tables are neither mounted nor downloaded
			}
		case s.name == "as_named_input" && s.call != nil, s.name == "as_input" && s.call != nil:
			p.read = true
			p.name = cmp.Or(b.text(*s.call, "name", 0), p.name)
		case s.name == "path" && s.call != nil && (start.class == "Workspace" || start.class == "Datastore"):
			p.path, p.steps = true, steps[:i+1]
		}
	}
	if start.class == "DatasetConsumptionConfig" && start.method == "" {
		return b.consumed(p)
	}
	return p, b.isData(&p)
}

// inText returns X of str(X): the text of a reference to data is its variable.
func inText(t []python.Token) []python.Token {
	if c, ok := python.CallAt(t, 1); ok && t[0].Text == "str" && c.End == len(t)-1 && len(c.Positional) == 1 {
		return c.Positional[0]
	}
	return nil
}

// consumed reads DatasetConsumptionConfig(name, dataset, mode).
func (b *builder) consumed(p port) (port, bool) {
	c := p.from.call
	in, ok := b.port(b.argument(c, "dataset", 1))
	if !ok {
		return p, false
	}
	in.name = cmp.Or(b.text(c, "name", 0), in.name)
	if mode := cmp.Or(p.mode, b.text(c, "mode", 2)); mode != "" && mode != "direct" {
		in.mode, in.kind = mode, "uri_folder"
	}
	in.tokens, in.read = p.tokens, true
	return in, true
}

// isData sets the name that SDK v1 uses for data, and reports whether it is data.
func (b *builder) isData(p *port) bool {
	c := p.from.call
	switch p.from.class {
	case "PipelineData", "OutputFileDatasetConfig", "OutputTabularDatasetConfig", "PipelineParameter":
		if name := b.text(c, "name", 0); name != "" && (!p.read || p.name == p.from.name) {
			p.name = name
		}
	case "DataReference":
		p.name, p.mode = cmp.Or(b.text(c, "data_reference_name", 1), p.name), cmp.Or(p.mode, b.text(c, "mode", 3))
	case "Dataset", "Dataset.File", "Dataset.Tabular":
		if p.from.method != "get_by_name" && !strings.HasPrefix(p.from.method, "from_") {
			return false
		}
		if p.from.class == "Dataset.Tabular" {
			p.kind = "mltable"
		}
	case "Datastore", "Workspace":
		if !p.path && registered(p.steps, "datasets") == nil {
			return false
		}
	default:
		return false
	}
	p.name = cmp.Or(p.name, "data")
	return true
}

// registered returns the name in WORKSPACE.datasets[NAME] or WORKSPACE.datasets.get(NAME), or the same for models; nil
// for other chains.
func registered(steps []step, what string) []python.Token {
	switch {
	case len(steps) < 2 || steps[0].name != what:
		return nil
	case steps[1].name == "get" && steps[1].call != nil:
		return argument(*steps[1].call, "key", 0)
	}
	return steps[1].index
}

// isMade reports whether a step creates the data.
func (p port) isMade() bool { return slices.Contains(madeClasses, p.from.class) }

// outgoing returns the data that a step creates.
func (p *pipe) outgoing(o *object) (list []port) {
	add := func(t []python.Token, any bool) {
		out, ok := p.port(t)
		made := ok && (out.isMade() || o.class == "DataTransferStep" && out.from.class == "DataReference" && p.argument(out.from.call, "path_on_datastore", 2) != nil)
		if made && (any || out.from.class != "PipelineData" && !out.read) {
			if !slices.ContainsFunc(list, func(l port) bool { return place(l.from) == place(out.from) }) {
				list = append(list, out)
			}
		}
	}
	if name := map[string]string{"ParallelRunStep": "output", "DataTransferStep": "destination_data_reference"}[o.class]; name != "" {
		if t := p.argument(o.call, name, at(o.class, name)); t != nil {
			add(t, true)
		}
	}
	outputs, _ := p.items(p.argument(o.call, "outputs", at(o.class, "outputs")))
	for _, t := range outputs {
		add(t, true)
	}
	inputs := p.taking(o)
	for _, t := range p.passed(o) {
		if out, ok := p.port(t); ok && slices.ContainsFunc(inputs, func(in port) bool { return place(in.from) == place(out.from) }) {
			continue
		}
		add(t, false)
	}
	return list
}

// taking returns the data that a step declares as inputs.
func (p *pipe) taking(o *object) (list []port) {
	p.eachGiven(o, takenIn, func(in port) { list = append(list, in) }, func([]python.Token) {})
	return append(list, p.learnsFrom(o)...)
}

// incoming returns all data that a step takes, including in its arguments.
func (p *pipe) incoming(o *object) (list []port) {
	list = p.taking(o)
	for _, t := range p.passed(o) {
		if in, ok := p.port(t); ok && (in.read || !in.isMade() || in.from.class == "PipelineData") {
			list = append(list, in)
		}
	}
	return list
}

// source returns the name of data that comes from outside, and describes it in the pipeline's tree, once.
func (p *pipe) source(in port) string {
	if name := p.made[place(in.from)]; name != "" {
		return name
	}
	at := place(in.from)
	if in.path {
		at = in.tokens[0].At
	}
	if name := p.outside[at]; name != "" {
		return name
	}
	name := p.free(in.name)
	p.outside[at] = name
	n := mapping(in.tokens)
	if in.from.class == "PipelineParameter" {
		n = mapping(in.from.tokens)
		p.parameter(n, in.from)
		add(p.param, key(name, n), n)
		return name
	}
	p.reference(n, in)
	add(p.data, key(name, n), n)
	return name
}

// parameter describes a parameter of the pipeline.
func (p *pipe) parameter(n *document.Node, o *object) {
	kind := scalar("!!str", "string", o.tokens[:1])
	add(n, key("type", n), kind)
	v := p.arg(o.call, "default_value", 1)
	if v.absent() {
		return
	}
	if v.literal != nil && v.literal.Kind == document.Scalar {
		kind.Value = cmp.Or(map[string]string{"!!int": "int", "!!float": "float", "!!bool": "bool"}[v.literal.Tag()], "string")
		p.put(n, "default", v)
		return
	}
	if o := v.object; o != nil && o.base == nil && o.class == "DataPath" {
		kind.Value = "datapath"
		to := mapping(v.tokens)
		p.onStore(to, p.eval(p.argument(o.call, "datastore", 0), 0), p.argument(o.call, "path_on_datastore", 1))
		add(n, key("default", n), to)
		return
	}
	if in, ok := p.port(v.tokens); ok && !in.isMade() {
		kind.Value = "datapath"
		to := mapping(v.tokens)
		p.reference(to, in)
		add(n, key("default", n), to)
		return
	}
	add(n, key("default", n), p.node(value{tokens: v.tokens}))
}

// reference describes data that comes from outside.
func (p *pipe) reference(n *document.Node, in port) {
	o := in.from
	switch {
	case in.path:
		store, at := in.steps, []python.Token(nil)
		if last := len(in.steps) - 1; last >= 0 && in.steps[last].name == "path" {
			store, at = in.steps[:last], p.argument(*in.steps[last].call, "path", 0)
		}
		p.onStore(n, value{object: chained(o, store), tokens: in.tokens}, at)
	case o.class == "DataReference":
		p.onStore(n, p.eval(p.argument(o.call, "datastore", 0), 0), p.argument(o.call, "path_on_datastore", 2))
	case o.class == "Workspace" && registered(in.steps, "datasets") != nil:
		p.put(n, "dataset_name", p.eval(registered(in.steps, "datasets"), 0))
	case o.method == "get_by_name":
		p.take(n, "dataset_name", o.call, "name", 1)
		if v := p.arg(o.call, "version", 2); v.literal != nil && v.literal.Value != "latest" {
			p.put(n, "dataset_version", v)
		}
	case strings.HasPrefix(o.method, "from_"):
		v := p.arg(o.call, "path", 0)
		if v.absent() {
			break
		}
		to := mapping(in.tokens)
		p.location(to, v)
		switch store, at := to.Get("datastore"), to.Get("path"); {
		case !exact(at) && p.registeredAs(o).text() != nil:
			p.put(n, "dataset_name", p.registeredAs(o))
		case !exact(at):
			add(n, key("value"+NotLiteral, n), p.node(value{tokens: v.tokens}))
		case store != nil:
			put(n, "datastore", store)
			put(n, "path_on_datastore", at)
		default:
			put(n, "uri", at)
		}
	}
	if in.kind != "" {
		put(n, "type", scalar("!!str", in.kind, in.tokens))
	}
	if len(n.Entries()) == 0 {
		add(n, key("value"+NotLiteral, n), p.node(value{tokens: in.tokens}))
	}
}

// onStore describes a path on a datastore; without a path, it is the whole datastore.
func (p *pipe) onStore(n *document.Node, store value, path []python.Token) {
	if len(store.tokens) == 0 {
		return // not in the call: its location is not known
	}
	where := scalar("!!str", "", store.tokens)
	if path != nil {
		v := p.eval(path, 0)
		if where = nil; v.literal != nil && v.literal.Kind == document.Scalar && (v.literal.Tag() == "!!str" || v.literal.Tag() == "!!null") {
			where = clone(v.literal)
			where.SetTag("!!str")
		}
	}
	name := p.datastore(store)
	if name == nil || where == nil {
		add(n, key("value"+NotLiteral, n), p.node(value{tokens: store.tokens}))
		return
	}
	put(n, "datastore", name)
	put(n, "path_on_datastore", where)
}
