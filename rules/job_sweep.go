package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
)

var jobSweep = Rule{
	ID:       "job/sweep",
	Severity: finding.Error,
	Since:    "2026-11-26",
	Doc:      "The search space of a sweep has no value to try, or a distribution that its sampling algorithm does not support.",
	Why: `Grid sampling tries all combinations, so it accepts only lists of values (choice). Bayesian sampling supports
choice, uniform and quniform; a learning rate is often loguniform, which only random sampling supports. The Azure ML
client checks none of this, and the sweep fails.`,
	Bad: `
-- sweep.yml --
$schema: https://azuremlschemas.azureedge.net/latest/sweepJob.schema.json
type: sweep
compute: azureml:cpu
sampling_algorithm: bayesian
trial:
  command: python train.py --lr ${{search_space.lr}}
  environment: azureml:env:1
search_space:
  lr:
    type: loguniform
    min_value: -7
    max_value: -2
objective:
  primary_metric: loss
  goal: minimize
limits:
  max_total_trials: 40
`,
	Good: `
-- sweep.yml --
$schema: https://azuremlschemas.azureedge.net/latest/sweepJob.schema.json
type: sweep
compute: azureml:cpu
sampling_algorithm: random
trial:
  command: python train.py --lr ${{search_space.lr}}
  environment: azureml:env:1
search_space:
  lr:
    type: loguniform
    min_value: -7
    max_value: -2
objective:
  primary_metric: loss
  goal: minimize
limits:
  max_total_trials: 40
`,
	Check: func(p *Pass) {
		for _, b := range p.shared.bodies {
			if b.Space.Node == nil {
				continue
			}
			sampling := algorithmOf(b)
			for _, entry := range b.Space.Node.Resolve().Own() {
				if parameter := entry.Value.Resolve(); parameter.IsMapping() && !p.full(b.File.Source) {
					sampled(p, b, sampling, entry.Key.Value, parameter)
					hasValue(p, b, entry.Key.Value, parameter)
				}
			}
		}
	},
}

// algorithmOf returns the scalar that names a sweep's sampling algorithm, or nil.
func algorithmOf(b *flow.Body) *document.Node {
	n := b.Node.Get("sampling_algorithm").Resolve()
	if n.IsMapping() {
		n = n.Get("type").Resolve()
	}
	return n
}

// sampled reports a parameter whose distribution the sampling algorithm does not support.
func sampled(p *Pass, b *flow.Body, sampling *document.Node, name string, parameter *document.Node) {
	kind := parameter.Get("type").Resolve()
	distribution := strings.ToLower(kind.Text())
	supported := catalog.Sampling(sampling.Text()).Items()
	if len(supported) == 0 || slices.Contains(supported, distribution) || !catalog.RandomSampling.Has(distribution) {
		return
	}
	message := fmt.Sprintf("%s sampling supports only %s, but %q is %s: change its distribution, or use sampling_algorithm: random",
		strings.ToLower(sampling.Text()), quotedList(supported), shown(name), distribution)
	p.report(finding.Location{Source: b.File.Source, Span: kind.Span, Message: message}, nil,
		finding.Location{Source: b.File.Source, Span: sampling.Span, Message: "the sampling algorithm is set here"})
}

// hasValue reports a parameter that can have no value.
func hasValue(p *Pass, b *flow.Body, name string, parameter *document.Node) {
	if values := parameter.Get("values").Resolve(); values.IsSequence() && len(values.Items) == 0 {
		p.report(finding.Location{Source: b.File.Source, Span: values.Span, Message: fmt.Sprintf("%q has no value to try: list at least one", shown(name))}, nil)
	}
	least, most := parameter.Get("min_value").Resolve(), parameter.Get("max_value").Resolve()
	low, err := strconv.ParseFloat(least.Text(), 64)
	high, err2 := strconv.ParseFloat(most.Text(), 64)
	if err == nil && err2 == nil && low > high {
		p.report(finding.Location{Source: b.File.Source, Span: least.Span, Message: fmt.Sprintf("min_value is greater than max_value (%s), so %q has no value to try: swap them", most.Text(), shown(name))}, nil,
			finding.Location{Source: b.File.Source, Span: most.Span, Message: "max_value is less"})
	}
}
