package rules

import (
	"cmp"
	"fmt"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/template"
)

var refSearchSpace = Rule{
	ID:       "ref/search-space",
	Severity: finding.Error,
	Since:    "2026-11-22",
	Doc:      "An expression uses a parameter that the search space of the sweep does not have, or the trial cannot get one.",
	Why: `A trial gets the values of a sweep through ${{search_space.NAME}}, or, if it is a component, through its
inputs of the same names. The Azure ML client does not check the names, and every trial fails or does the same.`,
	Remedy: "Corrects the name if exactly one parameter has a similar name and nothing else uses that parameter, or corrects the declaration if the context shows that the typo is there.",
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
			p.undeclared(finding.Error, e, "parameter", whose(e.body, "search space"), listOf(e.body, func(b *flow.Body) flow.Names { return b.Space }), e.body, e.body.Space.Node)
		}
		for _, b := range p.shared.bodies {
			if b.Space.Node != nil && b.Runs != nil && b.Runs.Declared && b.Runs.Inputs.Known && !b.Runs.Inputs.Node.Merges() {
				strayParameters(p, b)
			}
		}
	},
}

// strayParameters reports parameters for which the component of a sweep's trials has no input.
func strayParameters(p *Pass, b *flow.Body) {
	var open []string
	for _, name := range b.Runs.Inputs.List(mostNames) {
		if !b.Inputs.Has(name) && !b.Space.Has(name) {
			open = append(open, name)
		}
	}
	for _, entry := range b.Space.Node.Resolve().Own() {
		name := entry.Key.Value
		if b.Runs.Inputs.Has(name) || template.In(name) || p.full(b.File.Source) {
			continue
		}
		message := fmt.Sprintf("the component of the trials has no input %q, so its values make no difference", shown(name))
		var fix *finding.Fix
		near := p.nearest(name, open)
		if len(near) == 1 {
			message += fmt.Sprintf(": did you mean %q?", shown(near[0]))
			fix = renamed(b, b.Node.Get("search_space"), entry, near[0])
		} else {
			message += ": declare the input there, or remove the parameter"
		}
		in := cmp.Or(b.Runs.Inputs.Node, b.Runs.Node)
		p.reportAs(certain(b), finding.Location{Source: b.File.Source, Span: entry.Key.Span, Message: message}, fix,
			finding.Location{Source: b.Runs.File.Source, Span: in.Span, Message: "the inputs of the component"})
	}
}
