package built

import (
	"slices"
	"strings"

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

// computedName is the path of an attribute that setattr sets if its name is not known, or if that is part of a larger
// expression.
const computedName = "setattr"

// noteSetattr records setattr(name.path, "attribute", value), the i-th token of a statement.
func (p *program) noteSetattr(s *python.Statement, i int) {
	c, ok := python.CallAt(s.Tokens, i+1)
	if !ok || len(c.Positional) != 3 {
		return
	}
	one := setting{at: s, path: computedName, tokens: s.Tokens[i:]}
	if attribute, literal := python.Literal(c.Positional[1]); i == 0 && literal && isName(attribute) {
		one.path, one.tokens = attribute, c.Positional[2]
	}
	if name, path := dotted(c.Positional[0]); name != "" {
		one.path = strings.Trim(path+"."+one.path, ".")
		p.attrs[name] = append(p.attrs[name], one)
	}
}

// isName reports whether a text can be an attribute: another one is no part of the program, and may be a secret.
func isName(text string) bool {
	tokens, ok := python.Scan(text)
	return ok && len(tokens) == 3 && tokens[1].Kind == python.Name && tokens[1].Text == text
}

// loseTargets records what a statement sets: names as lost, and attributes as not known. Of a very long statement,
// objects are lost as a whole: each of their attributes would be read with all of it.
func (p *program) loseTargets(s *python.Statement, t []python.Token) {
	const long = 200 // tokens
	inside := 0      // of an index
	for i, k := range t {
		if k.Text == "[" && i > 0 && (t[i-1].Kind == python.Name || slices.Contains([]string{"]", ")"}, t[i-1].Text)) || inside > 0 {
			inside += python.Bracket(k)
		}
		if inside > 0 || k.Kind != python.Name || i > 0 && t[i-1].Text == "." {
			continue
		}
		end := i + 1
		for end+1 < len(t) && t[end].Text == "." {
			end += 2
		}
		if name, path := dotted(t[i:min(end, len(t))]); path != "" && len(t) <= long {
			p.attrs[name] = append(p.attrs[name], setting{at: s, path: path, tokens: s.Tokens})
		} else {
			p.lost[k.Text] = true
		}
	}
}
