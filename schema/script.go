package schema

import (
	"bytes"
	"strings"
)

// ImportsSpark reports whether the job's script is known, can be read, and
// imports pyspark. A script named only at submission ("$file") gives false.
func (p *Project) ImportsSpark(j *Job) bool {
	script := Slashes(j.Script.Text)
	if script == "" || strings.HasPrefix(script, "$") {
		return false
	}
	name := Identity(p.join(script))
	if !within(p.Root, name) {
		return false
	}
	text, err := readFile(name)
	if err != nil {
		return false
	}
	for line := range bytes.Lines(text) {
		words := bytes.Fields(line)
		if len(words) < 2 || string(words[0]) != "import" && string(words[0]) != "from" {
			continue
		}
		module, _, _ := strings.Cut(strings.TrimRight(string(words[1]), ",;"), ".")
		if module == "pyspark" {
			return true
		}
	}
	return false
}
