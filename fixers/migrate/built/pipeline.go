package built

import (
	"cmp"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/python"
)

// AllSteps is a key of a pipeline whose steps the program computes; the pipeline then has all steps that the program
// creates.
const AllSteps = "steps" + NotLiteral

// pipe is a pipeline that is being read.
type pipe struct {
	*builder
	th      *Thing
	order   []*object       // its steps
	names   map[int]string  // of its steps, by the offset at which they are created
	after   map[int][]int   // steps that each step waits for
	made    map[int]string  // data that steps create, by offset
	outside map[int]string  // names of parameters and data from outside, by offset
	taken   map[string]bool // all these names
	// elsewheres are the names of data that the program gets from elsewhere.
	elsewheres map[origin]string
	// data and param are the parts of Root for what comes from outside.
	data, param *document.Node
}

// pipeline reads a Pipeline into the tree that Pipeline.load_yaml accepts, with additional keys for what only programs
// have.
func (b *builder) pipeline(th *Thing) {
	th.Kind, th.Steps = Pipeline, map[string]*Thing{}
	p := &pipe{builder: b, th: th, names: map[int]string{}, after: map[int][]int{}, made: map[int]string{}, outside: map[int]string{}, taken: map[string]bool{}, elsewheres: map[origin]string{}}
	p.data, p.param = mapping(th.object.tokens), mapping(th.object.tokens)
	c := th.object.call
	t := b.argument(c, "steps", 1)
	if t == nil {
		th.Root = nil
		return
	}
	list, _, ok := p.listed(t, 0)
	if !ok {
		list = b.found
		add(th.Root, key(AllSteps, th.Root), b.node(value{tokens: t}))
	}
	for _, o := range list {
		p.include(o)
	}
	if len(p.order) == 0 {
		if len(th.Root.Entries()) == 0 {
			th.Root = nil
		}
		return
	}
	p.waits()
	p.unreadOrder()
	p.closure()
	if p.included > mostSteps {
		th.Root = nil
		return
	}
	for _, o := range p.order {
		p.outputs(o)
	}
	p.described()
	steps := mapping(th.object.tokens)
	for _, o := range p.order {
		n := p.step(o)
		add(steps, key(p.names[place(o)], n), n)
	}
	for _, section := range []struct {
		name string
		n    *document.Node
	}{{"parameters", p.param}, {"data_references", p.data}, {"steps", steps}} {
		if len(section.n.Entries()) > 0 {
			add(th.Root, key(section.name, section.n), section.n)
		}
	}
}

// place returns the offset at which an object is created, which identifies it.
func place(o *object) int { return o.tokens[0].At }

// isStep reports whether an object is a step of a pipeline.
func isStep(o *object) bool {
	return o.base == nil && o.method == "" && strings.HasSuffix(o.class, "Step") && o.class != "Step"
}

// listed returns the steps of a list, and groups, in which each item is the steps of one entry; ok is false if the
// program computes them.
func (p *pipe) listed(t []python.Token, depth int) (all []*object, groups [][]*object, ok bool) {
	t = python.Bare(t)
	if len(t) == 0 || depth > maxDepth || !p.spend(len(t)) {
		return nil, nil, false
	}
	if v := p.eval(t, depth); v.object != nil {
		switch o := v.object; {
		case isStep(o):
			return []*object{o}, [][]*object{{o}}, true
		case o.base == nil && o.class == "StepSequence":
			all, groups, ok = p.listed(p.argument(o.call, "steps", 0), depth+1)
			for i := 1; i < len(groups) && ok; i++ {
				for _, later := range groups[i] {
					for _, earlier := range groups[i-1] {
						p.wait(later, earlier)
					}
				}
			}
			return all, [][]*object{all}, ok
		}
		return nil, nil, false
	}
	items, ok := p.items(t)
	for _, item := range items {
		some, _, read := p.listed(item, depth+1)
		if !read {
			return nil, nil, false
		}
		all, groups = append(all, some...), append(groups, some)
	}
	return all, groups, ok
}

// items returns the items of a list: a literal one, one that a name stands for and that the program only appends to, a
// text's words, or several of these with "+" between them.
func (p *program) items(t []python.Token) (items [][]python.Token, ok bool) {
	t = python.Bare(t)
	if len(t) == 0 || !p.spend(len(t)) {
		return nil, false
	}
	if parts := summands(t); len(parts) > 1 {
		for _, part := range parts {
			more, ok := p.items(part)
			if !ok || !p.spend(len(more)) {
				return nil, false
			}
			items = append(items, more...)
		}
		return items, true
	}
	if len(t) > 1 || t[0].Kind != python.Name {
		return p.listItems(t)
	}
	name := t[0].Text
	s, ok := p.inForce(name, t[0].At)
	if !ok || p.busy[s.at] || len(p.during(p.attrs[name], name, s.tokens[0].At)) > 0 {
		return nil, false
	}
	p.busy[s.at] = true
	defer delete(p.busy, s.at)
	if items, ok = p.items(s.tokens); !ok {
		return nil, false
	}
	for _, s := range p.during(p.calls[name], name, s.tokens[0].At) {
		c, read := python.CallAt(s.tokens, 0)
		if s.at.Conditional() || !read || c.Open || len(c.Positional) != 1 {
			return nil, false
		}
		more := c.Positional
		switch s.path {
		case "extend":
			if more, ok = p.items(more[0]); !ok {
				return nil, false
			}
		case "append":
		default:
			return nil, false
		}
		items = append(items[:len(items):len(items)], more...)
	}
	return items, true
}

