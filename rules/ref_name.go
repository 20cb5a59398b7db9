package rules

import "github.com/amlfix/amlfix/schema/finding"

var refName = Rule{
	ID:       "ref/name",
	Severity: finding.Warning,
	Since:    "2026-11-22",
	Doc:      "A v2 file refers to an endpoint, an asset, a compute target, a datastore or a deployment whose name differs slightly from one that the project defines.",
	Why: `A deployment is created on the endpoint of that name in the workspace, and azureml:NAME:VERSION is looked up
there when the job is submitted. If the name differs from the one in the project by a hyphen or a letter, nothing is
found, or an old version is. The same is true of compute targets, of the entities of a feature set, and of the
deployments that get an endpoint's traffic. Other names are not checked, because they may have been created elsewhere,
except that no online endpoint takes a batch deployment, and the reverse.`,
	Remedy: "With --unsafe, writes the name that the project defines.",
	Bad: `
-- endpoint.yml --
$schema: https://azuremlschemas.azureedge.net/latest/managedOnlineEndpoint.schema.json
name: taxi-fare
auth_mode: key
-- deployment.yml --
$schema: https://azuremlschemas.azureedge.net/latest/managedOnlineDeployment.schema.json
name: blue
endpoint_name: taxi-fares
model: azureml:taxi:1
instance_type: Standard_DS3_v2
`,
	Good: `
-- endpoint.yml --
$schema: https://azuremlschemas.azureedge.net/latest/managedOnlineEndpoint.schema.json
name: taxi-fare
auth_mode: key
-- deployment.yml --
$schema: https://azuremlschemas.azureedge.net/latest/managedOnlineDeployment.schema.json
name: blue
endpoint_name: taxi-fare
model: azureml:taxi:1
instance_type: Standard_DS3_v2
`,
	Check: func(p *Pass) {
		endpointNames(p)
		trafficNames(p)
		defaultNames(p)
		assetNames(p)
	},
}
