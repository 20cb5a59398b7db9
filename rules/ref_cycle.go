package rules

import (
	"fmt"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
)

var refCycle = Rule{
	ID:       "ref/cycle",
	Severity: finding.Error,
	Since:    "2026-11-22",
	Doc:      "Jobs of a pipeline wait for each other.",
	Why: `A job starts when the jobs whose outputs it uses have ended. The Azure ML client does not check this, and the
service rejects a pipeline with a cycle.`,
	Bad: `
-- pipeline.yml --
$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json
type: pipeline
settings:
  default_compute: azureml:cpu
jobs:
  prepare:
    component: azureml:prepare:1
    inputs:
      model: ${{parent.jobs.train.outputs.model}}
  train:
    component: azureml:train:1
    inputs:
      data: ${{parent.jobs.prepare.outputs.data}}
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
		flowCycles(p)
		for _, b := range p.shared.bodies {
			c := circle{pass: p, begun: map[*flow.Body]int{}}
			for _, job := range b.Jobs {
				c.visit(job)
			}
		}
	},
}

// circle finds cycles by following the jobs of a pipeline to those that they wait for.
type circle struct {
	pass *Pass
	path []*flow.Body // from the first job to the current one
	// begun maps the jobs visited so far to their positions on the path, or -1.
	begun map[*flow.Body]int
}

func (c *circle) visit(job *flow.Body) {
	if _, ok := c.begun[job]; ok {
		return
	}
	c.begun[job] = len(c.path)
	c.path = append(c.path, job)
	for _, u := range job.Uses {
		e := expressionOf(job, u)
		if u.Broken || e.root != "parent.jobs" || u.Place != flow.Data {
			continue
		}
		next, part, _ := e.member()
		if next == nil || part != "outputs" {
			continue
		}
		if i, ok := c.begun[next]; ok && i >= 0 {
			c.report(e, c.path[i:])
			continue
		}
		c.visit(next)
	}
	c.path = c.path[:len(c.path)-1]
	c.begun[job] = -1
}

func (c *circle) report(e expression, jobs []*flow.Body) {
	names := make([]string, len(jobs))
	for i, job := range jobs {
		names[i] = fmt.Sprintf("%q", shown(job.Key.Value))
	}
	if len(names) == 1 {
		c.pass.report(e.at(names[0]+" waits for its own output, so it never starts: bind this input to something else"), nil)
		return
	}
	c.pass.report(e.at(shown(plain.List(names, "and"))+" wait for each other, so none of them starts: bind one of their inputs to something else"), nil)
}
