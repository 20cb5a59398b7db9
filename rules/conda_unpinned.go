package rules

import (
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
)

var condaUnpinned = Rule{
	ID:       "conda/unpinned",
	Severity: finding.Info,
	Since:    "2026-11-22",
	Doc:      "Packages in an environment have no version.",
	Why: `Each build takes the newest versions that fit together on that day. An environment that worked last month may
fail to build today, or behave differently, and there is no record of what it contained.`,
	Bad:  sdkConda + "  - numpy\n",
	Good: sdkConda + "  - numpy=1.26\n",
	Check: func(p *Pass) {
		for _, e := range environments(p) {
			if !ofWorkbench(p, e) {
				reportUnpinned(p, e)
			}
		}
	},
}

// reportUnpinned reports one finding for all items of an environment, because it is advice.
func reportUnpinned(p *Pass, e *schema.Environment) {
	var open []schema.Package
	for _, pkg := range e.Packages {
		r := pkg.Requirement
		if pkg.Err == nil && r.Kind == requirement.Package && r.Name != "" && strings.TrimSpace(r.Constraint) == "" && r.Build == "" && r.Bound() == "" &&
			(len(open) == 0 || open[0].Requirement.Name != r.Name) {
			open = append(open, pkg)
		}
	}
	if len(open) == 0 {
		return
	}
	message := shown(open[0].Requirement.Name) + " has no version, so the next build may install a different one: add it"
	if n := len(open) - 1; n > 0 {
		others := shown(open[1].Requirement.Name)
		if n > 1 {
			others = fmt.Sprintf("%d other packages", n)
		}
		message = fmt.Sprintf("%s and %s have no version, so the next build may install different ones: add them", shown(open[0].Requirement.Name), others)
	}
	p.report(itemAt(e, open[0].Node, message), nil)
}
