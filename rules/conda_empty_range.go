package rules

import (
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/template"
)

var condaEmptyRange = Rule{
	ID:       "conda/empty-range",
	Severity: finding.Error,
	Since:    "2026-11-26",
	Doc:      "The conditions on the version of a package exclude each other.",
	Why:      `No version is at least 1.20 and less than 1.19, so conda or pip finds nothing to install.`,
	Bad:      sdkConda + "  - numpy>=1.20,<1.19\n",
	Good:     sdkConda + "  - numpy>=1.19,<1.20\n",
	Check: func(p *Pass) {
		for _, e := range installations(p) {
			for _, pkg := range e.Packages {
				r := pkg.Requirement
				if pkg.Err != nil || r.Kind != requirement.Package || !strings.Contains(r.Constraint, ",") || template.In(r.Raw) || p.full(e.File.Source) {
					continue
				}
				if _, said := misspeltPython(pkg); said {
					continue
				}
				if versions, err := r.Versions(); err == nil && versions.Empty() {
					p.report(itemAt(e, pkg.Node, fmt.Sprintf("no version of %s can be %s: correct one of the conditions", shown(r.Name), shown(r.Constraint))), nil)
				}
			}
		}
	},
}
