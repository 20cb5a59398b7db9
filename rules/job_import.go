package rules

import (
	"fmt"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/shell"
	"github.com/amlfix/amlfix/schema/source"
)

var jobImport = Rule{
	ID:       "job/import",
	Severity: finding.Warning,
	Since:    "2026-11-26",
	Doc:      "The script of a v2 job imports a package that its environment does not install.",
	Why: `The machine starts, the image is built, and the job then ends with "No module named". Only common packages are
looked for, in scripts that import them at the top, and only if it is known of all packages of the environment what they
install along with themselves.`,
	Remedy: "With --unsafe, adds the package to the list for pip. Pin the version that you use.",
	Bad:    trainingJob + "import pandas\nimport sklearn.svm\n" + trainingConda + "  - pip=24.0\n  - pip:\n      - pandas==2.3.0\n",
	Good:   trainingJob + "import pandas\nimport sklearn.svm\n" + trainingConda + "  - pip=24.0\n  - pip:\n      - pandas==2.3.0\n      - scikit-learn==1.7.0\n",
	Check: func(p *Pass) {
		installs := map[*schema.Environment]map[string]bool{}
		reported := map[installation]bool{}
		for _, t := range p.installed().trainings {
			e := t.environment.Conda
			if e == nil || t.parallel() || e.File.Broken() || t.environment.Build.Explicit || t.node.Get("compute").Text() == "local" || installsItself(t.node.Get("command").Text()) {
				continue
			}
			if _, known := installs[e]; !known {
				installs[e] = p.installsAll(e)
			}
			if len(installs[e]) > 0 {
				missingImports(p, t, installs[e], reported)
			}
		}
	},
}

// installation is a package that an environment should install.
type installation struct {
	in   *schema.Environment
	name string
}

// missingImports reports what the scripts of a job import and its environment does not install, once for each
// environment.
func missingImports(p *Pass, t training, installs map[string]bool, reported map[installation]bool) {
	e := t.environment.Conda
	for i := range p.shared.scripts {
		s := &p.shared.scripts[i]
		if s.body != t.body || s.Language != shell.Python || !s.Certain || s.Made || p.full(t.at.File.Source) {
			continue
		}
		rel, there := s.find(p.Project)
		if !there {
			continue
		}
		code, imports := p.imports(rel)
		for _, at := range imports {
			module, ok := catalog.LookupModule(at.module)
			if !ok || contains(installs, module.Packages) || reported[installation{e, module.Packages[0]}] || p.ownModule(s, rel, at.module) {
				continue
			}
			reported[installation{e, module.Packages[0]}] = true
			p.report(t.at.Location(fmt.Sprintf("%q imports %s, but the environment does not install %s, so the job fails: add it to %q",
				shortName(s.Name), at.module, module.Packages[0], shortName(e.File.Rel))), addToPip(e, module.Packages[0]),
				finding.Location{Source: code, Span: at.span, Message: "the import"})
		}
	}
}

func contains(set map[string]bool, names []string) bool {
	for _, n := range names {
		if set[n] {
			return true
		}
	}
	return false
}

// importedAt is a module that a script always imports, and where.
type importedAt struct {
	module string
	span   source.Span
}
