package rules

import (
	"strings"

	"github.com/amlfix/amlfix/schema/finding"
)

var refJob = Rule{
	ID:       "ref/job",
	Severity: finding.Error,
	Since:    "2026-11-22",
	Doc:      "An expression names a job that the pipeline does not have.",
	Why: `${{parent.jobs.NAME.outputs.NAME}} joins the jobs of a pipeline. Azure's client overlooks a name that is wrong
where the job runs a component, and the service refuses the pipeline.`,
	Remedy: "Corrects the name when one job is near and nothing else uses it.",
	Bad: `
-- pipeline.yml --
$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json
type: pipeline
settings:
  default_compute: azureml:cpu
jobs:
  prepare:
    component: azureml:prepare:1
  train:
    component: azureml:train:1
    inputs:
      data: ${{parent.jobs.perpare.outputs.data}}
`,
	Good: `
-- pipeline.yml --
$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json
type: pipeline
settings:
  default_compute: azureml:cpu
jobs:
  prepare:
    component: azureml:prepare:1
  train:
    component: azureml:train:1
    inputs:
      data: ${{parent.jobs.prepare.outputs.data}}
`,
	Check: func(p *Pass) {
		for _, e := range p.shared.expressions {
			if e.root != "parent.jobs" || e.misplaced() {
				continue
			}
			jobs := e.body.Parent.Node.Get("jobs").Resolve()
			name, _, _ := strings.Cut(e.name, ".")
			if _, ok := jobs.Entry(name); ok || name == "" {
				continue
			}
			if p.full(e.body.File.Source) {
				return
			}
			var names []string
			for _, job := range e.body.Parent.Jobs[:min(len(e.body.Parent.Jobs), mostNames+1)] {
				names = append(names, job.Key.Value)
			}
			e.name, e.rest = name, strings.TrimPrefix(e.name, name)
			p.undeclared(finding.Error, e, "job", "the pipeline", names)
		}
	},
}
