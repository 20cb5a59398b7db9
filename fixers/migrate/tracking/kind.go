package tracking

import (
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema/python"
)

// kind is what is known about a value.
type kind uint8

const (
	unknown kind = iota
	whole        // a number without a fraction
	number
	text
	numbers // a list of them
)

func numeric(k kind) bool { return k == whole || k == number }

// deepest is the maximum number of names that are followed to where they are set.
const deepest = 8

// kind returns the kind that an expression in a statement certainly has.
func (p *program) kind(s *python.Statement, t []python.Token) kind { return p.kindAt(s, t, 0) }

func (p *program) kindAt(s *python.Statement, t []python.Token, depth int) kind {
	t = python.Bare(t)
	if len(t) == 0 || depth > deepest {
		return unknown
	}
	if yes, no, ok := choice(t); ok {
		if a, b := p.kindAt(s, yes, depth+1), p.kindAt(s, no, depth+1); a == b {
			return a
		} else if numeric(a) && numeric(b) {
			return number
		}
		return unknown
	}
	if k, ok := p.operation(s, t, depth); ok {
		return k
	}
	switch {
	case !slices.ContainsFunc(t, func(k python.Token) bool { return k.Kind != python.String && k.Kind != python.Other }):
		if strings.HasPrefix(strings.ToLower(p.text[t[0].At:t[0].End]), "b") {
			return unknown
		}
		return text
	case len(t) == 1 && t[0].Kind == python.Number:
		switch {
		case strings.ContainsAny(t[0].Text, "jJ"):
			return unknown
		case strings.Trim(t[0].Text, "0123456789_") == "":
			return whole
		}
		return number
	case len(t) > 1 && t[0].Kind == python.Operator && (t[0].Text == "-" || t[0].Text == "+"):
		if k := p.kindAt(s, t[1:], depth+1); numeric(k) {
			return k
		}
		return unknown
	case len(t) == 1 && t[0].Kind == python.Name:
		return p.kindOfName(s, t[0].Text, depth)
	case t[0].Text == "[":
		return p.kindOfList(s, t, depth)
	}
	return p.kindOfCall(s, t, depth)
}

// choice splits "a if b else c".
func choice(t []python.Token) (yes, no []python.Token, ok bool) {
	depth, at := 0, 0
	for i, k := range t {
		if depth += python.Bracket(k); depth != 0 || k.Kind != python.Name {
			continue
		}
		switch {
		case k.Text == "lambda":
			return nil, nil, false
		case k.Text == "if" && at == 0:
			at = i
		case k.Text == "else" && at > 0:
			return t[:at], t[i+1:], true
		}
	}
	return nil, nil, false
}

// operation returns the kind of an expression with operators outside brackets; ok is false if there are none.
func (p *program) operation(s *python.Statement, t []python.Token, depth int) (k kind, ok bool) {
	var parts [][]python.Token
	var signs []string
	level, begin := 0, 0
	for i, o := range t {
		if level += python.Bracket(o); level != 0 {
			continue
		}
		if o.Kind == python.Name && slices.Contains([]string{"and", "or", "not", "in", "is", "lambda", "await", "for", "yield"}, o.Text) {
			return unknown, true
		}
		if o.Kind != python.Operator || i == begin || slices.Contains([]string{".", ",", "(", ")", "[", "]", "{", "}"}, o.Text) || o.Text == "..." {
			continue
		}
		parts, signs, begin = append(parts, t[begin:i]), append(signs, o.Text), i+1
	}
	if len(signs) == 0 {
		return unknown, false
	}
	parts = append(parts, t[begin:])
	k = whole
	for i, part := range parts {
		one := p.kindAt(s, part, depth+1)
		switch {
		case i == 0 && one == text && (signs[0] == "%" || signs[0] == "+"), i > 0 && signs[i-1] == "+" && one == text:
			return text, true // everything else would fail
		case !numeric(one):
			return unknown, true
		case one == number:
			k = number
		}
	}
	for _, sign := range signs {
		switch sign {
		case "+", "-", "*", "//", "%":
		case "/", "**":
			k = number
		default:
			return unknown, true
		}
	}
	return k, true
}

// kindOfName returns the kind that a name has wherever it is set.
func (p *program) kindOfName(s *python.Statement, name string, depth int) kind {
	list, in := p.bindings(s, name)
	if len(list) == 0 || len(list) > 2*deepest {
		return unknown
	}
	where := name + "\x00"
	if in != nil {
		where += p.source(in.Tokens[:1]) + strconv.Itoa(in.Tokens[0].At)
	}
	if k, known := p.kinds[where]; known {
		return k
	}
	p.kinds[where] = unknown // in case a name is set from itself
	found := unknown
	for i, b := range list {
		k := unknown
		switch b.how {
		case assigned:
			k = p.kindAt(b.at, b.value, depth+1)
		case looped:
			k = p.kindOfElement(b, depth)
		case other, imported, passed:
		}
		switch {
		case i == 0:
			found = k
		case found == k:
		case numeric(found) && numeric(k):
			found = number
		default:
			found = unknown
		}
	}
	if p.starred(list[0].at) {
		found = unknown
	}
	p.kinds[where] = found
	return found
}

// kindOfElement returns the kind of what a loop iterates over.
func (p *program) kindOfElement(b binding, depth int) kind {
	t := b.value
	if len(t) > 1 && t[0].Text == "range" && t[1].Text == "(" {
		if module, function := p.resolve(b.at, t[:1]); module == "" && function == "range" {
			return whole
		}
	}
	if p.kindAt(b.at, t, depth+1) == numbers {
		return number
	}
	return unknown
}

func (p *program) kindOfList(s *python.Statement, t []python.Token, depth int) kind {
	c, ok := python.CallAt(t, 0)
	if !ok || c.End != len(t)-1 || c.Open || len(c.Keywords) > 0 || len(c.Positional) == 0 {
		return unknown
	}
	for _, one := range c.Positional {
		if slices.ContainsFunc(one, func(k python.Token) bool { return k.Text == "for" }) || !numeric(p.kindAt(s, one, depth+1)) {
			return unknown
		}
	}
	return numbers
}
