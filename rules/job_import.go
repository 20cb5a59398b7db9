package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/shell"
	"github.com/amlfix/amlfix/schema/source"
)

var jobImport = Rule{
	ID:       "job/import",
	Severity: finding.Warning,
	Since:    "2026-11-26",
	Doc:      "A script imports a package that the environment of its job or deployment does not install.",
	Why: `The machine starts, the image is built, and the job then ends with "No module named". Only common packages are
looked for, in scripts that import them at the top, and only if amlfix knows, for every package of the environment, what
else it installs.`,
	Remedy: "With --unsafe, adds the package to the list for pip. Pin the version that you use.",
	Bad:    trainingJob + "import pandas\nimport sklearn.svm\n" + trainingConda + "  - pip=24.0\n  - pip:\n      - pandas==2.3.0\n",
	Good:   trainingJob + "import pandas\nimport sklearn.svm\n" + trainingConda + "  - pip=24.0\n  - pip:\n      - pandas==2.3.0\n      - scikit-learn==1.7.0\n",
	Check: func(p *Pass) {
		c := importCheck{p, map[*schema.Environment]map[string]bool{}, map[installation]bool{}}
		for _, t := range p.installed().trainings {
			if e := t.environment.Conda; e != nil && !t.parallel() && !t.environment.Build.Explicit && t.node.Get("compute").Text() != "local" && !installsItself(t.node.Get("command").Text()) {
				c.training(t, e)
			}
		}
		c.scoring()
		for _, j := range p.Project.RunConfigurations() {
			script := scriptOf(j)
			if e := j.Installs(); e != nil && j.Dialect == schema.SDKv1 && script != "" && j.Target.Provisions() && strings.EqualFold(j.Framework.Text, "python") {
				c.script(e, script, j.Script.Text, j.Script, []string{path.Dir(script), "."})
			}
		}
	},
}

// importCheck compares what scripts import with what their environments install.
type importCheck struct {
	*Pass
	installs map[*schema.Environment]map[string]bool // see installsAll
	reported map[installation]bool
}

// installation is a package that an environment should install.
type installation struct {
	in   *schema.Environment
	name string
}

// training checks the scripts of a v2 job.
func (c *importCheck) training(t training, e *schema.Environment) {
	for s, rel := range c.pythonScripts(t.body) {
		folders := append([]string{path.Dir(rel)}, s.Paths...)
		if code, ok := s.folder(c.Project); ok {
			folders = append(folders, code)
		}
		c.script(e, rel, s.Name, t.at, folders)
	}
}

// scoring checks the scripts of online deployments.
func (c *importCheck) scoring() {
	served := map[*document.Node]deployed{}
	for _, d := range c.Pass.installed().deployed {
		if d.environment.Conda != nil && d.at.File.V2 == "online-deployment" && !d.environment.Build.Explicit {
			served[d.root.Get("code_configuration").Get("scoring_script").Resolve()] = d
		}
	}
	for i := range c.shared.scripts {
		s := &c.shared.scripts[i]
		d, ok := served[s.node]
		if !ok || s.Language != shell.Python {
			continue
		}
		if rel, there := s.find(c.Project); there {
			code, _ := s.folder(c.Project)
			c.script(d.environment.Conda, rel, s.Name, d.at, []string{path.Dir(rel), code})
		}
	}
}

// script reports what a script imports and its environment does not install, once for each environment. The project's
// own modules are in folders.
func (c *importCheck) script(e *schema.Environment, rel, name string, at schema.Field, folders []string) {
	if _, known := c.installs[e]; !known {
		c.installs[e] = c.installsAll(e)
	}
	if len(c.installs[e]) == 0 || e.Built() || e.File.Broken() || c.full(at.File.Source) {
		return
	}
	code, all := c.imports(rel)
	for _, found := range all {
		module, ok := catalog.LookupModule(found.module)
		if !ok || slices.ContainsFunc(module.Packages, func(name string) bool { return c.installs[e][name] }) || c.own(folders, found.module) ||
			found.module == "azureml.core" && (at.File.V2 == "job" || at.File.V2 == "component") { // pip/sdk-v1 advises against it there
			continue
		}
		missing := installation{e, module.Packages[0]}
		if c.reported[missing] {
			continue
		}
		c.reported[missing] = true
		c.report(at.Location(fmt.Sprintf("%q imports %s, but the environment does not install %s, so the script fails: add it to %q",
			shortName(name), found.module, missing.name, shortName(e.File.Rel))), addToPip(e, missing.name),
			finding.Location{Source: code, Span: found.span, Message: "the import"})
	}
}

// importedAt is a module that a script always imports, and where.
type importedAt struct {
	module string
	span   source.Span
}
