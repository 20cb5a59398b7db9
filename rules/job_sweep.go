package rules

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
)

var jobSweep = Rule{
	ID:       "job/sweep",
	Severity: finding.Error,
	Since:    "2026-11-26",
	Doc:      "The search space of a sweep has no value to try, or its distributions or policy cannot be right.",
	Why: `Grid sampling tries all combinations, so it accepts only lists of values (choice). Bayesian sampling supports
choice, uniform and quniform; a learning rate is often loguniform, which only random sampling supports. The bounds of
loguniform are exponents: from 0.001 to 0.1 it tries 1.001 to 1.105. A bandit policy needs slack_factor or slack_amount.
The Azure ML client checks none of this, and the sweep fails or tries the wrong values.`,
	Remedy: "Writes the logarithms of bounds of loguniform that look like values; only with --unsafe.",
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
			for _, item := range b.Node.Get("search_space").List() { // of AutoML
				for _, entry := range item.Resolve().Own() {
					if parameter := entry.Value.Resolve(); parameter.IsMapping() && !p.full(b.File.Source) {
						hasValue(p, b, entry.Key.Value, parameter)
					}
				}
			}
			if b.Space.Node == nil {
				continue
			}
			sampling := algorithmOf(b)
			slackless(p, b)
			for _, entry := range b.Space.Node.Resolve().Own() {
				if parameter := entry.Value.Resolve(); parameter.IsMapping() && !p.full(b.File.Source) {
					sampled(p, b, sampling, entry.Key.Value, parameter)
					hasValue(p, b, entry.Key.Value, parameter)
					exponents(p, b, entry.Key.Value, parameter)
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
	if values := parameter.Get("values").Resolve(); values.IsSequence() && len(values.Items()) == 0 {
		p.report(finding.Location{Source: b.File.Source, Span: values.Span, Message: fmt.Sprintf("%q has no value to try: list at least one", shown(name))}, nil)
	}
	upper := parameter.Get("upper").Resolve()
	if n, err := strconv.Atoi(upper.Text()); err == nil && n < 1 {
		p.report(finding.Location{Source: b.File.Source, Span: upper.Span, Message: fmt.Sprintf("%q has no value to try: randint goes from 0 to the number before upper, so write at least 1", shown(name))}, nil)
	}
	least, most := parameter.Get("min_value").Resolve(), parameter.Get("max_value").Resolve()
	if low, high, ok := bounds(least, most); ok && low > high {
		p.report(finding.Location{Source: b.File.Source, Span: least.Span, Message: fmt.Sprintf("min_value is greater than max_value (%s), so %q has no value to try: swap them", most.Text(), shown(name))}, nil,
			finding.Location{Source: b.File.Source, Span: most.Span, Message: "max_value is less"})
	}
}

func bounds(least, most *document.Node) (low, high float64, ok bool) {
	low, err := strconv.ParseFloat(least.Text(), 64)
	high, err2 := strconv.ParseFloat(most.Text(), 64)
	return low, high, err == nil && err2 == nil
}

// exponents reports bounds of loguniform that look like values: it takes their logarithms.
func exponents(p *Pass, b *flow.Body, name string, parameter *document.Node) {
	least := parameter.Get("min_value").Resolve()
	most := parameter.Get("max_value").Resolve()
	low, high, ok := bounds(least, most)
	if !ok || low <= 0 || low >= high || low > 0.1 && high > 1 || !strings.EqualFold(parameter.Get("type").Text(), "loguniform") {
		return
	}
	from, to := fmt.Sprintf("%.4g", math.Log(low)), fmt.Sprintf("%.4g", math.Log(high))
	p.reportAs(finding.Warning, finding.Location{Source: b.File.Source, Span: least.Span, Message: fmt.Sprintf(
		"loguniform takes exponents, so %q is between %.4g and %.4g: for %g to %g, write min_value: %s and max_value: %s",
		shown(name), math.Exp(low), math.Exp(high), low, high, from, to)},
		finding.NewFix(finding.Unsafe, "write "+from+" and "+to, finding.Splice(b.File.Source, least.Span, from), finding.Splice(b.File.Source, most.Span, to)))
}

// slackless reports a bandit policy without the slack that the documentation requires.
func slackless(p *Pass, b *flow.Body) {
	policy := b.Node.Get("early_termination").Resolve()
	kind := schema.FieldAt(b.File, policy, "type")
	if strings.EqualFold(kind.Text, "bandit") && policy.Get("slack_factor") == nil && policy.Get("slack_amount") == nil && !p.full(b.File.Source) {
		p.reportAs(finding.Warning, kind.Location("a bandit policy needs slack_factor or slack_amount, which says how much worse than the best a trial may be: add one, such as slack_factor: 0.1"), nil)
	}
}
