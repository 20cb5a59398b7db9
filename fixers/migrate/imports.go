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

// Imports reports whether a script imports a module; known is false if the script could not be read. Scripts that it
// imports are not followed.
func (s *scripts) Imports(script, module string) (yes, known bool) {
	text, known := s.text[script]
	if !known {
		return false, false
	}
	for line := range strings.Lines(text) {
		if importsModule(line, module) {
			return true, true
		}
	}
	return false, true
}

// AnyImports reports whether any script of the project imports a module.
func (s *scripts) AnyImports(module string) bool {
	yes, asked := s.imported[module]
	if !asked {
		yes = slices.ContainsFunc(s.names, func(n string) bool { yes, _ := s.Imports(n, module); return yes && !s.starters[n] })
		s.imported[module] = yes
	}
	return yes
}

func importsModule(line, module string) bool {
	if !strings.Contains(line, module) {
		return false // most lines
	}
	words := strings.Fields(strings.ReplaceAll(line, ",", " , "))
	if len(words) < 2 || words[0] != "import" && words[0] != "from" {
		return false
	}
	for i, word := range words[1:] {
		if (i == 0 || words[0] == "import" && words[i] == ",") && (word == module || strings.HasPrefix(word, module+".")) {
			return true
		}
	}
	return false
}
