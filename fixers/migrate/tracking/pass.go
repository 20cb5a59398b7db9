package tracking

import (
	"slices"

	"github.com/amlfix/amlfix/schema/python"
)

// pass is a place where the run is passed on: as an argument, or to another name.
type pass struct {
	from, to owner
	call     *site     // nil for a name
	argument *argument // of the call
}

// called is a function, or a class whose __init__ is called.
type called struct {
	def  *python.Statement
	name string
	self int // 1 for a method, whose first parameter is not in the call
}

// place is a name in a statement.
type place struct {
	s  *python.Statement
	at int // the index of its token
}

// index indexes the functions and names of the module, once.
func (p *program) index() {
	if p.places != nil {
		return
	}
	p.places, p.callees, p.quoted = map[string][]place{}, map[string]called{}, map[string]bool{}
	for i, s := range p.all {
		decorated := i > 0 && p.all[i-1].Tokens[0].Text == "@"
		for at, k := range s.Tokens {
			switch {
			case k.Kind == python.Name && (at == 0 || s.Tokens[at-1].Text != "."):
				p.places[k.Text] = append(p.places[k.Text], place{s, at})
			case k.Kind == python.String:
				p.quoted[k.Text] = true
			case k.Kind == python.Other:
				for _, word := range wordsOf(k.Text) {
					p.quoted[word] = true
				}
			}
		}
		c, outer := called{def: s, name: s.Named()}, s
		if s.Tokens[0].Text != "def" || decorated {
			continue
		}
		if class := class(s); class != nil && s.Blocks[len(s.Blocks)-1] == class && c.name == "__init__" {
			c.name, c.self, outer = i0(class.Tokens, 1), 1, class
			before := slices.Index(p.all[:i], class) - 1
			decorated = before >= 0 && p.all[before].Tokens[0].Text == "@"
		}
		if c.name != "" && !decorated && len(outer.Blocks) == 0 && len(p.scopes[nil][c.name]) == 1 && !p.starred(outer) {
			p.callees[c.name] = c
		}
	}
}

// callee returns the function or class with a name if all its calls are visible.
func (p *program) callee(name string) (c called, ok bool) {
	p.index()
	c, ok = p.callees[name]
	return c, ok && !p.quoted[name] && (p.shared == nil || !p.shared(name))
}

// calledAs is like callee, for a definition.
func (p *program) calledAs(def *python.Statement) (c called, ok bool) {
	name := def.Named()
	if class := class(def); class != nil && name == "__init__" {
		name = i0(class.Tokens, 1)
	}
	c, ok = p.callee(name)
	return c, ok && c.def == def
}

// parameter returns the name of a parameter in the head of a function.
func (a argument) parameter() string {
	if a.key != "" {
		return a.key
	}
	return a.value[0].Text
}

// argumentFor returns the argument of a call for a parameter of a function.
func (c called) argumentFor(call *site, parameter string) *argument {
	head, ok := newSite(c.def, 1, 1)
	if !ok || call.open {
		return nil
	}
	at, position, byName := -1, -c.self, false
	for i, a := range head.arguments {
		switch name := a.value[0].Text; {
		case name == "*" && len(a.value) == 1:
			if byName = true; i == len(head.arguments)-2 && head.arguments[i+1].parameter() == parameter {
				return nil // another has to follow
			}
		case name == "*" || name == "**":
			return nil
		case name == "/" && a.key == "":
			if i == 1 && head.arguments[0].parameter() == parameter {
				return nil // another has to be before it
			}
		default:
			if a.parameter() == parameter && !byName {
				at = position
			}
			position++
		}
	}
	for i := range call.arguments {
		if a := &call.arguments[i]; a.key == parameter || a.key == "" && i == at {
			return a
		}
	}
	return nil
}

// parameterOf reports whether all calls of a function pass the run, and nothing else, for a parameter.
func (p *program) parameterOf(o owner) (is bool) {
	if v, known := p.verdicts[o]; known {
		return v.one
	}
	p.verdicts[o] = verdict{} // in the meantime: in a cycle nothing is certain
	defer func() { p.verdicts[o] = verdict{one: is} }()
	c, ok := p.calledAs(o.in)
	if !ok {
		return false
	}
	calls := 0
	for _, use := range p.places[c.name] {
		s, i := use.s, use.at
		if f := s.First(); (f == "def" || f == "class") && i == 1 {
			continue
		}
		if _, in := p.bindings(s, c.name); in != nil {
			continue
		}
		call, ok := newSite(s, i, i)
		if i0(s.Tokens, i+1) != "(" || !ok || calls == mostCalls {
			return false
		}
		a := c.argumentFor(call, o.name)
		if a == nil || !p.isRun(s, a.value) {
			return false
		}
		calls++
	}
	return calls > 0
}

