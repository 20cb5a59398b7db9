package rules

import (
	"fmt"
	"path"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/template"
)

// unsent reports the items of v2 conda files that name a file or folder beside them, or on the author's machine: the
// Azure ML client puts the text of the conda file into its request, and nothing else is there when the environment is
// built.
func unsent(p *Pass) {
	for _, e := range environments(p) {
		if e.Built() || !e.InV2() {
			continue
		}
		for _, pkg := range e.Packages {
			named, where := besideOf(pkg), "gets only the text of the conda file, so pip does not find %q when the environment is built there: %s"
			if named == "" {
				named, where = elsewhereOf(pkg), "builds the environment on another machine, so pip does not find %q there: %s"
			}
			instead := "build the environment from a folder with it and a Dockerfile"
			switch r := pkg.Requirement; {
			case named == "":
				continue
			case r.Option == "-r" || r.Option == "--requirement":
				instead = "list its packages here"
			case r.Name != "":
				instead = "write " + shown(r.Name) + " with its version, as pip list --format=freeze does"
			}
			p.reportAs(finding.Warning, itemAt(e, pkg.Node, "Azure ML "+fmt.Sprintf(where, shortName(named), instead)), nil)
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

// ofMachine matches paths that no image has: those of Windows, of people's Macs, and of the machines on which packages
// of conda are built, which pip freeze prints.
var ofMachine = plain.Regexp{Text: `^/?(?:[A-Za-z]:[/\\]|croot/|Users/|private/|work/ci_|tmp/build/|home/conda/feedstock_root/|.*/conda-bld/)`}

// elsewhereOf returns the path on another machine that an item below pip names, or "".
func elsewhereOf(pkg schema.Package) string {
	r := pkg.Requirement
	if pkg.Err != nil || r.Kind == requirement.Package || pkg.Manager != requirement.Pip {
		return ""
	}
	named, local := strings.CutPrefix(r.URL, "file:")
	if named = strings.TrimPrefix(named, "//"); r.Kind == requirement.Path {
		named, local = r.Path, true
	}
	if !local || !ofMachine.Get().MatchString(named) || template.In(named) {
		return ""
	}
	return named
}
