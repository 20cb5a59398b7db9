package rules

import (
	"github.com/amlfix/amlfix/schema/finding"
)

var schemaUnknownKey = Rule{
	ID:       "schema/unknown-key",
	Severity: finding.Warning,
	Since:    "2026-11-20",
	Doc:      "The file has a key that its format does not define.",
	Why: `Azure ML silently drops unknown keys. A misspelt "nvidiaDoker: true" looks right and does nothing: the job
runs without GPUs.`,
	Remedy: "Renames a key that is one letter away from exactly one known key.",
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
