package built

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/python"
	"github.com/amlfix/amlfix/schema/source"
)

// Likely is what a value that is known only when the program starts usually is: the default of an option of the
// program, or of a variable of its environment.
type Likely struct {
	Value *document.Node
	// Option and Variable are where the value comes from; one of them is "".
	Option, Variable string
}

// Usually returns what an open value of the thing usually is.
func (th *Thing) Usually(n *document.Node) (l Likely, ok bool) {
	l, ok = th.likely[n.Span]
	return l, ok
}

// guess notes what an expression usually yields.
func (p *program) guess(t []python.Token, at source.Span) {
	if l, ok := p.usually(t, 0); ok && l.Value != nil && l.Value.Kind == document.Scalar && l.Value.Value != "" && l.Value.Tag() != "!!null" {
		p.likely[at] = l
	}
}

// usually is guess for an expression.
func (p *program) usually(t []python.Token, depth int) (l Likely, ok bool) {
	t = python.Bare(t)
	if len(t) == 0 || depth > maxDepth || !p.spend(len(t)) {
		return l, false
	}
	bracket := slices.IndexFunc(t, func(k python.Token) bool { return k.Text == "(" && k.Kind == python.Operator })
	switch {
	case len(t) == 1 && t[0].Kind == python.Name && p.parameter(t[0].Text, p.scope(t[0].At)) != nil:
		return p.usually(p.onlyArgument(t[0].Text, p.parameter(t[0].Text, p.scope(t[0].At))), depth+1)
	case len(t) == 1 && t[0].Kind == python.Name:
		list := p.settings(t[0].Text, t[0].At)
		if s, ok := p.inForce(t[0].Text, t[0].At); ok {
			list = []setting{s}
		} else if depth > 0 {
			list = nil // there would be too many ways
		}
		for _, s := range list { // a compute target is found or created
			one, is := p.usually(s.tokens, depth+1)
			if !is || ok && (one.Option+one.Variable != l.Option+l.Variable || one.Value.Text() != l.Value.Text()) {
				return Likely{}, false
			}
			l, ok = one, true
		}
		if ok {
			return l, true
		}
	case len(t) == 3 && t[0].Kind == python.Name && t[1].Text == "." && t[2].Kind == python.Name && p.parses(t[:1]) && !p.replaced(t[2].Text):
		return p.option(t[2].Text)
	case bracket > 0:
		c, read := python.CallAt(t, bracket)
		if !read || c.Open || c.End != len(t)-1 || len(c.Positional) == 0 {
			break
		}
		switch of := python.Written(t[:bracket]); of {
		case "os.getenv", "os.environ.get":
			if name := p.eval(c.Positional[0], depth+1).text(); name != nil && !p.exported(name.Value) {
				l = Likely{Variable: name.Value, Value: p.eval(p.argument(c, "default", 1), depth+1).literal}
				return l, true
			}
		case "str", "int", "float":
			return p.usually(c.Positional[0], depth+1)
		}
	}
	if o := p.eval(t, depth+1).object; o != nil {
		return p.usually(targetName(o), depth+1)
	}
	return l, false
}

// onlyArgument returns what the only call of a function passes for a parameter that it does not set, or nil.
func (p *program) onlyArgument(name string, one *parameter) []python.Token {
	uses := p.uses[one.of]
	if len(uses) != 1 || len(uses[0]) == 0 || uses[0][0].Text != "(" || one.of == "" || p.setInside(name, one) {
		return nil
	}
	c, ok := python.CallAt(uses[0], 0)
	if !ok || c.Open {
		return nil
	}
	return p.argument(c, name, one.place)
}

// option returns the only option of the program that sets an attribute of its arguments.
func (p *program) option(attribute string) (l Likely, ok bool) {
	for _, calls := range p.calls {
		for _, s := range calls {
			if s.path != "add_argument" || !p.spend(len(s.tokens)) {
				continue
			}
			c, read := python.CallAt(s.tokens, 0)
			if !read || c.Open || len(c.Positional) == 0 {
				continue
			}
			name, literally := python.Literal(c.Positional[len(c.Positional)-1])
			if dest, given := python.Literal(c.Keywords["dest"]); literally && attribute == strings.ReplaceAll(strings.TrimLeft(name, "-"), "-", "_") && !given || given && dest == attribute {
				if ok {
					return Likely{}, false
				}
				l, ok = Likely{Option: name, Value: p.eval(c.Keywords["default"], 0).literal}, true
			}
		}
	}
	return l, ok
}
