package tracking

import (
	"cmp"
	"slices"

	"github.com/amlfix/amlfix/schema/python"
)

// how is the way in which a name is set.
type how uint8

const (
	other    how = iota // in a way that says nothing about its value
	assigned            // to a value
	looped              // to each element of a value
	imported
	passed // as a parameter
)

// binding is one place where a name is set.
type binding struct {
	how   how
	value []python.Token // assigned: the value; looped: what is iterated over
	// module and item are what is imported; item is "" for a module.
	module, item string
	at           *python.Statement
	simple       bool // the statement does nothing else
}

// bind records the names that a statement sets.
func (p *program) bind(s *python.Statement) {
	t := s.Tokens
	if t[0].Text == "async" && len(t) > 1 {
		t = t[1:]
	}
	p.hidden(s, t)
	if colon := headEnd(t); colon > 0 { // a statement may follow on the line
		p.statement(s, t[:colon+1], false)
		if colon+1 < len(t) {
			p.statement(s, t[colon+1:], false)
		}
		return
	}
	p.statement(s, t, true)
}

// headEnd returns the index of the colon after the head of a compound statement, or 0 for a simple one.
func headEnd(t []python.Token) int {
	if !slices.Contains(python.Compound, t[0].Text) {
		if last := t[len(t)-1]; (t[0].Text == "match" || t[0].Text == "case") && last.Text == ":" && last.Kind == python.Operator {
			return len(t) - 1
		}
		return 0
	}
	depth, lambdas := 0, 0
	for i, k := range t {
		depth += python.Bracket(k)
		switch {
		case depth == 0 && k.Kind == python.Name && k.Text == "lambda":
			lambdas++
		case depth == 0 && k.Kind == python.Operator && k.Text == ":":
			if lambdas == 0 {
				return i
			}
			lambdas--
		}
	}
	return 0
}

// hidden records the names that are set within expressions: by ":=", in lambdas and comprehensions. That the latter two
// are not visible outside is ignored.
func (p *program) hidden(s *python.Statement, t []python.Token) {
	depth := 0
	for i, k := range t {
		depth += python.Bracket(k)
		switch {
		case k.Kind == python.Operator && k.Text == ":=" && i > 0:
			p.set(s, t[i-1].Text, binding{at: s})
		case k.Kind == python.Name && k.Text == "lambda":
			inner := 0
			for _, n := range t[i+1:] {
				if inner += python.Bracket(n); inner < 0 || inner == 0 && n.Kind == python.Operator && n.Text == ":" {
					break
				}
				p.setName(s, n)
			}
		case k.Kind == python.Name && k.Text == "for" && depth > 0:
			for _, n := range t[i+1:] {
				if n.Text == "in" {
					break
				}
				p.setName(s, n)
			}
		}
	}
}

func (p *program) setName(s *python.Statement, t python.Token) {
	if t.Kind == python.Name {
		p.set(s, t.Text, binding{at: s})
	}
}

// statement records the names that a simple statement, or the head of a compound one, sets; whole means that it is all
// of s.
func (p *program) statement(s *python.Statement, t []python.Token, whole bool) {
	switch t[0].Text {
	case "import", "from":
		p.imports(s, t)
	case "def":
		p.function(s, t)
	case "class":
		if len(t) > 1 {
			p.setName(s, t[1])
		}
	case "for":
		if in := slices.IndexFunc(t, func(k python.Token) bool { return k.Kind == python.Name && k.Text == "in" }); in > 0 {
			if in == 2 {
				p.set(s, t[1].Text, binding{how: looped, value: t[3 : len(t)-1], at: s})
				return
			}
			p.setAll(s, t[1:in])
		}
	case "with", "except":
		for i, k := range t {
			if k.Kind == python.Name && k.Text == "as" {
				p.setAll(s, upToComma(t[i+1:]))
			}
		}
	case "del", "case", "global", "nonlocal":
		if t[0].Text != "global" {
			p.setAll(s, t[1:])
		}
	default:
		p.assignment(s, t, whole)
	}
}

func (p *program) setAll(s *python.Statement, t []python.Token) {
	for _, k := range t {
		p.setName(s, k)
	}
}

func upToComma(t []python.Token) []python.Token {
	depth := 0
	for i, k := range t {
		if depth += python.Bracket(k); depth < 0 || depth == 0 && (k.Text == "," || k.Text == ":") {
			return t[:i]
		}
	}
	return t
}

// imports records the names that an import sets.
func (p *program) imports(s *python.Statement, t []python.Token) {
	for _, n := range importsOf(t) {
		if n.item == "*" {
			p.star = max(p.star, s.Tokens[0].At+1)
			continue
		}
		b := binding{how: imported, module: n.module, item: n.item, at: s}
		p.set(s, n.as, b)
	}
}

