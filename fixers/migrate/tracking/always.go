package tracking

import (
	"slices"

	"github.com/amlfix/amlfix/schema/python"
)

// always reports whether a statement certainly runs when the script is started, unless it ends before: outside of
// conditions, and in a function only if such a statement calls it.
func (p *program) always(s *python.Statement) bool {
	if s.Conditional() || s.First() == "def" || holds(s.Tokens[1:], "if", "and", "or", "for", "lambda") {
		return false
	}
	f := s.Function()
	if f == nil {
		return true
	}
	end, known := p.ends[f]
	if name := f.Named(); !known {
		p.ends[f] = 0 // while it is searched for
		if f.Tokens[0].Text == "def" && len(f.Blocks) == 0 && len(p.scopes[nil][name]) == 1 && slices.ContainsFunc(p.all, func(c *python.Statement) bool {
			return calls(c, name) && p.scopes[c.Function()][name] == nil == (c.Function() != nil) && p.always(c)
		}) {
			end = len(p.text)
		}
		for _, c := range p.all {
			if c.Function() == f && holds(c.Tokens, "return", "yield") {
				if end = min(end, c.Tokens[0].At); holds(c.Tokens, "yield") {
					end = 0
				}
			}
		}
		p.ends[f] = end
	}
	return s.Tokens[0].At < end
}

// calls reports whether a statement calls a function by its name alone.
func calls(s *python.Statement, name string) bool {
	for i := 1; i < len(s.Tokens); i++ {
		if s.Tokens[i].Text == "(" && s.Tokens[i-1].Text == name && (i < 2 || s.Tokens[i-2].Text != ".") {
			return true
		}
	}
	return false
}

// holds reports whether tokens contain one of several words.
func holds(t []python.Token, words ...string) bool {
	return slices.ContainsFunc(t, func(k python.Token) bool { return k.Kind == python.Name && slices.Contains(words, k.Text) })
}
