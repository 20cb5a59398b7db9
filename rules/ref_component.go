package rules

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/finding"
)

var refComponent = Rule{
	ID:       "ref/component",
	Severity: finding.Error,
	Since:    "2026-11-22",
	Doc:      "The file of a component or a job that a v2 file names does not exist.",
	Why: `A pipeline names the files of its components. Azure's client reads them with the pipeline, and refuses the
pipeline if one is missing. Paths start at the folder of the file that names them.`,
	Bad: `
-- pipeline.yml --
$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json
type: pipeline
jobs:
  train:
    component: trian.yml
    compute: azureml:gpu
-- train.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandComponent.schema.json
name: train
command: python -V
environment: azureml:env:1
`,
	Good: `
-- pipeline.yml --
$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json
type: pipeline
jobs:
  train:
    component: train.yml
    compute: azureml:gpu
-- train.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandComponent.schema.json
name: train
command: python -V
environment: azureml:env:1
`,
	Check: func(p *Pass) { v2Missing(p, "file", isComponent) },
}

// isComponent reports whether a path is that of a component or a job.
func isComponent(at v2Path) bool {
	return strings.HasSuffix(strings.ToLower(at.file), "component") || at.file == "job" || slices.Contains([]string{"component", "trial"}, at.key)
}
