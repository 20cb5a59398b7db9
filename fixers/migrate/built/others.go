package built

import (
	"maps"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/python"
)

// dotted returns the name at the beginning of name.path, and the path; the name is "" for any other expression.
func dotted(t []python.Token) (name, path string) {
	for i, k := range t {
		if dot := k.Text == "." && k.Kind == python.Operator; dot != (i%2 == 1) || !dot && k.Kind != python.Name {
			return "", ""
		}
	}
	name, path, _ = strings.Cut(python.Written(t), ".")
	return name, path
}

// below returns a statement about a name as one about what the name stands for, which has a path.
func (s setting) below(path string) setting {
	s.path = strings.Trim(path+"."+s.path, ".")
	return s
}

// noteSetattr records setattr(name.path, "attribute", value).
func (p *program) noteSetattr(s *python.Statement) {
	c, ok := python.CallAt(s.Tokens, 1)
	if !ok || len(c.Positional) != 3 {
		return
	}
	one := setting{at: s, path: "setattr", tokens: s.Tokens}
	if attribute, literal := python.Literal(c.Positional[1]); literal {
		one.path, one.tokens = attribute, c.Positional[2]
	}
	name, path := dotted(c.Positional[0])
	p.attrs[name] = append(p.attrs[name], one.below(path))
}

// loseTargets records what a statement sets: names as lost, and attributes as not known.
func (p *program) loseTargets(s *python.Statement, t []python.Token) {
	inside := 0 // of an index
	for i, k := range t {
		if k.Text == "[" && i > 0 || inside > 0 {
			inside += python.Bracket(k)
		}
		if inside > 0 || k.Kind != python.Name || i > 0 && t[i-1].Text == "." {
			continue
		}
		end := i + 1
		for end+1 < len(t) && t[end].Text == "." {
			end += 2
		}
		if name, path := dotted(t[i:end]); path != "" {
			p.attrs[name] = append(p.attrs[name], setting{at: s, path: path, tokens: s.Tokens})
		} else {
			p.lost[k.Text] = true
		}
	}
}

// noteOthers records what statements change through another name: part = name.path, or a parameter of a function that
// is called with it.
func (p *program) noteOthers() {
	for _, s := range slices.Backward(p.all) {
		target, begin := python.Assigned(s.Tokens)
		if len(p.set[target]) != 1 || len(p.params[target]) > 0 || p.lost[target] || begin >= len(s.Tokens) {
			continue
		}
		if name, path := dotted(s.Tokens[begin:]); name != target && len(p.set[name])+len(p.params[name]) == 1 {
			p.aliases[target] = [2]string{name, path}
			p.move(target, name, func(one setting) (setting, bool) { return one.below(path), true })
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.params)) {
		for i := range p.params[name] {
			p.follow(name, &p.params[name][i])
		}
	}
}

// follow adds what a function changes in its parameter to what changes in the names that it is called with.
func (p *program) follow(name string, one *parameter) {
	if one.of == "" || len(p.defs[one.of]) != 1 || p.setInside(name, one) || len(p.attrs[name])+len(p.calls[name]) == 0 {
		return
	}
	one.followed = true
	for _, t := range p.uses[one.of] {
		c, ok := python.CallAt(t, 0)
		p.spend(len(t))
		given := argument(c, name, one.place)
		to, path := dotted(given)
		for n := 0; n < maxDepth && p.aliases[to][0] != ""; n++ {
			path = strings.Trim(p.aliases[to][1]+"."+path, ".")
			to = p.aliases[to][0]
		}
		if !ok || len(t) == 0 || t[0].Text != "(" || c.Open || to == "" {
			one.followed = false
			continue
		}
		at := p.statement(t[0].At)
		p.move(name, to, func(s setting) (setting, bool) {
			in := s.at
			s.at = at
			if in.Conditional() && in.Function() == one.function {
				s.tokens, s.key = in.Tokens, nil
			}
			return s.below(path), in.Function() == one.function
		})
	}
}

// move adds statements about a name to those about another one.
func (p *program) move(from, to string, of func(setting) (setting, bool)) {
	for _, list := range []map[string][]setting{p.attrs, p.calls} {
		if !p.spend(len(list[from])) {
			return
		}
		for _, s := range slices.Clone(list[from]) {
			if moved, is := of(s); is {
				list[to] = append(list[to], moved)
			}
		}
		plain.SortFunc(list[to], func(x, y setting) int { return x.at.Tokens[0].At - y.at.Tokens[0].At })
	}
}
