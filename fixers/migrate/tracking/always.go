package tracking

import (
	"slices"

	"github.com/amlfix/amlfix/schema/python"
)

// always reports whether a statement certainly runs when the script is started, unless it ends before.
func (p *program) always(s *python.Statement) bool {
	if p.started == nil {
		p.start()
	}
	return p.reached(s)
}

// reached reports whether a statement runs in a function that does; outside of functions, it is in nil.
func (p *program) reached(s *python.Statement) bool {
	end, ends := p.ends[s.Function()]
	return p.started[s.Function()] && (!ends || s.Tokens[0].At < end) && !s.Conditional() && s.First() != "def" && !holds(s.Tokens[1:], "if", "and", "or", "for", "lambda")
}

// holds reports whether tokens contain one of several words.
func holds(t []python.Token, words ...string) bool {
	return slices.ContainsFunc(t, func(k python.Token) bool { return k.Kind == python.Name && slices.Contains(words, k.Text) })
}

// start finds the functions of the module that certainly run, and the first return of each function; one with a yield
// runs later, if at all.
func (p *program) start() {
	p.started, p.ends = map[*python.Statement]bool{nil: true}, map[*python.Statement]int{}
	own, calls := map[string]*python.Statement{}, map[*python.Statement][]*python.Statement{}
	for _, s := range p.all {
		f := s.Function()
		calls[f] = append(calls[f], s)
		if _, known := p.ends[f]; !known && holds(s.Tokens, "return") {
			p.ends[f] = s.Tokens[0].At
		}
		if holds(s.Tokens, "yield") {
			p.ends[f] = 0
		}
		if name := s.Named(); s.Tokens[0].Text == "def" && len(s.Blocks) == 0 && len(p.scopes[nil][name]) == 1 {
			own[name] = s
		}
	}
	for next := []*python.Statement{nil}; len(next) > 0; next = next[1:] {
		for _, s := range calls[next[0]] {
			for i := 1; i < len(s.Tokens); i++ {
				name := s.Tokens[i-1].Text
				f := own[name]
				if f == nil || p.started[f] || s.Tokens[i].Text != "(" || i > 1 && s.Tokens[i-2].Text == "." || next[0] != nil && p.scopes[next[0]][name] != nil || !p.reached(s) {
					continue
				}
				p.started[f] = true
				next = append(next, f)
			}
		}
	}
}
