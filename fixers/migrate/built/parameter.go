package built

import (
	"slices"

	"github.com/amlfix/amlfix/schema/python"
)

// parameter is a parameter of a function of the program.
type parameter struct {
	of       string         // the function; "" if it cannot be followed
	place    int            // its position
	instead  []python.Token // its default; nil if it has none
	function *python.Statement
}

// parameter returns a function's parameter by name, or nil.
func (p *program) parameter(name string, function *python.Statement) *parameter {
	for i, one := range p.params[name] {
		if one.function == function && function != nil {
			return &p.params[name][i]
		}
	}
	return nil
}

// noteParameters records the parameters of a function.
func (p *program) noteParameters(s *python.Statement) {
	t := s.Tokens
	open := slices.IndexFunc(t, func(k python.Token) bool { return k.Text == "(" && k.Kind == python.Operator })
	if open < 2 {
		return
	}
	name := t[open-1].Text
	p.lost[name] = true
	of := name
	if s.Method() {
		of = ""
	} else {
		p.defs[name] = append(p.defs[name], s)
	}
	depth, place := 0, 0
	for i := open; i+1 < len(t); i++ {
		if depth += python.Bracket(t[i]); depth == 0 {
			return
		}
		if depth != 1 || t[i].Kind != python.Operator || t[i].Text != "(" && t[i].Text != "," && t[i].Text != "*" && t[i].Text != "**" || t[i+1].Kind != python.Name {
			continue
		}
		one := parameter{of: of, place: place, function: s}
		if t[i].Text == "*" || t[i].Text == "**" {
			one.of = ""
		}
		place++
		for j, inner := i+2, 0; j < len(t); j++ {
			if inner == 0 && (t[j].Text == "," || t[j].Text == ")") {
				break
			}
			if inner += python.Bracket(t[j]); inner == 0 && t[j].Text == "=" {
				one.instead = toComma(t[j+1:])
				break
			}
		}
		p.params[t[i+1].Text] = append(p.params[t[i+1].Text], one)
	}
}

// toComma returns the tokens up to the comma or bracket that ends an argument.
func toComma(t []python.Token) []python.Token {
	depth := 0
	for i, k := range t {
		if depth == 0 && k.Kind == python.Operator && (k.Text == "," || k.Text == ")") {
			return t[:i]
		}
		depth += python.Bracket(k)
	}
	return nil
}

// noteUses records where functions are used.
func (p *program) noteUses() {
	functions := map[string]bool{}
	for _, list := range p.params {
		for _, one := range list {
			functions[one.of] = true
		}
	}
	for _, s := range p.all {
		for i, k := range s.Tokens {
			if k.Kind != python.Name || !functions[k.Text] || i > 0 && (s.Tokens[i-1].Text == "." || s.Tokens[i-1].Text == "def") {
				continue
			}
			p.uses[k.Text] = append(p.uses[k.Text], s.Tokens[i+1:])
		}
	}
}

// passed returns what a parameter stands for: what all calls of its function pass, or its default.
func (p *program) passed(name string, one *parameter, depth int) (v value) {
	if p.setInside(name, one) || p.changedElsewhere(name) || p.busy[one] || one.of == "" {
		return value{}
	}
	p.busy[one] = true
	defer delete(p.busy, one)
	for k, t := range p.uses[one.of] {
		c, ok := python.CallAt(t, 0)
		if len(t) == 0 || t[0].Text != "(" || !ok || c.Open || !p.spend(len(t)) {
			return value{}
		}
		given := p.argument(c, name, one.place)
		if given == nil {
			given = one.instead
		}
		got := p.eval(given, depth)
		if got.literal == nil && got.object == nil || k > 0 && !same(v, got) {
			return value{}
		}
		v = got
	}
	return v
}

// setInside reports whether a function may set its own parameter.
func (p *program) setInside(name string, one *parameter) bool {
	return p.lost[name] || slices.ContainsFunc(p.set[name], func(s setting) bool { return s.at.Function() == one.function })
}

// same reports whether two values are certainly equal.
func same(a, b value) bool {
	switch {
	case a.object != nil && b.object != nil:
		return place(a.object) == place(b.object)
	case a.literal == nil || b.literal == nil || len(a.literal.Entries())+len(a.literal.Items())+len(b.literal.Entries())+len(b.literal.Items()) > 0:
		return false
	}
	return a.literal.Kind == b.literal.Kind && a.literal.Tag() == b.literal.Tag() && a.literal.Value == b.literal.Value
}
