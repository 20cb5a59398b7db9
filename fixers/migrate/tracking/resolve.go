package tracking

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/python"
)

// resolve returns the module and name of a function. The module is "" for a builtin; both are "" if the function is not
// known.
func (p *program) resolve(s *python.Statement, t []python.Token) (module, function string) {
	if len(t)%2 == 0 || slices.ContainsFunc(t, func(k python.Token) bool { return k.Kind != python.Name && k.Text != "." }) {
		return "", ""
	}
	list, _ := p.bindings(s, t[0].Text)
	if len(list) == 0 && len(t) == 1 && p.star == 0 {
		return "", t[0].Text
	}
	full := ""
	for i, b := range list {
		path := b.module
		switch {
		case b.how != imported || !alone(b.at) && (p.within == nil || len(b.at.Blocks) != 1 || b.at.Blocks[0] != p.within) || p.starred(b.at):
			return "", ""
		case b.item != "":
			path += "." + b.item
		case strings.HasPrefix(path, t[0].Text+"."): // import a.b sets a
			path = t[0].Text
		}
		if i > 0 && path != full {
			return "", ""
		}
		full = path
	}
	full += python.Written(t[1:])
	at := strings.LastIndexByte(full, '.')
	if len(list) == 0 || at < 0 {
		return "", ""
	}
	return full[:at], full[at+1:]
}

// importsModule reports whether the script imports a module or part of it.
func (p *program) importsModule(module string) bool {
	for _, names := range p.scopes {
		for _, list := range names {
			for _, b := range list {
				if b.how == imported && (b.module == module || strings.HasPrefix(b.module, module+".")) {
					return true
				}
			}
		}
	}
	return false
}

// constant returns the string that an expression certainly has as its value.
func (p *program) constant(s *python.Statement, t []python.Token) (value string, ok bool) {
	t = python.Bare(t)
	if value, ok = python.Literal(t); ok {
		return value, !strings.HasPrefix(strings.ToLower(p.text[t[0].At:t[0].End]), "b")
	}
	if len(t) == 1 && t[0].Kind == python.Name {
		list, _ := p.bindings(s, t[0].Text)
		if len(list) != 1 || list[0].how != assigned || p.starred(list[0].at) {
			return "", false
		}
		if len(list[0].value) == 1 && list[0].value[0].Kind == python.Name {
			return "", false // one step is enough
		}
		return p.constant(list[0].at, list[0].value)
	}
	if plus := slices.IndexFunc(t, func(k python.Token) bool { return k.Kind == python.Operator && k.Text == "+" }); plus > 0 && plus+1 < len(t) {
		left, ok := p.constant(s, t[:plus])
		if !ok {
			return "", false
		}
		right, ok := p.constant(s, t[plus+1:])
		return left + right, ok
	}
	return "", false
}
