package argparse

import (
	"slices"
	"strings"
)

// parse notes a place where the arguments are parsed.
func (r *reader) parse(s *statement, c call, tolerates bool) {
	p := parse{at: s, tolerates: tolerates}
	given := c.keywords["args"]
	if len(c.positional) > 0 {
		given = c.positional[0]
	}
	_, namespace := c.keywords["namespace"]
	switch text := written(given); {
	case c.open || namespace || len(c.positional) > 1:
		r.failed = true
	case given == nil || text == "None" || text == "sys.argv[1:]":
	case len(given) == 1 && given[0].kind == name:
		p.parameter = text
	default:
		r.failed = true
	}
	r.parses = append(r.parses, p)
}

// judge finds out whether the arguments are parsed for certain.
func (r *reader) judge() {
	r.parser.Tolerates = !slices.ContainsFunc(r.parses, func(p parse) bool { return !p.tolerates })
	const most = 8 // places: each takes a look at the whole script
	if len(r.parses) > most {
		r.failed = true
		return
	}
	certain := false
	for _, p := range r.parses {
		if p.parameter != "" && !r.handed(p) {
			r.failed = true
			return
		}
		certain = certain || !p.at.conditional() && (p.at.function() == nil || r.reached(p.at.function(), 0))
	}
	r.parser.Certain = r.parser.Certain && certain
}

// handed reports whether a parameter holds the arguments of the command line: it is
// None unless given, or all callers give it those.
func (r *reader) handed(p parse) bool {
	f := p.at.function()
	if f == nil {
		return false
	}
	none := false
	for i, t := range f.tokens {
		if t.kind == name && t.text == p.parameter && i > 2 {
			none = isNone(f.tokens[i+1:])
		}
	}
	for _, s := range r.all {
		for i, t := range s.tokens {
			if t.kind != name || t.text != f.named() || i > 0 && s.tokens[i-1].text == "def" || i+1 >= len(s.tokens) || s.tokens[i+1].text != "(" {
				continue
			}
			c, ok := callAt(s.tokens, i+1)
			switch {
			case !ok || c.open || len(c.keywords)+len(c.positional) > 1:
				return false
			case len(c.keywords)+len(c.positional) == 0:
				if !none {
					return false
				}
			case len(c.positional) == 0 || written(c.positional[0]) != "sys.argv[1:]":
				return false
			}
		}
	}
	return true
}

// isNone reports whether what follows the name of a parameter makes it None by
// itself.
func isNone(t []token) bool {
	depth := 0
	for i, k := range t {
		switch depth += bracket(k); {
		case depth < 0, depth == 0 && k.text == ",":
			return false
		case depth == 0 && k.text == "=":
			return i+2 < len(t) && t[i+1].text == "None" && (t[i+2].text == "," || t[i+2].text == ")")
		}
	}
	return false
}

// mostCalls is how far up the calls of a function are followed.
const mostCalls = 8

// reached reports whether a function is called whenever the script runs.
func (r *reader) reached(f *statement, depth int) bool {
	if f == nil {
		return true
	}
	if depth == mostCalls {
		return false
	}
	for _, s := range r.calls()[f.named()] {
		if g := s.function(); g != f && !s.conditional() && r.reached(g, depth+1) {
			return true
		}
	}
	return false
}

// calls returns the first statements that call each function.
func (r *reader) calls() map[string][]*statement {
	if r.called != nil {
		return r.called
	}
	const most = 4
	r.called = map[string][]*statement{}
	for _, s := range r.all {
		for i, t := range s.tokens {
			if t.kind == name && i+1 < len(s.tokens) && s.tokens[i+1].text == "(" && (i == 0 || s.tokens[i-1].text != "def") && len(r.called[t.text]) < most {
				r.called[t.text] = append(r.called[t.text], s)
			}
		}
	}
	return r.called
}

// readsItself fails where the script changes the command line, or hands it on.
func (r *reader) readsItself() {
	const most = 12 // tokens in the brackets behind it
	for _, s := range r.all {
		for i := 2; i < len(s.tokens); i++ {
			t := s.tokens
			if t[i].text != "argv" || t[i-1].text != "." || t[i-2].text != "sys" {
				continue
			}
			rest := written(t[i+1 : min(i+most, len(t))])
			length := i >= 4 && t[i-3].text == "(" && t[i-4].text == "len"
			_, after, indexed := strings.Cut(rest, "]")
			if length && strings.HasPrefix(rest, ")") || strings.HasPrefix(rest, "[") && indexed && !strings.HasPrefix(after, "=") && s.first() != "del" {
				continue
			}
			r.failed = true
			return
		}
	}
}
