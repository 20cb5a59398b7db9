package rules

import (
	"github.com/amlfix/amlfix/schema/finding"
)

var schemaUnknownKey = Rule{
	ID:       "schema/unknown-key",
	Severity: finding.Warning,
	Since:    "2026-11-20",
	Doc:      "A key that the format does not have.",
	Why: `Azure ML drops unknown keys without a word. A misspelt "nvidiaDoker: true" looks right and does nothing; the
job runs without GPUs.`,
	Remedy: "A key one letter away from exactly one known key is renamed.",
	Bad: `
-- aml_config/docker.compute --
type: localdocker
baseDockerImage: microsoft/mmlspark:plus-0.9.9
sharedVolume: true
`,
	Good: `
-- aml_config/docker.compute --
type: localdocker
baseDockerImage: microsoft/mmlspark:plus-0.9.9
sharedVolumes: true
`,
	Check: fromSchema,
}
