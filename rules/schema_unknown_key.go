package rules

import (
	"github.com/amlfix/amlfix/schema/finding"
)

var schemaUnknownKey = Rule{
	ID:       "schema/unknown-key",
	Severity: finding.Warning,
	Since:    "2026-11-20",
	Doc:      "The file has a key that its format does not define.",
	Why: `Workbench and SDK v1 silently ignore unknown keys. A misspelled "nvidiaDoker: true" looks right and does
nothing: the job runs without GPUs. A misspelling of a required key is an error. Azure ML v2 rejects the file, so there
it is an error, except at the top level of a component, where the client ignores unknown keys as well. Many such keys
belong one level further out or in, in another file, or come from the previews of 2021. Environment variables may have
any name, so one that is named like a setting is only a warning.`,
	Remedy: `Renames a key that differs from exactly one known key by one letter, or in case and separators. In v2 and
SDK v1, moves a key to where it belongs, if that is next to it or its value is a scalar; removes
the type of an endpoint, and writes image in place of docker, which the previews had. If a job declares an input the
way a component does, makes the default its value; with --unsafe, also if the input has a description or other keys.`,
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
	Check: func(p *Pass) {
		fromSchema(p)
		strayVariables(p)
	},
}
