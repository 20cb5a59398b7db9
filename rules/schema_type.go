package rules

import (
	"github.com/amlfix/amlfix/schema/finding"
)

var schemaType = Rule{
	ID:       "schema/type",
	Severity: finding.Error,
	Since:    "2026-11-20",
	Doc:      "A value has the wrong type, such as text where true or false is expected.",
	Why: `YAML decides the type of a value by how it is written: "true." is text, [VM FQDN] is a list, 3.5 is a number.
The job then gets something other than what was intended.`,
	Remedy: "Rewrites the value if its meaning is beyond doubt. In v2, indents the lines that belong to a key without a value, writes a type alone as a mapping with it, and takes a name or a path out of the mapping that the previews of 2021 had around it. With --unsafe, also where the value may mean something else, such as a single text for a list.",
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
