package rules

import (
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/template"
)

var refJob = Rule{
	ID:       "ref/job",
	Severity: finding.Error,
	Since:    "2026-11-22",
	Doc:      "An expression refers to a job that the pipeline does not have.",
	Why: `${{parent.jobs.NAME.outputs.NAME}} connects the jobs of a pipeline. The Azure ML client overlooks a wrong name
if the job runs a component, and the service then rejects the pipeline.`,
	Remedy: "Corrects the name if exactly one job has a similar name and nothing else uses that job, or corrects the job's name if the context shows that the typo is there.",
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
		flowNodes(p)
		for _, e := range p.shared.expressions {
			if e.root != "parent.jobs" || e.misplaced() {
				continue
			}
			jobs := e.body.Parent.Node.Get("jobs").Resolve()
			name, _, _ := strings.Cut(e.name, ".")
			if jobs.Has(name) || name == "" {
				continue
			}
			if p.full(e.body.File.Source) {
				continue
			}
			e.name, e.rest = name, strings.TrimPrefix(e.name, name)
			p.undeclared(finding.Error, e, "job", "the pipeline", jobsOf(e.body.Parent), e.body.Parent, jobs)
		}
		for _, b := range p.shared.bodies {
			if b.IsPipeline() && !b.Partial {
				firstAndLast(p, b)
			}
		}
	},
}

// firstAndLast checks the settings that name a job to run before or after the others.
func firstAndLast(p *Pass, b *flow.Body) {
	for _, key := range []string{"on_init", "on_finalize"} {
		at := schema.FieldAt(b.File, b.Node.Get("settings"), key)
		if !at.Explicit || !at.Node.IsString() || template.In(at.Text) || b.Child(at.Text) != nil {
			continue
		}
		var fix *finding.Fix
		message := fmt.Sprintf("there is no job %q in the pipeline, so Azure ML rejects the file", brief(at.Text))
		if near := p.nearest(at.Text, jobsOf(b)); len(near) == 1 {
			message += fmt.Sprintf(": did you mean %q?", brief(near[0]))
			if !countsOn(at.Text, near[0]) {
				fix = at.Fix(finding.Text(near[0]), finding.Safe, "write "+near[0])
			}
		}
		p.report(at.Location(message), fix)
	}
}

// jobsOf returns the names of a pipeline's jobs, limited to about as many as are compared.
func jobsOf(b *flow.Body) (names []string) {
	for _, job := range b.Jobs[:min(len(b.Jobs), mostNames+1)] {
		names = append(names, job.Key.Value)
	}
	return names
}