// listItems returns the items of a literal list, or the words of a text that is split.
func (p *program) listItems(t []python.Token) (items [][]python.Token, ok bool) {
	if words := p.divided(t, 0); words != nil {
		for _, word := range words.Items() {
			items = append(items, []python.Token{{Kind: python.String, Text: word.Value, At: t[0].At, End: t[len(t)-1].End}})
		}
		return items, true
	}
	if len(t) < 2 || t[0].Text != "[" && t[0].Text != "(" {
		return nil, false
	}
	c, ok := python.CallAt(t, 0)
	if !ok || c.Open || c.End != len(t)-1 || len(c.Keywords) > 0 || slices.ContainsFunc(t, func(k python.Token) bool { return k.Text == "for" && k.Kind == python.Name }) {
		return nil, false
	}
	return c.Positional, true
}

// include adds a step unless the pipeline has it.
func (p *pipe) include(o *object) {
	if p.included > mostSteps || p.names[place(o)] != "" {
		return
	}
	p.included++
	name := cmp.Or(p.text(o.call, "name", at(o.class, "name")), o.name, strings.TrimSuffix(o.class, "Step"))
	unique := plain.Unused(name, " ", func(name string) bool {
		return slices.ContainsFunc(p.order, func(s *object) bool { return p.names[place(s)] == name })
	})
	p.order, p.names[place(o)] = append(p.order, o), unique
}

// wait records that a step waits for another.
func (p *pipe) wait(later, earlier *object) {
	if list := p.after[place(later)]; place(later) != place(earlier) && !slices.Contains(list, place(earlier)) {
		p.after[place(later)] = append(list, place(earlier))
	}
}

// waits reads the calls of run_after.
func (p *pipe) waits() {
	for _, o := range p.found {
		for _, s := range p.during(p.calls[o.name], o.name, place(o)) {
			if s.path != "run_after" || o.name == "" || p.lost[o.name] {
				continue
			}
			if c, ok := python.CallAt(s.tokens, 0); ok {
				if earlier := p.arg(c, "step", 0).object; earlier != nil && isStep(earlier) {
					p.wait(o, earlier)
				}
			}
		}
	}
}

// closure adds the steps that others take data from or wait for, as SDK v1 does.
func (p *pipe) closure() {
	makers := map[int]*object{}
	for _, o := range p.found {
		for _, out := range p.outgoing(o) {
			if makers[place(out.from)] == nil {
				makers[place(out.from)] = o
			}
		}
	}
	for i := 0; i < len(p.order); i++ { //nolint:intrange // include adds to it
		for _, in := range p.incoming(p.order[i]) {
			if maker := makers[place(in.from)]; maker != nil {
				p.include(maker)
			}
		}
		for _, earlier := range p.after[place(p.order[i])] {
			if k := slices.IndexFunc(p.found, func(o *object) bool { return place(o) == earlier }); k >= 0 {
				p.include(p.found[k])
			}
		}
	}
	slices.SortStableFunc(p.order, func(a, b *object) int { return place(a) - place(b) })
}

// outputs records the data that a step creates.
func (p *pipe) outputs(o *object) {
	for _, out := range p.outgoing(o) {
		if p.made[place(out.from)] == "" {
			p.made[place(out.from)] = p.free(out.name)
		}
	}
}

// free returns a name that nothing else in the pipeline has.
func (p *pipe) free(name string) string {
	name = plain.Unused(name, "_", func(name string) bool { return p.taken[name] })
	p.taken[name] = true
	return name
}

// described reads the pipeline's name, description and experiment.
func (p *pipe) described() {
	root := p.th.Root
	p.take(root, "description", p.th.object.call, "description", 2)
	if name := p.th.object.name; name != "" && !p.lost[name] {
		made := p.statement(place(p.th.object))
		for _, s := range p.all {
			for i := 0; i+3 < len(s.Tokens); i++ {
				if t := s.Tokens; t[i].Text == name && (i == 0 || t[i-1].Text != ".") && t[i+1].Text == "." && t[i+3].Text == "(" && p.spend(len(t)-i) {
					if set, ok := p.inForce(name, t[i].At); !ok || set.at != made {
						continue
					}
					c, read := python.CallAt(t, i+3)
					switch {
					case read && t[i+2].Text == "publish":
						p.published(c)
					case read && t[i+2].Text == "submit":
						if p.th.Experiment = p.text(c, "experiment_name", 0); p.th.Experiment == "" {
							p.th.ExperimentAt = p.node(value{tokens: p.argument(c, "experiment_name", 0)})
						}
						p.submitted(p.th, c)
					}
				}
			}
		}
	}
}

// submitted reads how a pipeline is run.
func (b *builder) submitted(th *Thing, c python.Call) {
	for _, name := range []string{"pipeline_parameters", "continue_on_step_failure", "regenerate_outputs"} {
		b.take(th.Root, name, c, name, -1)
	}
	b.take(th.Root, "tags", c, "tags", 1)
}

// published reads how a pipeline is published.
func (p *pipe) published(c python.Call) {
	for place, name := range []string{"name", "description", "", "continue_on_step_failure"} {
		if name != "" && p.th.Root.Get(name) == nil {
			p.take(p.th.Root, name, c, name, place)
		}
	}
}
