package schema

import (
	"bytes"
	"strings"
)

// ImportsSpark reports whether the job's script is known, can be read, and imports pyspark. A script named only at
// submission ("$file") gives false.
func (p *Project) ImportsSpark(j *Job) bool {
	script := Slashes(j.Script.Text)
	return script != "" && !strings.HasPrefix(script, "$") && within(p.Root, p.identity(p.join(script))) && p.Imports(script, "pyspark")
}

// Imports reports whether the Python file at a path from the root is in the tree, can be read, and always imports a
// module or part of it: an import after "try:", which may fail, does not count.
func (p *Project) Imports(rel, module string) bool {
	code, ok := p.Code(rel)
	if !ok {
		return false
	}
	tried := false
	for line := range bytes.Lines(code.Text) {
		if !tried && imports(string(line), module) {
			return true
		}
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			tried = string(line) == "try:"
		}
	}
	return false
}

// imports reports whether a line of Python imports a module, or from it.
func imports(line, module string) bool {
	if !strings.Contains(line, module) { // nearly all lines
		return false
	}
	line, _, _ = strings.Cut(line, "#")
	words := strings.Fields(line)
	if len(words) < 2 || words[0] != "import" && words[0] != "from" {
		return false
	}
	if words[0] == "from" {
		words = words[1:2]
	}
	for name := range strings.SplitSeq(strings.TrimPrefix(strings.Join(words, " "), "import "), ",") {
		name, _, _ = strings.Cut(strings.TrimSpace(name), " ")
		if name = strings.TrimRight(name, ";"); name == module || strings.HasPrefix(name, module+".") {
			return true
		}
	}
	return false
}
