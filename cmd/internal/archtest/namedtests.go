package archtest

import (
	"regexp"
	"strings"
)

// NamedTest is a test that a document names.
type NamedTest struct {
	Package string // from the top, as in "runtime/docker"; empty when the row names none
	Test    string
}

var packageOrTest = regexp.MustCompile("`([a-z][a-z0-9]*(?:/[a-z0-9]+)*)`|\\b((?:Test|Fuzz)[A-Z][A-Za-z0-9]*)\\b")

// ReadNamedTests reads the tables of a document: a row has packages, as code, and after them the names of their tests.
// Tests that follow several packages are tests of each.
func ReadNamedTests(document string) (list []NamedTest) {
	for row := range strings.Lines(document) {
		if !strings.HasPrefix(row, "|") {
			continue
		}
		packages, named := []string{""}, true
		for _, m := range packageOrTest.FindAllStringSubmatch(row, -1) {
			if m[2] != "" {
				for _, p := range packages {
					list = append(list, NamedTest{p, m[2]})
				}
				named = true
				continue
			}
			if named {
				packages, named = nil, false
			}
			packages = append(packages, m[1])
		}
	}
	return list
}
