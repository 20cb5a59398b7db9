package built

import (
	"slices"
	"strconv"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/python"
)

// bind reads the inputs and outputs of a step.
func (p *pipe) bind(n *document.Node, o *object) {
	p.eachGiven(o, takenIn, func(in port) { p.input(n, in) }, func(t []python.Token) { p.unknown(n, t) })
	for _, in := range p.learnsFrom(o) {
		p.input(n, in)
	}
	for _, out := range p.outgoing(o) {
		p.output(n, out)
	}
	p.unreadOutputs(n, o)
}

// input adds an input to a step, and returns its name.
func (p *pipe) input(n *document.Node, in port) string {
	source := p.source(in)
	inputs := p.section(n, "inputs")
	for _, e := range inputs.Entries() {
		if e.Value.Get("source").Text() == source {
			return e.Key.Value
		}
	}
	one := mapping(in.tokens)
	put(one, "source", scalar("!!str", source, in.tokens))
	if in.mode == "download" || in.mode == "mount" {
		put(one, "bind_mode", scalar("!!str", in.mode, in.tokens))
	}
	name := plain.Unused(in.name, "_", func(name string) bool { return inputs.Get(name) != nil || n.Get("outputs").Get(name) != nil })
	add(inputs, key(name, one), one)
	return name
}

// unknown adds an input that the program computes to a step, unless the step has it already, and returns its name.
func (p *pipe) unknown(n *document.Node, t []python.Token) string {
	called, mode, _, is := p.elsewhere(t, "")
	if mode == "direct" {
		mode = ""
	}
	from := origin{called: called, text: strconv.Itoa(t[0].At)}
	if is && called != "" {
		from = p.origin(t, called)
	} else {
		called = "input_" + strconv.Itoa(len(p.data.Entries())+1)
	}
	source := p.elsewheres[from]
	inputs := p.section(n, "inputs")
	for _, e := range inputs.Entries() {
		bound := e.Value.Get("bind_mode").Text()
		if source == "" || e.Value.Get("source").Text() != source || bound != "" && mode != "" && bound != mode {
			continue
		}
		if bound == "" && mode != "" {
			put(e.Value, "bind_mode", scalar("!!str", mode, t))
		}
		return e.Key.Value // it is also in another argument of the step
	}
	if source == "" {
		source = p.free(called)
		p.elsewheres[from] = source
		one := mapping(t)
		add(one, key("value"+NotLiteral, one), p.node(value{tokens: t}))
		add(p.data, key(source, one), one)
	}
	in := mapping(t)
	put(in, "source", scalar("!!str", source, t))
	if mode != "" {
		put(in, "bind_mode", scalar("!!str", mode, t))
	}
	name := plain.Unused(source, "_", func(name string) bool { return inputs.Get(name) != nil || n.Get("outputs").Get(name) != nil })
	add(inputs, key(name, in), in)
	return name
}

// origin is what a program calls data from elsewhere, and the expression for it, with the offset of what gives the
// expression its value: only there it is certainly the same.
type origin struct {
	called, text string
	at           int
}

// origin returns where data comes from that a program calls so, such as x in x.as_named_input('n').
func (p *pipe) origin(t []python.Token, called string) origin {
	t = python.Bare(t)
	from := origin{called: called, at: p.statement(t[0].At).Tokens[0].At}
	end := slices.IndexFunc(t, func(t python.Token) bool {
		return slices.Contains([]string{"as_named_input", "as_mount", "as_download"}, t.Text)
	})
	for _, one := range t[:max(end-1, 0)] {
		from.text += one.Text + " "
	}
	name := t[0].Text
	if s, ok := p.inForce(name, t[0].At); end == 2 && ok {
		from.at = s.at.Tokens[0].At
	} else if end == 2 && len(p.set[name]) == 0 && !p.lost[name] {
		from.at = -1
		if f := p.scope(t[0].At); f != nil {
			from.at = f.Tokens[0].At
		}
	}
	return from
}

// output adds an output to a step.
func (p *pipe) output(n *document.Node, out port) {
	one := mapping(out.tokens)
	put(one, "destination", scalar("!!str", p.made[place(out.from)], out.tokens))
	c := out.from.call
	if out.from.class == "PipelineData" {
		p.store(one, p.arg(c, "datastore", 1))
		p.take(one, "bind_mode", c, "output_mode", 3)
		t := p.eval(argument(c, "training_output", 9), 0).object
		if t != nil && n.Get("type").Text() == "HyperDriveStep" && (p.eval(argument(t.call, "model_file", 3), 0).text() != nil || p.eval(argument(t.call, "type", 0), 0).text().Text() == "Metrics") {
			p.argument(c, "training_output", 9)
			trained := p.section(one, "training_output")
			p.take(trained, "type", t.call, "type", 0)
			p.take(trained, "model_file", t.call, "model_file", 3)
		}
	} else if out.from.class == "DataReference" { // where a DataTransferStep copies to
		p.store(one, p.arg(c, "datastore", 0))
		p.take(one, "path", c, "path_on_datastore", 2)
	} else if t := p.argument(c, "destination", 1); t != nil {
		if items, ok := p.items(t); ok && len(items) > 0 {
			p.store(one, p.eval(items[0], 0))
			if len(items) > 1 {
				p.put(one, "path", p.eval(items[1], 0))
			}
		} else {
			put(one, "destination_path", p.node(value{tokens: t}))
		}
	}
	if out.mode != "" {
		put(one, "bind_mode", scalar("!!str", out.mode, out.tokens))
	}
	for _, s := range out.steps {
		if s.call != nil && (s.name == "register_on_complete" || s.name == "register" && out.from.class == "PipelineData") {
			p.take(one, "register", *s.call, "name", 0)
		}
	}
	add(p.section(n, "outputs"), key(out.name, one), one)
}

// store reads the datastore of an output.
func (p *pipe) store(n *document.Node, v value) {
	if name := p.datastore(v); name != nil {
		put(n, "datastore", name)
		return
	}
	p.put(n, "datastore", value{tokens: v.tokens})
}

// section returns a mapping of a step, creating it if needed.
func (p *pipe) section(n *document.Node, name string) *document.Node {
	if found := n.Get(name); found != nil {
		return found
	}
	found := mapping(p.th.object.tokens[:1])
	found.Span = n.Span
	add(n, key(name, n), found)
	return found
}
