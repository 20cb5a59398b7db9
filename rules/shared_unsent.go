package rules

import (
	"fmt"
	"path"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/template"
)

// unsent reports the items of v2 conda files that name a file or folder beside them: the Azure ML client puts the text
// of the conda file into its request, and nothing else is there when the environment is built.
func unsent(p *Pass) {
	for _, e := range environments(p) {
		if e.Built() || !e.InV2() {
			continue
		}
		for _, pkg := range e.Packages {
			named := besideOf(pkg)
			if named == "" {
				continue
			}
			instead := "build the environment from a folder with it and a Dockerfile"
			if option := pkg.Requirement.Option; option == "-r" || option == "--requirement" {
				instead = "list its packages here"
			}
			p.reportAs(finding.Warning, itemAt(e, pkg.Node, fmt.Sprintf("Azure ML gets only the text of the conda file, so pip does not find %q when the environment is built there: %s", shortName(named), instead)), nil)
		}
	}
}

// besideOf returns the relative path that an item below pip names, or "".
func besideOf(pkg schema.Package) string {
	r := pkg.Requirement
	if pkg.Err != nil || r.Kind == requirement.Package || pkg.Manager != requirement.Pip {
		return ""
	}
	named := r.Path
	switch r.Option {
	case "-r", "--requirement", "-c", "--constraint":
		named = r.OptionValue
	}
	if strings.ContainsAny(named, ":$~") || path.IsAbs(schema.Slashes(named)) || template.In(named) {
		return ""
	}
	return named
}
