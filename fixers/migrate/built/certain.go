package built

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/python"
)

// parsed reports whether a name always stands for the arguments that argparse read, here or where a function gets it.
func (p *program) parsed(name string) bool {
	return len(p.set[name]) > 0 && !p.lost[name] && !slices.ContainsFunc(p.set[name], func(s setting) bool { return !p.parses(s.tokens) })
}

// parses reports whether an expression is what argparse read, also by way of a function of the program or a parameter.
func (p *program) parses(t []python.Token) bool {
	t = python.Bare(t)
	if len(t) == 0 || !p.spend(len(t)) || strings.HasSuffix(strings.TrimRight(python.Written(t), "()"), ".parse_args") {
		return len(t) > 0
	}
	if one := p.parameter(t[0].Text, p.scope(t[0].At)); len(t) == 1 && one != nil && !p.busy[one] {
		p.busy[one] = true
		defer delete(p.busy, one)
		return p.parsed(t[0].Text) || p.parses(p.onlyArgument(t[0].Text, one))
	}
	if defs := p.defs[t[0].Text]; len(t) > 2 && t[1].Text == "(" && len(defs) == 1 && defs[0] != nil && len(p.returns[defs[0]]) == 1 && !p.busy[defs[0]] {
		p.busy[defs[0]] = true
		defer delete(p.busy, defs[0])
		c, ok := python.CallAt(t, 1)
		return ok && c.End == len(t)-1 && p.parses(p.returns[defs[0]][0].tokens)
	}
	if s, ok := p.inForce(t[0].Text, t[0].At); ok && len(t) == 1 && !p.busy[s.at] && !p.lost[t[0].Text] {
		p.busy[s.at] = true
		defer delete(p.busy, s.at)
		return p.parses(s.tokens)
	}
	return len(t) == 1 && p.parsed(t[0].Text)
}

// replaced reports whether the program may set an attribute of its arguments, so that an option's default says little.
func (p *program) replaced(attribute string) bool {
	for name, list := range p.attrs {
		if !p.spend(len(list)) || slices.ContainsFunc(list, func(s setting) bool { return s.path == attribute || s.path == "__dict__" }) && p.mayBeParsed(name) {
			return true
		}
	}
	return p.anywhere(func(t []python.Token, i int) bool {
		switch t[i].Text {
		case "setattr", "vars", "__dict__":
			return true
		case "set_defaults":
			c, ok := python.CallAt(t, i+1)
			return !ok || c.Open || c.Keywords[attribute] != nil
		}
		return false
	})
}

// mayBeParsed reports whether a name may be another one for the arguments that argparse read.
func (p *program) mayBeParsed(name string) bool {
	return p.parsed(name) || p.lost[name] || len(p.params[name]) > 0 || slices.ContainsFunc(p.set[name], func(s setting) bool { return len(python.Bare(s.tokens)) == 1 })
}

// exported reports whether the program may set a variable of its own environment.
func (p *program) exported(name string) bool {
	return p.anywhere(func(t []python.Token, i int) bool {
		var key []python.Token
		method := 0 // where a method is called
		switch {
		case t[i].Text == "putenv":
			method = i
		case t[i].Text != "environ":
			return false
		case i+1 == len(t): // another name for it
			target, _ := python.Assigned(t)
			return target != ""
		case t[i+1].Text == "[":
			c, ok := python.CallAt(t, i+1)
			if !ok || len(c.Positional) != 1 {
				return true
			}
			read := c.End+1 >= len(t) || !strings.HasSuffix(t[c.End+1].Text, "=") || t[c.End+1].Text == "==" || t[c.End+1].Text == "!="
			if read && t[0].Text != "del" {
				return false
			}
			key = c.Positional[0]
		case t[i+1].Text == "|=":
			return true
		case t[i+1].Text == "." && i+2 < len(t):
			switch t[i+2].Text {
			case "setdefault", "pop":
				method = i + 2
			case "update":
				return true
			}
		}
		if method > 0 {
			c, ok := python.CallAt(t, method+1)
			if !ok || c.Open || len(c.Positional) == 0 {
				return true
			}
			key = c.Positional[0]
		} else if key == nil {
			return false
		}
		written := p.eval(key, 0).text()
		return written == nil || written.Value == name
	})
}

// anywhere reports whether something is true of a name in the program, or the program is too long to say.
func (p *program) anywhere(is func(t []python.Token, i int) bool) bool {
	for _, s := range p.all {
		if !p.spend(len(s.Tokens)) {
			return true
		}
		for i, k := range s.Tokens {
			if k.Kind == python.Name && is(s.Tokens, i) {
				return true
			}
		}
	}
	return false
}
