package rules

import (
	"fmt"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
)

var schemaDeprecated = Rule{
	ID:       "schema/deprecated",
	Severity: finding.Info,
	Since:    "2026-11-20",
	Doc:      "The file uses an early spelling that later tools replaced.",
	Why: `Files from before the general release of September 2017 use other names for the same settings. They are still
understood, but it helps to know when you maintain them.`,
	Bad: `
-- aml_config/docker.compute --
type: docker
baseDockerImage: microsoft/mmlspark:plus-0.9.9
`,
	Good: `
-- aml_config/docker.compute --
type: localdocker
baseDockerImage: microsoft/mmlspark:plus-0.9.9
`,
	Check: func(p *Pass) {
		fromSchema(p)
		hiddenFolder(p)
	},
}

// hiddenFolder says where the SDK, asked for a run configuration by its name,
// does not see one: it looks in aml_config alone when there is such a folder.
func hiddenFolder(p *Pass) {
	if !p.Project.Exists("aml_config") {
		return
	}
	for _, job := range p.Project.RunConfigurations() {
		if job.Dialect == schema.SDKv1 && job.File.Dir() == ".azureml" {
			p.report(job.TargetName.Location(fmt.Sprintf(
				"the SDK finds no run configuration %q by its name: it looks in aml_config, which this project has too, and not in .azureml; load this file by its path, or keep one folder", job.Name)), nil)
		}
	}
}
