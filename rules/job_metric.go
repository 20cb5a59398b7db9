package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/template"
)

var jobMetric = Rule{
	ID:       "job/metric",
	Severity: finding.Warning,
	Since:    "2026-11-26",
	Doc:      "The script of a sweep logs metrics, but not the one that the sweep compares.",
	Why: `A sweep finds its best trial by the primary metric, which the script must log under exactly this name, in the
same upper and lower case. Otherwise all trials run and cost money, but the sweep has no best trial, and its early
termination stops nothing. Scripts that also log in ways that cannot be followed, such as autolog, are not checked.`,
	Remedy: "With --unsafe, writes the name that the script logs, if only one is similar.",
	Bad:    sweepJob + "mlflow.log_metric(\"Accuracy\", 0.9)\n",
	Good:   sweepJob + "mlflow.log_metric(\"accuracy\", 0.9)\n",
	Check: func(p *Pass) {
		for _, b := range p.shared.bodies {
			metric := schema.FieldAt(b.File, b.Node.Get("objective").Resolve(), "primary_metric")
			if b.Space.Node == nil || metric.Text == "" || template.In(metric.Text) || strings.Contains(metric.Text, "{") {
				continue
			}
			if code, logged := metricsOf(p, b); len(logged) > 0 && !slices.ContainsFunc(logged, func(l loggedMetric) bool { return l.name == metric.Text }) {
				wrongMetric(p, metric, code, logged)
			}
		}
	},
}

const sweepJob = `
-- sweep.yml --
$schema: https://azuremlschemas.azureedge.net/latest/sweepJob.schema.json
type: sweep
compute: azureml:cpu
sampling_algorithm: random
trial:
  command: python train.py --lr ${{search_space.lr}}
  code: src
  environment: azureml:env:1
search_space:
  lr:
    type: choice
    values: [0.1, 0.2]
objective:
  primary_metric: accuracy
  goal: maximize
limits:
  max_total_trials: 2
-- src/train.py --
import mlflow

`

// metricsOf returns the metrics that the trials of a sweep log, and the script that does; nothing unless they are
// known.
func metricsOf(p *Pass, b *flow.Body) (code *source.Source, logged []loggedMetric) {
	for i := range p.shared.scripts {
		s := &p.shared.scripts[i]
		if s.body != b && (b.Runs == nil || s.body != b.Runs) {
			continue
		}
		rel, there := s.find(p.Project)
		if code != nil || !there || !s.Certain || s.Made {
			return nil, nil
		}
		l := p.logs(rel)
		code, logged = l.code, l.metrics
	}
	return code, logged
}

// wrongMetric reports a primary metric that a script does not log.
func wrongMetric(p *Pass, metric schema.Field, code *source.Source, logged []loggedMetric) {
	var names []string
	at := logged[0]
	for _, l := range logged {
		if !slices.Contains(names, l.name) && len(names) < maxNamed {
			names = append(names, l.name)
		}
	}
	near := format.Nearest(metric.Text, names)
	if folded := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, metric.Text) }); folded >= 0 {
		near = names[folded : folded+1]
	}
	message := fmt.Sprintf("the script of the trials does not log the metric %q, only %s, so the sweep has no best trial", shown(metric.Text), shown(quotedList(names)))
	var fix *finding.Fix
	if len(near) == 1 {
		message += fmt.Sprintf(": did you mean %q?", shown(near[0]))
		fix = metric.Fix(finding.Text(near[0]), finding.Unsafe, "write "+near[0])
		at = logged[slices.IndexFunc(logged, func(l loggedMetric) bool { return l.name == near[0] })]
	} else {
		message += ": log it, or name one of these"
	}
	p.report(metric.Location(message), fix, finding.Location{Source: code, Span: at.span, Message: "the script logs this one"})
}
