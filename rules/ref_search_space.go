package rules

import (
	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema/finding"
)

var refSearchSpace = Rule{
	ID:       "ref/search-space",
	Severity: finding.Error,
	Since:    "2026-11-22",
	Doc:      "An expression uses a parameter that the search space of the sweep does not have.",
	Why: `A trial gets the values of a sweep through ${{search_space.NAME}}. The Azure ML client does not check the
names, and every trial fails.`,
	Remedy: "Corrects the name if one parameter is similar and nothing else uses it.",
	Bad: `
-- sweep.yml --
$schema: https://azuremlschemas.azureedge.net/latest/sweepJob.schema.json
type: sweep
compute: azureml:cpu
sampling_algorithm: random
trial:
  command: python train.py --lr ${{search_space.learning_rat}}
  environment: azureml:env:1
search_space:
  learning_rate:
    type: uniform
    min_value: 0.001
    max_value: 0.1
objective:
  primary_metric: loss
  goal: minimize
limits:
  max_total_trials: 4
`,
	Good: `
-- sweep.yml --
$schema: https://azuremlschemas.azureedge.net/latest/sweepJob.schema.json
type: sweep
compute: azureml:cpu
sampling_algorithm: random
trial:
  command: python train.py --lr ${{search_space.learning_rate}}
  environment: azureml:env:1
search_space:
  learning_rate:
    type: uniform
    min_value: 0.001
    max_value: 0.1
objective:
  primary_metric: loss
  goal: minimize
limits:
  max_total_trials: 4
`,
	Check: func(p *Pass) {
		for _, e := range p.shared.expressions {
			if e.root != "search_space" || !e.body.Space.Known || e.name == "" || e.body.Space.Has(e.name) || p.full(e.body.File.Source) {
				continue
			}
			p.undeclared(finding.Error, e, "parameter", whose(e.body, "search space"), listOf(e.body, func(b *flow.Body) flow.Names { return b.Space }))
		}
	},
}