// mostCalls is the maximum number of a function's calls that are followed.
const mostCalls = 100

// isRun reports whether an expression is certainly the run and nothing else.
func (p *program) isRun(s *python.Statement, value []token) bool {
	for i, k := range s.Tokens {
		if len(value) > 0 && k.At == value[0].At {
			found, ok := p.subjectAt(s, i)
			return ok && found.why == "" && s.Tokens[found.last].At == value[len(value)-1].At
		}
	}
	return false
}

// handOn records a use of the run that only passes it on to something that is certainly the run too, and reports
// whether it is one.
func (w *writer) handOn(s *python.Statement, begin int, found subject) bool {
	t := s.Tokens
	if f := s.First(); f == "def" || f == "class" {
		return false
	}
	if o, ok := w.alias(s); ok && s.Tokens[begin-1].Text == "=" && found.last == len(t)-1 {
		w.pass(pass{from: found.owner, to: o})
		return true
	}
	for i := begin - 1; i > 0; i-- {
		if t[i].Text != "(" || t[i-1].Kind != python.Name {
			continue
		}
		call, ok := newSite(s, i-1, i-1)
		if !ok || call.close < found.last {
			continue
		}
		for n := range call.arguments {
			a := &call.arguments[n]
			if a.value[0].At != t[begin].At || a.value[len(a.value)-1].At != t[found.last].At {
				continue
			}
			o, ok := w.parameterGiven(s, call, a)
			if ok {
				w.pass(pass{from: found.owner, to: o, call: call, argument: a})
			}
			return ok
		}
		return false
	}
	return false
}

// parameterGiven returns the parameter that takes an argument, if it is certainly the run.
func (w *writer) parameterGiven(s *python.Statement, call *site, a *argument) (o owner, ok bool) {
	name := s.Tokens[call.begin].Text
	if call.begin > 0 && s.Tokens[call.begin-1].Text == "." {
		return o, false
	}
	c, ok := w.callee(name)
	if !ok {
		return o, false
	}
	for parameter := range w.scopes[c.def] {
		o := owner{c.def, parameter}
		if w.isParameter(o) && c.argumentFor(call, parameter) == a {
			return o, w.parameterOf(o)
		}
	}
	return o, false
}

// isParameter reports whether a name in a function is set only by its calls.
func (p *program) isParameter(o owner) bool {
	list := p.scopes[o.in][o.name]
	return len(list) == 1 && list[0].how == passed
}

// alias returns the owner that a statement sets to the run.
func (p *program) alias(s *python.Statement) (o owner, ok bool) {
	t := s.Tokens
	name, in := t[0].Text, scope(s)
	if name == "self" && i0(t, 1) == "." && len(t) > 3 {
		name, in = "self."+t[2].Text, class(s)
	}
	if list := p.scopes[in][name]; len(list) != 1 || list[0].at != s {
		return o, false
	}
	o = owner{in, name}
	why, one := p.held(o, p.scopes[in][name])
	return o, one && why == ""
}

func (w *writer) pass(p pass) {
	w.passes = append(w.passes, p)
	if !w.known[p.to] {
		w.known[p.to] = true
		w.owners = append(w.owners, p.to)
	}
}

// settle keeps the owners that kept owners get the run from.
func (w *writer) settle() {
	for changed := true; changed; {
		changed = false
		for _, p := range w.passes {
			if keeps := w.kept[p.to] || w.seen(p.to); keeps && !w.kept[p.from] {
				w.kept[p.from], changed = true, true
			}
		}
	}
}

// dropParameter removes a parameter from a function and from its calls.
func (w *writer) dropParameter(o owner) {
	head, ok := newSite(o.in, 1, 1)
	if !ok {
		return
	}
	for i := range head.arguments {
		if head.arguments[i].parameter() == o.name {
			w.edits = append(w.edits, w.without(head, i))
		}
	}
	for _, p := range w.passes {
		if p.to == o && p.call != nil {
			w.edits = append(w.edits, w.without(p.call, slices.IndexFunc(p.call.arguments, func(a argument) bool { return a.at == p.argument.at })))
		}
	}
}

// without returns the edit that removes an argument and a comma next to it.
func (w *writer) without(c *site, i int) Edit {
	a := c.arguments[i]
	end := a.value[len(a.value)-1].End
	if i == 0 && len(c.arguments) > 1 {
		return Edit{c.s.Tokens[a.at].At, c.s.Tokens[c.arguments[1].at].At, ""}
	}
	if i > 0 {
		before := c.arguments[i-1].value
		return Edit{before[len(before)-1].End, end, ""}
	}
	return Edit{c.s.Tokens[a.at].At, end, ""}
}
