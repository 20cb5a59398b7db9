package rules

import (
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
)

var jobInferenceServer = Rule{
	ID:       "job/inference-server",
	Severity: finding.Warning,
	Since:    "2026-11-26",
	Doc:      "The environment of an online deployment with a scoring script has no inference server.",
	Why: `The scoring script of an online deployment is run by azureml-inference-server-http, which must be in the conda
environment: the environment that a model was trained in lacks it. The image builds, and the container then ends with
"A required package azureml-inference-server-http is missing". Only az ml online-deployment create --package-model adds
it. Images for inference, custom containers (inference_config), Dockerfiles, and registered environments that no job of
the project uses are not reported.`,
	Remedy: "With --unsafe, adds azureml-inference-server-http to the list for pip.",
	Bad:    onlineDeployment + "      - scikit-learn==1.7.0\n",
	Good:   onlineDeployment + "      - scikit-learn==1.7.0\n      - azureml-inference-server-http==1.5.1\n",
	Check: func(p *Pass) {
		var brings memo[*schema.Environment, bool] // many deployments may share one
		for _, d := range p.installed().deployed {
			script := d.root.Get("code_configuration").Get("scoring_script").Text()
			if d.at.File.V2 != "online-deployment" || script == "" || !lacksServer(d.environment, &brings) || !d.root.Get("with_package").IsNull() { // Azure ML adds the server to a package
				continue
			}
			// one that no job uses may have been made for a deployment that is packaged on the command line
			if !strings.HasPrefix(d.at.Text, "azureml:") || len(p.installed().trained[d.environment.Conda]) > 0 {
				p.report(d.at.Location("the conda environment has no azureml-inference-server-http, which runs "+shown(script)+", so the deployment fails: add it under pip"),
					addToPip(d.environment.Conda, "azureml-inference-server-http"), d.environment.CondaPath.Location("the conda environment"))
			}
		}
	},
}

// lacksServer reports whether an environment has no inference server: not in its conda environment, and not instead in
// an image of its own.
func lacksServer(e *schema.V2Environment, brings *memo[*schema.Environment, bool]) bool {
	ours := strings.HasPrefix(e.Image.Text, "mcr.microsoft.com/azureml/") && !strings.Contains(e.Image.Text, "inference")
	return ours && !e.Build.Explicit && e.Node.Get("inference_config").IsNull() && e.Conda != nil && !e.Conda.File.Broken() &&
		!brings.of(e.Conda, func() bool { return mayBring(e.Conda, catalog.WithoutServer) })
}

const onlineDeployment = onlineScript + `-- src/score.py --
def init():
    pass

def run(data):
    return data
-- conda.yml --
` + serverless

// onlineScript is a deployment whose script and environment are in files of their own.
const onlineScript = `
-- blue.yml --
$schema: https://azuremlschemas.azureedge.net/latest/managedOnlineDeployment.schema.json
name: blue
endpoint_name: digits
model: azureml:digits:1
code_configuration:
  code: src
  scoring_script: score.py
environment:
  image: mcr.microsoft.com/azureml/openmpi5.0-ubuntu24.04:20250401.v1
  conda_file: conda.yml
instance_type: Standard_D2as_v4
instance_count: 1
`

// serverless is a conda file to whose list for pip the inference server must be added.
const serverless = `channels:
  - conda-forge
dependencies:
  - python=3.11
  - pip=24.0
  - pip:
`
