package rules

import "github.com/amlfix/amlfix/schema/finding"

var refPath = Rule{
	ID:       "ref/path",
	Severity: finding.Error,
	Since:    "2026-11-22",
	Doc:      "A file or folder that a v2 file names does not exist.",
	Why: `When Azure's client reads the file, it looks for a model's files, an environment's file and other things on this
computer, and refuses the file if one is missing. Paths start at the folder of the file that names them.`,
	Bad: `
-- deployment.yml --
$schema: https://azuremlschemas.azureedge.net/latest/managedOnlineDeployment.schema.json
name: blue
endpoint_name: digits
model:
  path: mdel
instance_type: Standard_DS3_v2
-- model/MLmodel --
flavors: {}
`,
	Good: `
-- deployment.yml --
$schema: https://azuremlschemas.azureedge.net/latest/managedOnlineDeployment.schema.json
name: blue
endpoint_name: digits
model:
  path: model
instance_type: Standard_DS3_v2
-- model/MLmodel --
flavors: {}
`,
	Check: func(p *Pass) {
		v2Missing(p, "path", func(at v2Path) bool {
			return at.key != "code" && !isBuild(at) && !isConda(at) && !isComponent(at)
		})
	},
}
