package rules

import (
	"github.com/amlfix/amlfix/schema/finding"
)

var schemaMissingKey = Rule{
	ID:       "schema/missing-key",
	Severity: finding.Error,
	Since:    "2026-11-20",
	Doc:      "A required key is missing.",
	Why: `Without "Target", a run configuration does not say where to run; without "address" or "username", a remote
target cannot be reached.`,
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
		v2Lacks(p)
	},
}
