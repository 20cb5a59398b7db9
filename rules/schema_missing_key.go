package rules

import (
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
)

var schemaMissingKey = Rule{
	ID:       "schema/missing-key",
	Severity: finding.Error,
	Since:    "2026-11-20",
	Doc:      "A required key is missing.",
	Why: `Without "Target", a run configuration does not say where to run; without "address" or "username", a remote
target cannot be reached. In v2, the Azure ML client rejects a file without a key that its kind requires, such as
"command" in a command job. The service rejects a pipeline without "jobs", or with a job that has no "compute" when
there is no default, and a deployment of a custom model with neither a scoring script nor "inference_config". A key that
can be left out in some cases, such as the model of a deployment, is a note or a warning. "name" may be given on the
command line. An environment with only a name and a version defines a new one without an image.`,
	Remedy: `Adds the type of a job if the keys at the top of its file show which it is. With --unsafe, writes a reference to the
registered environment instead of a name and a version alone.`,
	Bad: `
-- aml_config/docker.runconfig --
ArgumentVector: ["$file"]
Framework: Python
`,
	Good: `
-- aml_config/docker.runconfig --
ArgumentVector: ["$file"]
Target: docker
Framework: Python
-- aml_config/docker.compute --
type: localdocker
-- aml_config/conda_dependencies.yml --
dependencies: []
`,
	Check: func(p *Pass) {
		fromSchema(p)
		withoutEnvironment(p)
		v2Lacks(p)
		flowOutputs(p)
	},
}

// withoutEnvironment warns of SDK v1 run configurations without "environment": azureml-core tells its own files from
// those of Workbench by that key alone.
func withoutEnvironment(p *Pass) {
	for _, job := range p.Project.RunConfigurations() {
		root := job.File.Root().Resolve()
		if job.Dialect != schema.SDKv1 || job.File.Of != "" || job.File.Broken() || !root.IsMapping() || len(root.Entries()) == 0 || root.Merges() ||
			root.Get("environment") != nil || root.Get("Environment") != nil || nearly(root, []string{"environment"}) {
			continue
		}
		p.reportAs(finding.Warning, atFirstKey(job.File, root, `"environment" is missing, so the SDK takes this file for one of Workbench and ignores its keys: add "environment"`), nil)
	}
}
