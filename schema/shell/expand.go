package shell

import "strings"

// expansion parses what begins with "$" or "`".
func (p *parser) expansion(quoted bool) {
	start := p.at
	if e, ok := p.binding(); ok {
		p.at = e.Span.End
		p.add(Part{Kind: Binding, Text: e.Name, Quoted: quoted}, start)
		return
	}
	rest := p.rest()
	next := rest[1:]
	if after := p.at + 1; len(p.bindings) > 0 && p.bindings[0].Span.Start == after && !p.bindings[0].Broken {
		p.at++ // Azure ML substitutes the value before the shell sees the "$"
		p.add(Part{Text: "$", Quoted: true}, start)
		return
	}
	switch {
	case strings.HasPrefix(next, "$[[") && p.group == 0 && p.at+1 < p.lastGroup:
		p.at++
		p.add(Part{Kind: Unknown, Text: "$"}, start)
		return
	case rest[0] == '`':
		n := strings.IndexByte(next, '`')
		if n < 0 {
			p.err = errUnclosed
			return
		}
		p.at += n + 2
	case strings.HasPrefix(next, "[[") && p.group == 0 && p.at < p.lastGroup:
		p.groups++
		p.group = p.groups
		p.groupEnd = p.at + strings.Index(rest, "]]")
		p.at += len("$[[")
		return
	case strings.HasPrefix(next, "(") || strings.HasPrefix(next, "{"):
		n := closing(next)
		if n < 0 {
			p.err = errUnclosed
			return
		}
		p.at += 1 + n
	case next != "" && strings.IndexByte("@*#?-$!0123456789", next[0]) >= 0:
		p.at += 2
	case !quoted && next != "" && strings.IndexByte(`'"[`, next[0]) >= 0:
		p.fail("$" + next[:1])
		return
	default:
		n := nameLength(next)
		if p.at += 1 + n; n == 0 {
			p.add(Part{Text: "$", Quoted: true}, start)
			return
		}
	}
	p.add(Part{Kind: Unknown, Text: p.text[start:p.at], Quoted: quoted}, start)
}

// closing returns the index at which the bracket that a text begins with is closed, or -1.
func closing(text string) int {
	depth, quote := 0, byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && quote != '\'':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '(' || c == '{':
			depth++
		case c == ')' || c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}
