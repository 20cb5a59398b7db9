package rules

import (
	"fmt"

	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
)

var pythonEndOfSupport = Rule{
	ID:       "python/end-of-support",
	Severity: finding.Info,
	Since:    "2026-11-22",
	Doc:      "The environment pins a Python version whose support has ended.",
	Why: `A Python version out of support gets no fixes, and packages drop it: newer releases cannot be installed, and
one day conda's channels have no builds for it. In v2 it is a warning from one year after the end of support; the base
images themselves contain 3.10, whose support ended in October 2026. --as-of DATE checks as of another day.`,
	Facts: []string{"pythons"},
	Bad:   v2Conda + "  - python=3.8\n",
	Good:  v2Training,
	Check: func(p *Pass) {
		for _, e := range installations(p) {
			python, pinned := e.Python()
			if !pinned || ofWorkbench(p, e) {
				continue // Workbench's Python is always out of support
			}
			release, known := catalog.PythonEnd(p.pythonPin(e))
			phase := catalog.PhaseOf(release.EndOfLife, p.Project.AsOf())
			if !known || phase < catalog.Ended || pythonOwner(e) != e {
				continue
			}
			severity := finding.Info
			if phase == catalog.LongEnded && p.isBuilt(e) {
				severity = finding.Warning
			}
			p.reportAs(severity, itemAt(e, python.Node, fmt.Sprintf("support for Python %s ended in %s, and packages are dropping it: use a later version", release.Version, release.EndOfLife)), nil)
		}
	},
}
