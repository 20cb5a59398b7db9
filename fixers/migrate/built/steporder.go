package built

import (
	"slices"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/python"
)

// The parameters with what a step takes and creates.
var (
	takenIn   = []string{"inputs", "side_inputs", "source_data_reference"}
	createdIn = []string{"outputs", "output", "destination_data_reference"}
)

// eachGiven calls data for each item of a step's parameters that is known to be data, and unread for the others, except
// for None.
func (p *pipe) eachGiven(o *object, parameters []string, data func(port), unread func([]python.Token)) {
	for _, name := range parameters {
		t := p.argument(o.call, name, at(o.class, name))
		if t == nil {
			continue
		}
		items, ok := p.items(t)
		if _, one := p.port(t); one || !ok {
			items = [][]python.Token{t}
		}
		for _, item := range items {
			if one, ok := p.port(item); ok {
				data(one)
			} else if v := p.eval(item, 0); v.literal == nil || v.literal.Tag() != "!!null" {
				unread(item)
			}
		}
	}
}

// unread returns the items of a step's parameters that are not known to be data.
func (p *pipe) unread(o *object, parameters []string) (list [][]python.Token) {
	p.eachGiven(o, parameters, func(port) {}, func(t []python.Token) { list = append(list, t) })
	return list
}

// unreadOrder makes a step wait for another one in the same function if it takes what that one creates, under the same
// name, where it is not known what the name stands for.
func (p *pipe) unreadOrder() {
	type name struct {
		in   *python.Statement
		text string
	}
	names := func(o *object, parameters []string) (list []name) {
		for _, t := range p.unread(o, parameters) {
			if t = python.Bare(t); len(t) == 1 && t[0].Kind == python.Name {
				list = append(list, name{p.scope(t[0].At), t[0].Text})
			}
		}
		return list
	}
	makers := map[name][]*object{}
	for _, o := range p.found {
		for _, n := range names(o, createdIn) {
			makers[n] = append(makers[n], o)
		}
	}
	for _, later := range p.found {
		for _, n := range names(later, takenIn) {
			for _, earlier := range makers[n] {
				p.wait(later, earlier)
			}
		}
	}
}

// unreadOutputs records the outputs of a step that are not known.
func (p *pipe) unreadOutputs(n *document.Node, o *object) {
	for _, t := range p.unread(o, createdIn) {
		put(n, "outputs", p.node(value{tokens: slices.Clone(t)}))
	}
}
