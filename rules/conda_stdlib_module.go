package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
)

var condaStdlibModule = Rule{
	ID:       "conda/stdlib-module",
	Severity: finding.Warning,
	Since:    "2026-11-20",
	Doc:      "A module of Python's standard library is listed as a package.",
	Why: `Modules such as "json" and "os" come with Python and need no installation. Either no package has that name and
the environment cannot be built, or an unrelated package by other people does.`,
	Remedy: "With --unsafe, removes the item.",
	Facts:  []string{"stdlib"},
	Bad:    condaProject + "  - requests\n  - json\n",
	Good:   condaProject + "  - requests\n  - pip:\n    - dataclasses\n",
	Check: func(p *Pass) {
		p.perEnvironment(noteModules, environments(p), func(p *Pass, e *schema.Environment) {
			python := p.pythonPin(e)
			for _, pkg := range e.Packages {
				if module, ok := stdlibModule(pkg, python); ok {
					reportModule(p, e, pkg, module, python)
				}
			}
		})
	},
}

// stdlibModule returns the module that a package item names, if this Python version has it and the item cannot mean
// anything else.
func stdlibModule(pkg schema.Package, python string) (catalog.StdlibModule, bool) {
	r := pkg.Requirement
	if pkg.Err != nil || r.Kind != requirement.Package || r.Channel != "" || r.Build != "" {
		return catalog.StdlibModule{}, false
	}
	module, ok := catalog.Stdlib(r.Name)
	if !ok || !module.In(python) {
		return catalog.StdlibModule{}, false
	}
	// conda's packages with such names are as often C libraries as backports
	if pkg.Manager == requirement.Conda && slices.Contains(module.Managers, catalog.Conda) {
		return catalog.StdlibModule{}, false
	}
	return module, true
}

func reportModule(p *Pass, e *schema.Environment, pkg schema.Package, module catalog.StdlibModule, python string) {
	name := pkg.Requirement.Name
	version := strings.TrimSpace("Python " + python)
	fix := removeItem(e, pkg.Node, finding.Unsafe, fmt.Sprintf("remove %q", name))
	if !slices.Contains(module.Managers, manager(pkg)) {
		p.report(itemAt(e, pkg.Node, fmt.Sprintf("%q is a module that comes with %s, not a package: remove it", name, version)), fix)
		return
	}
	// a package of that name exists: a backport, rarely needed and mostly harmless; for v2, Microsoft lists it among
	// the faults of environments
	severity := finding.Info
	if len(p.installed().users[e]) > 0 {
		severity = finding.Warning
	}
	p.reportAs(severity, itemAt(e, pkg.Node, fmt.Sprintf(
		"%q comes with %s; the package of that name is a backport for older Python versions, or is unrelated: remove it if you only need the module",
		name, version)), fix)
}
