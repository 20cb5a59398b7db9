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
		if !at.Explicit || !at.Node.IsString() || template.In(at.Text) {
			continue
		}
		if b.Child(at.Text) != nil {
			if b.Parent == nil && b.File.V2 == "job" {
				if why := unsuited(b, at.Text, key); why != "" {
					p.report(at.Location(why), nil)
				}
			}
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

// unsuited says why the client refuses a job before or after the others, or "": it runs on its own.
func unsuited(b *flow.Body, name, key string) string {
	settings := b.Node.Get("settings")
	before, after := settings.Get("on_init").Text(), settings.Get("on_finalize").Text()
	switch {
	case before == after && key == "on_finalize":
		return fmt.Sprintf("%q runs before the others already, so Azure ML rejects the pipeline: name another job", brief(name))
	case len(b.Jobs) == 1, len(b.Jobs) == 2 && before != after && b.Child(before) != nil && b.Child(after) != nil:
		return "the pipeline has no other jobs, so Azure ML rejects it: remove the line, or add jobs"
	}
	for _, job := range b.Jobs {
		for _, u := range job.Uses {
			other, ok := strings.CutPrefix(u.Name, "parent.jobs.")
			if other, _, _ = strings.Cut(other, "."); ok && u.Whole && u.Place == flow.Data && (job.Key.Value == name || other == name) {
				return fmt.Sprintf("%q has data from another job, or for one, so Azure ML rejects the pipeline: such a job gets only inputs of the pipeline", brief(name))
			}
		}
	}
	return ""
}

// jobsOf returns the names of a pipeline's jobs, limited to about as many as are compared.
func jobsOf(b *flow.Body) (names []string) {
	for _, job := range b.Jobs[:min(len(b.Jobs), mostNames+1)] {
		names = append(names, job.Key.Value)
	}
	return names
}
