package rules

import (
	"github.com/amlfix/amlfix/schema/finding"
)

var schemaType = Rule{
	ID:       "schema/type",
	Severity: finding.Error,
	Since:    "2026-11-20",
	Doc:      "A value of the wrong type, such as a text where true or false is expected.",
	Why: `YAML decides the type by how a value is written: "true." is a text, [VM FQDN] is a list, 3.5 is a number. The
job then reads something else than was meant.`,
	Remedy: "Where the meaning is beyond doubt the value is rewritten.",
	Bad: `
-- aml_config/vm.compute --
type: remotedocker
address: [VM FQDN]
username: me
`,
	Good: `
-- aml_config/vm.compute --
type: remotedocker
address: vm.example.com
username: me
`,
	Check: fromSchema,
}
