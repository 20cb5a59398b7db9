package argparse

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/python"
)

// parse records a place where the arguments are parsed.
func (r *reader) parse(s *python.Statement, c python.Call, tolerates bool) {
	p := parse{at: s, tolerates: tolerates}
	given := c.Keywords["args"]
	if len(c.Positional) > 0 {
		given = c.Positional[0]
	}
	_, namespace := c.Keywords["namespace"]
	switch text := python.Written(given); {
	case c.Open || namespace || len(c.Positional) > 1:
		r.failed = true
	case given == nil || text == "None" || text == "sys.argv[1:]":
	case len(given) == 1 && given[0].Kind == python.Name:
		p.parameter = text
	default:
		r.failed = true
	}
	r.parses = append(r.parses, p)
}

// judge determines whether the arguments are certainly parsed.
func (r *reader) judge() {
	r.parser.Tolerates = !slices.ContainsFunc(r.parses, func(p parse) bool { return !p.tolerates })
	const most = 8 // places: each requires a pass over the whole script
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
		certain = certain || !p.at.Conditional() && (p.at.Function() == nil || r.reached(p.at.Function(), 0))
	}
	r.parser.Certain = r.parser.Certain && certain
}

// handed reports whether a parameter has the arguments of the command line: it is None by default, or all callers pass
// them.
func (r *reader) handed(p parse) bool {
	f := p.at.Function()
	if f == nil {
		return false
	}
	none := false
	for i, t := range f.Tokens {
		if t.Kind == python.Name && t.Text == p.parameter && i > 2 {
			none = isNone(f.Tokens[i+1:])
		}
	}
	for _, s := range r.all {
		for i, t := range s.Tokens {
			if t.Kind != python.Name || t.Text != f.Named() || i > 0 && s.Tokens[i-1].Text == "def" || i+1 >= len(s.Tokens) || s.Tokens[i+1].Text != "(" {
				continue
			}
			c, ok := python.CallAt(s.Tokens, i+1)
			switch {
			case !ok || c.Open || len(c.Keywords)+len(c.Positional) > 1:
				return false
			case len(c.Keywords)+len(c.Positional) == 0:
				if !none {
					return false
				}
			case len(c.Positional) == 0 || python.Written(c.Positional[0]) != "sys.argv[1:]":
				return false
			}
		}
	}
	return true
}

// isNone reports whether what follows the name of a parameter makes its default None.
func isNone(t []python.Token) bool {
	depth := 0
	for i, k := range t {
		switch depth += python.Bracket(k); {
		case depth < 0, depth == 0 && k.Text == ",":
			return false
		case depth == 0 && k.Text == "=":
			return i+2 < len(t) && t[i+1].Text == "None" && (t[i+2].Text == "," || t[i+2].Text == ")")
		}
	}
	return false
}

// mostCalls is the maximum number of levels up which the calls of a function are followed.
const mostCalls = 8

// reached reports whether a function is always called when the script runs.
func (r *reader) reached(f *python.Statement, depth int) bool {
	if f == nil {
		return true
	}
	if depth == mostCalls {
		return false
	}
	for _, s := range r.calls()[f.Named()] {
		if g := s.Function(); g != f && !s.Conditional() && r.reached(g, depth+1) {
			return true
		}
	}
	return false
}

// calls returns the first statements that call each function.
func (r *reader) calls() map[string][]*python.Statement {
	if r.called != nil {
		return r.called
	}
	const most = 4
	r.called = map[string][]*python.Statement{}
	for _, s := range r.all {
		for i, t := range s.Tokens {
			if t.Kind == python.Name && i+1 < len(s.Tokens) && s.Tokens[i+1].Text == "(" && (i == 0 || s.Tokens[i-1].Text != "def") && len(r.called[t.Text]) < most {
				r.called[t.Text] = append(r.called[t.Text], s)
			}
		}
	}
	return r.called
}

// readsItself fails if the script changes the command line or passes it on.
func (r *reader) readsItself() {
	const most = 12 // tokens in the brackets after it
	for _, s := range r.all {
		for i := 2; i < len(s.Tokens); i++ {
			t := s.Tokens
			if t[i].Text != "argv" || t[i-1].Text != "." || t[i-2].Text != "sys" {
				continue
			}
			rest := python.Written(t[i+1 : min(i+most, len(t))])
			length := i >= 4 && t[i-3].Text == "(" && t[i-4].Text == "len"
			_, after, indexed := strings.Cut(rest, "]")
			if length && strings.HasPrefix(rest, ")") || strings.HasPrefix(rest, "[") && indexed && !strings.HasPrefix(after, "=") && s.First() != "del" {
				continue
			}
			r.failed = true
			return
		}
	}
}
