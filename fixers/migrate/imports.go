package migrate

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/tracking"
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
		switch modules, names := tracking.Imports(st.Tokens); st.Tokens[0].Text {
		case "import":
			for _, module := range modules {
				list = append(list, imported{module: module, line: line})
			}
		case "from":
			one := imported{line: line, names: names}
			if one.star = slices.Contains(names, "*"); one.star {
				one.names = nil
			}
			if len(modules) > 0 {
				one.module = strings.TrimLeft(modules[0], ".")
				one.dots = len(modules[0]) - len(one.module)
			}
			list = append(list, one)
		}
	}
	s.imports[name] = list
	return list
}
