package migrate

import (
	"strings"

	"github.com/amlfix/amlfix/schema/python"
)

// imported is an import that always runs: on its own line, not in a function, a condition or a try.
type imported struct {
	module string // without the dots before it
	dots   int    // of a relative import
	names  []string
	star   bool
	line   int
}

// importsOf returns the imports of a script that always run.
func (s *scripts) importsOf(name string) (list []imported) {
	list, known := s.imports[name]
	if known {
		return list
	}
	text := s.text[name]
	tokens, ok := python.Scan(text)
	all, read := python.Statements(tokens)
	line, seen := 1, 0
	for _, st := range all {
		if !ok || !read || len(st.Blocks) > 0 {
			continue
		}
		line += strings.Count(text[seen:st.Tokens[0].At], "\n")
		seen = st.Tokens[0].At
		switch t := st.Tokens; t[0].Text {
		case "import":
			for _, module := range dotted(t[1:]) {
				list = append(list, imported{module: module, line: line})
			}
		case "from":
			list = append(list, from(t[1:], line))
		}
	}
	s.imports[name] = list
	return list
}

// from parses what follows the word "from".
func from(t []python.Token, line int) imported {
	i := imported{line: line}
	for at, k := range t {
		switch {
		case k.Text == "import":
			i.names = dotted(t[at+1:])
			i.star = len(t) > at+1 && t[at+1].Text == "*"
			return i
		case k.Kind == python.Operator && strings.Trim(k.Text, ".") == "" && i.module == "":
			i.dots += len(k.Text)
		default:
			i.module += k.Text
		}
	}
	return i
}

// dotted returns the names in an import list, without their aliases.
func dotted(t []python.Token) (names []string) {
	name, renamed := "", false
	for _, k := range t {
		switch {
		case k.Text == ",":
			names, name, renamed = append(names, name), "", false
		case k.Text == "as":
			renamed = true
		case !renamed && (k.Kind == python.Name || k.Text == "."):
			name += k.Text
		}
	}
	if name != "" {
		names = append(names, name)
	}
	return names
}
