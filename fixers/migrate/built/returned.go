package built

import (
	"slices"

	"github.com/amlfix/amlfix/schema/python"
)

// returned returns what a call of one of the program's functions yields. Its parameters stand for what all calls pass.
func (p *program) returned(t []python.Token, depth int) (v value) {
	defs := p.defs[t[0].Text]
	if len(t) < 3 || t[1].Text != "(" || len(defs) != 1 || defs[0] == nil || len(p.set[t[0].Text])+len(p.params[t[0].Text]) > 0 {
		return v
	}
	f := defs[0]
	c, ok := python.CallAt(t, 1)
	before := p.statement(f.Tokens[0].At - 1)
	decorated := before != nil && before != f && before.Tokens[0].Text == "@"
	list := p.returns[f]
	if !ok || c.End != len(t)-1 || len(list) == 0 || f.Tokens[0].Text != "def" || len(f.Blocks) > 0 || decorated || p.busy[f] {
		return v
	}
	p.busy[f] = true
	defer delete(p.busy, f)
	if last := list[len(list)-1].at; last.Conditional() || slices.ContainsFunc(list, func(s setting) bool { return s.at.First() != "return" }) {
		return v
	}
	for i, s := range list {
		got := p.eval(s.tokens, depth+1)
		if i > 0 {
			if a, b := p.nameOf(v), p.nameOf(got); a == "" || a != b {
				return value{}
			}
		}
		if i == 0 || got.object.method == "create" {
			v = got
		}
	}
	if v.object != nil {
		o := *v.object // which has the name that it has in the function
		o.returned = true
		v.object = &o
	}
	return v
}

// harmless are the methods that do not change an object.
var harmless = []string{"register", "build", "wait_for_completion", "get_status", "validate"}

// changed reports whether the program changes what a name stands for since the object was created at an offset.
func (p *program) changed(name string, at int) bool {
	return len(p.during(p.attrs[name], name, at)) > 0 || slices.ContainsFunc(p.during(p.calls[name], name, at), func(s setting) bool { return !slices.Contains(harmless, s.path) })
}