// name is one name in an import.
type name struct {
	module, item, as string
	tokens           []python.Token
}

// Imports returns, for each name that a statement imports, its module and the name in it; "" for the module itself.
func Imports(t []python.Token) (modules, names []string) {
	if t[0].Text != "import" && t[0].Text != "from" {
		return nil, nil
	}
	for _, n := range importsOf(t) {
		modules, names = append(modules, n.module), append(names, n.item)
	}
	return modules, names
}

// importsOf returns the names that an import sets.
func importsOf(t []python.Token) (names []name) {
	module, from, rest := "", t[0].Text == "from", t[1:]
	if from {
		i := slices.IndexFunc(t, func(k python.Token) bool { return k.Kind == python.Name && k.Text == "import" })
		if i < 0 {
			return nil
		}
		module, rest = python.Written(t[1:i]), t[i+1:]
		if len(rest) > 1 && rest[0].Text == "(" {
			rest = rest[1 : len(rest)-1]
		}
	}
	for len(rest) > 0 {
		one := upToComma(rest)
		rest = rest[min(len(one)+1, len(rest)):]
		path, as := one, ""
		if len(one) > 2 && one[len(one)-2].Text == "as" {
			path, as = one[:len(one)-2], one[len(one)-1].Text
		}
		if len(path) == 0 {
			continue
		}
		n := name{module: module, item: python.Written(path), as: as, tokens: one}
		if !from {
			n.module, n.item = n.item, ""
			if as == "" { // the first part is set, to a package that contains the others
				n.as = path[0].Text
			}
		}
		n.as = cmp.Or(n.as, n.item)
		names = append(names, n)
	}
	return names
}

// function records a function's name in its scope, and its parameters within it.
func (p *program) function(s *python.Statement, t []python.Token) {
	if len(t) < 3 {
		return
	}
	p.setName(s, t[1])
	open := slices.IndexFunc(t, func(k python.Token) bool { return k.Text == "(" })
	if open < 0 {
		return
	}
	depth := 0
	for i := open; i < len(t); i++ {
		depth += python.Bracket(t[i])
		if depth == 0 {
			break
		}
		if before := t[i-1].Text; depth == 1 && t[i].Kind == python.Name && (before == "(" || before == "," || before == "*" || before == "**") {
			b := binding{at: s}
			if before == "(" || before == "," {
				b.how = passed
			}
			p.setIn(s, t[i].Text, b)
			if s.Tokens[len(s.Tokens)-1].Text != ":" {
				p.set(s, t[i].Text, binding{at: s}) // its body is on the same line
			}
		}
	}
}

// assignment records the targets of an assignment.
func (p *program) assignment(s *python.Statement, t []python.Token, whole bool) {
	var signs []int
	depth, colon := 0, -1
	for i, k := range t {
		depth += python.Bracket(k)
		switch {
		case depth != 0 || k.Kind != python.Operator:
		case k.Text == "=":
			signs = append(signs, i)
		case k.Text == ":" && colon < 0 && len(signs) == 0:
			colon = i
		case len(k.Text) > 1 && k.Text[len(k.Text)-1] == '=' && !slices.Contains([]string{"==", "!=", "<=", ">=", ":="}, k.Text):
			p.target(s, t[:i], binding{how: assigned, value: t[i+1:], at: s})
			return
		}
	}
	if len(signs) == 0 {
		return
	}
	b := binding{how: assigned, value: t[signs[len(signs)-1]+1:], at: s, simple: whole && len(signs) == 1}
	begin := 0
	for _, end := range signs {
		target := t[begin:end]
		if colon > begin && colon < end {
			target = t[begin:colon]
		}
		p.target(s, target, b)
		begin = end + 1
	}
}

// target records one target of an assignment.
func (p *program) target(s *python.Statement, t []python.Token, b binding) {
	switch {
	case len(t) == 1 && t[0].Kind == python.Name:
		p.set(s, t[0].Text, b)
	case len(t) == 3 && t[0].Text == "self" && t[1].Text == "." && t[2].Kind == python.Name && class(s) != nil:
		p.setIn(class(s), "self."+t[2].Text, b)
	default:
		depth := 0
		for i, k := range t {
			depth += python.Bracket(k)
			switch {
			case k.Kind != python.Name:
			case i > 0 && t[i-1].Text == ".":
				if i+1 == len(t) || t[i+1].Text == "," {
					p.elsewhere[k.Text] = true // an attribute of something
				}
			case i+1 < len(t) && (t[i+1].Text == "." || t[i+1].Text == "["):
			default:
				p.set(s, k.Text, binding{at: s})
			}
		}
	}
}
