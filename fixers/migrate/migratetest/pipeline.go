package migratetest

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers/migrate"
)

const pipelineFile = `$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json
type: pipeline
settings: {default_compute: azureml:cpu-cluster}
inputs:
  raw: {type: uri_file, path: "azureml://datastores/blob/paths/iris.csv"}
  labels: {type: uri_folder, path: "azureml:labels:1"}
  rate: 0.5
outputs:
  model: {type: uri_folder}
jobs:
  report:
    type: command
    command: cat ${{inputs.scores}} ${{inputs.left}}/x ${{inputs.tuned}} > ${{outputs.default}}/report.txt
    environment: {image: "python:3.12"}
    inputs:
      scores: ${{parent.jobs.fit.outputs.scores}}
      left: ${{parent.jobs.prep.outputs.default}}
      tuned: {type: uri_folder, path: "${{parent.jobs.tune.outputs.best}}"}
  tune:
    type: sweep
    trial: train.yml
    inputs:
      data: ${{parent.jobs.prep.outputs.clean}}
    outputs:
      best: {type: uri_folder}
  fit:
    type: pipeline
    component: fit.yml
    inputs:
      data: ${{parent.jobs.prep.outputs.clean}}
      rate: ${{parent.inputs.rate}}
    outputs:
      model: ${{parent.outputs.model}}
  prep:
    type: command
    code: src
    command: python prep.py ${{inputs.raw}} ${{inputs.labels}} $[[--limit ${{inputs.limit}}]] ${{outputs.clean}}
    environment: {image: "python:3.12"}
    environment_variables: {MODE: fast}
    inputs:
      raw: ${{parent.inputs.raw}}
      labels: ${{parent.inputs.labels}}
    outputs:
      clean: {type: uri_folder}
`

// Pipeline returns the files of a v2 pipeline with everything that can be passed on: what a component declares, a
// pipeline in a pipeline, a file, a value, everything that a step writes, an asset of the project, and a step that runs
// only in Azure ML. Its steps are not in the order in which they run.
func Pipeline() map[string]string {
	return map[string]string{
		"pipeline.yml": pipelineFile,
		"fit.yml": `$schema: https://azuremlschemas.azureedge.net/latest/pipelineComponent.schema.json
type: pipeline
name: fit
inputs: {data: {type: uri_folder}, rate: {type: number}}
outputs: {model: {type: uri_folder}, scores: {type: uri_file}}
jobs:
  score:
    type: command
    component: ./score.yml
    inputs: {model: "${{parent.jobs.train.outputs.model}}"}
    outputs: {scores: "${{parent.outputs.scores}}"}
  train:
    type: command
    component: ./train.yml
    environment_variables: {MODE: slow}
    inputs: {data: "${{parent.inputs.data}}", rate: "${{parent.inputs.rate}}"}
    outputs: {model: "${{parent.outputs.model}}"}
`,
		"train.yml": `$schema: https://azuremlschemas.azureedge.net/latest/commandComponent.schema.json
type: command
name: train
inputs: {data: {type: uri_folder}, rate: {type: number, default: 1}}
outputs: {model: {type: uri_folder}}
code: ./src
command: python train.py ${{inputs.data}} ${{inputs.rate}} ${{outputs.model}}
environment_variables: {MODE: default, SEED: "1"}
environment: {image: "python:3.11"}
`,
		"score.yml": `$schema: https://azuremlschemas.azureedge.net/latest/commandComponent.schema.json
type: command
name: score
inputs: {model: {type: uri_folder}}
outputs: {scores: {type: uri_file}}
command: ls ${{inputs.model}} > ${{outputs.scores}}
environment: {image: "python:3.11"}
`,
		"labels.yml":   "$schema: https://azuremlschemas.azureedge.net/latest/data.schema.json\nname: labels\nversion: 1\ntype: uri_folder\npath: ./labels\n",
		"labels/a.txt": "", "src/prep.py": "", "src/train.py": "",
	}
}

// inOrder checks that each step of a migration's pipelines follows those whose outputs it uses.
func inOrder(t *testing.T, m *migrate.Migration) {
	t.Helper()
	for _, p := range m.Pipelines {
		before := map[string]bool{}
		for _, j := range m.Jobs {
			if j.Step == nil || j.Step.In != p {
				continue
			}
			for _, name := range j.Step.After {
				if !before[name] {
					t.Errorf("%s: %s: step %s comes before %s, whose outputs it has; before are %s", m.Project.Root, p.Name, j.Step.Name, name, strings.Join(slices.Sorted(maps.Keys(before)), ", "))
				}
			}
			before[j.Step.Name] = true
		}
	}
}
