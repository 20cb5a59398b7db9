package rules

import (
	"errors"
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
)

var condaPipEquals = Rule{
	ID:       "conda/pip-equals",
	Severity: finding.Error,
	Since:    "2026-11-20",
	Doc:      "A package under pip is pinned with a single equals sign.",
	Why: `"name=1.0" is how conda pins a version. Items under "pip" are passed to pip, which accepts only "==" and
rejects the whole list; the environment is not built.`,
	Remedy: "Doubles the equals sign.",
	Bad:    condaProject + "  - pip:\n    - h5py=2.7.1\n",
	Good:   condaProject + "  - h5py=2.7.1\n  - pip:\n    - keras==2.0.8\n",
	Check: func(p *Pass) {
		p.perEnvironment(notePipEquals, installations(p), func(p *Pass, e *schema.Environment) {
			for _, pkg := range e.Packages {
				if pkg.Manager == requirement.Pip {
					checkEquals(p, e, pkg)
				}
			}
		})
	},
}

// condaProject is a project that ends at the dependencies of its conda file.
const condaProject = `
-- aml_config/conda_dependencies.yml --
name: project_environment
dependencies:
  - python=3.5.2
`

func checkEquals(p *Pass, e *schema.Environment, pkg schema.Package) {
	at, ok := singleEquals(pkg)
	if !ok {
		return
	}
	r := pkg.Requirement
	text := r.Raw[:at] + "=" + r.Raw[at:]
	title := `write "=="`
	if strings.TrimSpace(r.Raw[at:]) == "=*" { // any version, in conda's syntax
		text, title = r.Raw[:at], "remove =*"
	}
	right, err := requirement.ParsePip(text)
	if err != nil {
		// conda's name=version=build: the build has to be removed, and with it the variant that it selected
		p.report(itemAt(e, pkg.Node, fmt.Sprintf(`pip does not accept %q, which is conda syntax: write "%s", because pip has no build strings`,
			strings.TrimSpace(r.Raw), strings.TrimSuffix(r.Name+"="+strings.Join(strings.Fields(r.Constraint), ""), "==*"))), nil)
		return
	}
	if noVersion(&right) != "" {
		p.report(itemAt(e, pkg.Node, fmt.Sprintf("pip does not accept a single equals sign, and no such version: write one, as in %q", shortName(r.Name)+"==1.2.3")), nil)
		return
	}
	p.report(itemAt(e, pkg.Node, fmt.Sprintf("pip does not accept a single equals sign: write %q", strings.TrimSpace(text))),
		rewriteItem(e, pkg.Node, finding.Safe, title, text))
}

// singleEquals returns the offset in a pip item of a single equals sign that compares versions.
func singleEquals(pkg schema.Package) (at int, ok bool) {
	r := pkg.Requirement
	if r.SingleEquals {
		return r.ConstraintPart.Start, true
	}
	if pkg.Err == nil {
		return 0, false
	}
	fault, ok := errors.AsType[*requirement.ParseError](pkg.Err)
	if !ok || fault.Offset >= len(r.Raw) || r.Raw[fault.Offset] != '=' {
		return 0, false
	}
	_, err := requirement.ParsePip(r.Raw[:fault.Offset] + "=" + r.Raw[fault.Offset:])
	return fault.Offset, err == nil
}
