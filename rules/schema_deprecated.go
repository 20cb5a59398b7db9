package rules

import (
	"fmt"
	"slices"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
)

var schemaDeprecated = Rule{
	ID:       "schema/deprecated",
	Severity: finding.Info,
	Since:    "2026-11-20",
	Doc:      "The file uses an early spelling that later tools have replaced.",
	Why: `Files from before the public preview of September 2017 use other names for the same settings. They are still
accepted, but it helps to know this when you maintain them. The R section of SDK v1 is a warning: nothing is installed
from it any more.`,
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
		oldR(p)
	},
}

// oldR reports R in the environment of an SDK v1 run configuration: Azure ML stopped installing it at the end of 2021.
func oldR(p *Pass) {
	for _, job := range p.Project.RunConfigurations() {
		r := job.SDK.R
		if r.File.Broken() || !r.Node.Resolve().IsMapping() {
			continue
		}
		if slices.ContainsFunc(r.Node.Resolve().Entries(), func(e document.Entry) bool {
			return !e.Value.IsNull() && (e.Value.IsString() || len(e.Value.Resolve().Items()) > 0)
		}) {
			p.reportAs(finding.Warning, atFirstKey(r.File, r.Node.Resolve(), "the R section is deprecated, and Azure ML no longer installs R from it: use a Docker image that contains R"), nil)
		}
	}
}

// hiddenFolder reports run configurations that the SDK does not find by name: if there is a folder aml_config, it looks
// only there.
func hiddenFolder(p *Pass) {
	for _, job := range p.Project.RunConfigurations() {
		if job.Dialect == schema.SDKv1 && job.File.Dir() == ".azureml" && p.Project.Exists("aml_config") {
			p.report(job.TargetName.Location(fmt.Sprintf(
				"the SDK does not find the run configuration %q by its name: it looks in aml_config, which this project also has, and not in .azureml; load this file by its path, or keep only one folder", job.Name)), nil)
		}
	}
}
