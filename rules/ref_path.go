package rules

import (
	"strings"

	"github.com/amlfix/amlfix/schema/finding"
)

var refPath = Rule{
	ID:       "ref/path",
	Severity: finding.Error,
	Since:    "2026-11-22",
	Doc:      "A file or folder that a v2 file refers to does not exist, does not match its type, or is not uploaded.",
	Why: `When the Azure ML client reads the file, it looks for the files of a model, of an environment and others on
this computer, and rejects the file if one is missing. It looks for data only when it uploads the data, so missing data
is a warning: it may be created by then. So is a file that .gitignore leaves out of the repository. A uri_folder must be
a folder, a uri_file a file, and an mltable a folder with a file named MLTable; data elsewhere must be where Azure ML
can read it. The client sends only the text of a conda file, so -r requirements.txt leads to no file when Azure ML
builds the environment, although amlfix run finds it. Paths are relative to the folder of the file that contains them.`,
	Remedy: "Removes file: before the path of data. If the path exists from one folder higher or lower, offers that path as an unsafe fix, and so the type of what is at the path.",
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
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: python train.py ${{inputs.digits}}
environment: azureml:env:1
compute: azureml:cpu
inputs:
  digits:
    type: uri_file
    path: file:digits.csv
-- digits.csv --
1,2
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
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: python train.py ${{inputs.digits}}
environment: azureml:env:1
compute: azureml:cpu
inputs:
  digits:
    type: uri_file
    path: digits.csv
-- digits.csv --
1,2
`,
	Check: func(p *Pass) {
		v2Missing(p, "path", func(at v2Path) bool {
			return at.key != "code" && !isBuild(at) && !isConda(at) && !isComponent(at) && !zipped(p, at)
		})
		wrongAddresses(p)
		unsent(p)
		d := dataCheck{pass: p, seen: map[string]presence{}}
		for _, b := range p.shared.bodies {
			d.inputs(b)
			d.outputs(b)
		}
		for _, f := range p.shared.v2 {
			d.asset(f, f.Root().Resolve())
		}
	},
}

// zipped reports whether Azure ML makes the file that a path leads to: among additional includes, it packs the folder x
// for x.zip.
func zipped(p *Pass, at v2Path) bool {
	rel, _ := at.Path()
	folder, zip := strings.CutSuffix(rel, ".zip")
	return zip && at.key == "additional_includes" && p.Project.Folder(folder)
}
