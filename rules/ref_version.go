package rules

import (
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/schema/finding"
	naming "github.com/amlfix/amlfix/schema/reference"
	"github.com/amlfix/amlfix/schema/template"
)

var refVersion = Rule{
	ID:       "ref/version",
	Severity: finding.Error,
	Since:    "2026-11-26",
	Doc:      "A v2 file names data, a model or a component without a version.",
	Why: `The Azure ML client accepts azureml:NAME when it reads the file. When the job is submitted, it stops: "Version
must be provided". A label such as @latest is also possible.`,
	Remedy: "With --unsafe, adds @latest.",
	Bad: `
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: ls ${{inputs.digits}}
environment: azureml:env:1
compute: azureml:cpu
inputs:
  digits:
    type: uri_folder
    path: azureml:digits
`,
	Good: `
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: ls ${{inputs.digits}}
environment: azureml:env:1
compute: azureml:cpu
inputs:
  digits:
    type: uri_folder
    path: azureml:digits:1
`,
	Check: func(p *Pass) {
		kinds := assetKinds()
		for _, at := range p.shared.assets {
			kind, r := kinds[at.asset], naming.Parse(at.Text)
			if kind == "" || kind == "environment" || r.Kind != naming.Workspace || r.Type != "" || r.Name == "" || r.Version != "" || r.Label != "" ||
				template.In(at.Text) || strings.ContainsAny(r.Name, "$ ") || p.full(at.File.Source) {
				continue
			}
			latest, what := "azureml:"+r.Name+"@latest", string(kind)
			if kind == "data" {
				what = "data asset"
			}
			p.report(at.Location(fmt.Sprintf("the %s %q has no version, so the Azure ML client stops when the file is submitted: add one, or write %s",
				what, shown(r.Name), shown(latest))), at.Fix(finding.Text(latest), finding.Unsafe, "take the latest version"))
		}
	},
}
