package built

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/python"
)

// samplings maps the classes of azureml.train.hyperdrive that choose parameters to v2's words, and policies does the
// same for those that end runs early. Source: azure-ai-docs migrate-to-v2-execution-hyperdrive.md.
func samplings() map[string]string {
	return map[string]string{"RandomParameterSampling": "random", "GridParameterSampling": "grid", "BayesianParameterSampling": "bayesian"}
}

func policies() map[string]string {
	return map[string]string{"BanditPolicy": "bandit", "MedianStoppingPolicy": "median_stopping", "TruncationSelectionPolicy": "truncation_selection"}
}

// The parameters of azureml-train-core 1.20: sweepParameters are those of HyperDriveConfig that are plain values,
// allParameters are all of them in order, and policyParameters are those of each policy in order. HyperDriveRunConfig
// of 1.0.10 takes the estimator first.
var (
	sweepParameters = []string{"primary_metric_name", "max_total_runs", "max_concurrent_runs", "max_duration_minutes"}
	allParameters   = []string{"hyperparameter_sampling", "primary_metric_name", "primary_metric_goal", "max_total_runs", "max_concurrent_runs", "max_duration_minutes", "policy", "estimator", "run_config"}
)

func policyParameters() map[string][]string {
	return map[string][]string{
		"BanditPolicy":              {"evaluation_interval", "slack_factor", "slack_amount", "delay_evaluation"},
		"MedianStoppingPolicy":      {"evaluation_interval", "delay_evaluation"},
		"TruncationSelectionPolicy": {"truncation_percentage", "evaluation_interval", "delay_evaluation"},
	}
}

// ofSweep returns the argument of a sweep with the given name.
func (p *program) ofSweep(o *object, name string) value {
	place := slices.Index(allParameters, name)
	if o.class == "HyperDriveRunConfig" {
		place = slices.Index(append([]string{"estimator"}, allParameters[:7]...), name)
	}
	return p.arg(o.call, name, place)
}

// distributions maps each function of azureml.train.hyperdrive.parameter_expressions to v2's names for its arguments.
func distributions() map[string][]string {
	return map[string][]string{
		"choice": {"values"}, "uniform": {"min_value", "max_value"}, "loguniform": {"min_value", "max_value"}, "normal": {"mu", "sigma"}, "lognormal": {"mu", "sigma"},
		"quniform": {"min_value", "max_value", "q"}, "qloguniform": {"min_value", "max_value", "q"}, "qnormal": {"mu", "sigma", "q"}, "qlognormal": {"mu", "sigma", "q"}, "randint": {"upper"},
	}
}

// Arguments returns v2's names for the arguments of a distribution, in order, or nil if there is no such distribution.
func Arguments(distribution string) []string { return distributions()[distribution] }

func isSweep(o *object) bool {
	return o.base == nil && o.method == "" && (o.class == "HyperDriveConfig" || o.class == "HyperDriveRunConfig")
}

// sweeps returns the job that a sweep starts.
func (b *builder) sweeps(o *object) value {
	if run := b.ofSweep(o, "run_config"); !run.absent() {
		return run
	}
	return b.ofSweep(o, "estimator")
}

// sweep reads HyperDriveConfig into the job that it starts.
func (b *builder) sweep(o *object) {
	run := b.sweeps(o)
	if run.object == nil || run.object.base != nil {
		return
	}
	th := b.make(run.object)
	if th == nil || th.Kind != Job {
		return
	}
	if th.Root.Get("sweep") != nil { // another sweep of the same job
		th = &Thing{Of: th.Of, At: th.At, object: th.object, Root: mapping(th.object.tokens), again: true}
		if b.job(th); th.Root == nil {
			return
		}
		b.things = append(b.things, th)
	}
	root := th.Root
	put(root, "sweep.class", scalar("!!str", o.class, o.tokens[:1]))
	for _, name := range sweepParameters {
		b.put(root, "sweep."+name, b.ofSweep(o, name))
	}
	if v := b.ofSweep(o, "primary_metric_goal"); !v.absent() {
		t := b.written(v.tokens)
		goal := strings.ToLower(t[len(t)-1].Text)
		if goal == "maximize" || goal == "minimize" {
			put(root, "sweep.goal", scalar("!!str", goal, v.tokens))
		} else {
			put(root, "sweep.goal", b.node(value{tokens: v.tokens}))
		}
	}
	b.others(root, "sweep.", o.call, allParameters...)
	if v := b.ofSweep(o, "policy"); !v.absent() {
		b.policy(root, v)
	}
	if v := b.ofSweep(o, "hyperparameter_sampling"); !v.absent() {
		b.space(root, v)
	}
}

func (b *builder) policy(root *document.Node, v value) {
	if v.object != nil && v.object.class == "NoTerminationPolicy" {
		return
	}
	if v.object == nil || policies()[v.object.class] == "" {
		put(root, "sweep.policy", b.node(value{tokens: v.tokens}))
		return
	}
	policy := mapping(v.object.tokens[:1])
	put(policy, "type", scalar("!!str", policies()[v.object.class], v.object.tokens[:1]))
	for place, name := range policyParameters()[v.object.class] {
		given := b.arg(v.object.call, name, place)
		wrong := given.literal != nil && !IsNumber(given.literal, !strings.HasPrefix(name, "slack_"))
		if wrong || given.literal == nil && name == "truncation_percentage" { // Azure ML requires it
			put(root, "sweep.policy", b.node(value{tokens: v.tokens}))
			return
		}
		b.put(policy, name, given)
	}
	put(root, "sweep.policy", policy)
}

// IsNumber reports whether a scalar is a finite number, or a whole one.
func IsNumber(n *document.Node, whole bool) bool {
	return n.Tag() == "!!int" || n.Tag() == "!!float" && !whole && !strings.ContainsAny(n.Value, "nN") // .inf and .nan
}

// space reads the search space: a distribution for each parameter.
func (b *builder) space(root *document.Node, v value) {
	o := v.object
	if o == nil || samplings()[o.class] == "" {
		put(root, "sweep.sampling", b.node(value{tokens: v.tokens}))
		return
	}
	put(root, "sweep.sampling", scalar("!!str", samplings()[o.class], o.tokens[:1]))
	space := b.arg(o.call, "parameter_space", 0)
	if space.absent() {
		return
	}
	t := b.written(space.tokens)
	c, ok := python.CallAt(t, 0)
	if t[0].Text != "{" || !ok || c.End != len(t)-1 {
		put(root, "sweep.space", b.node(value{tokens: space.tokens}))
		return
	}
	all := mapping(t)
	for _, item := range c.Positional {
		at := colon(item)
		if at < 1 || at == len(item)-1 {
			continue
		}
		name := b.eval(item[:at], 0).literal
		values := b.drawn(item[at+1:])
		if name == nil || name.Tag() != "!!str" || values == nil {
			put(root, "sweep.parameter", b.node(value{tokens: item}))
			continue
		}
		add(all, name, values)
	}
	if len(all.Entries()) > 0 {
		put(root, "sweep.space", all)
	}
}

// drawn returns a distribution with v2's keys, or nil if the expression is not a distribution or not literal.
func (b *builder) drawn(t []python.Token) *document.Node {
	at := slices.IndexFunc(t, func(k python.Token) bool { return k.Text == "(" })
	if at < 1 || t[at-1].Kind != python.Name {
		return nil
	}
	if everything := b.any && at == 1 && !b.shadowed(t[0].Text); !b.modules[t[0].Text] && !everything {
		return nil
	}
	name := t[at-1].Text
	keys, known := distributions()[name]
	c, ok := python.CallAt(t, at)
	if !known || !ok || c.End != len(t)-1 || c.Open {
		return nil
	}
	n := mapping(t)
	add(n, key("type", n), scalar("!!str", name, t[at-1:at]))
	if name == "choice" {
		values := list(t)
		items := c.Positional
		if len(items) == 1 {
			if one := b.node(b.eval(items[0], 0)); one.Kind == document.Sequence {
				values, items = one, nil
			}
		}
		for _, item := range items {
			attach(values, b.node(b.eval(item, 0)))
		}
		if slices.ContainsFunc(values.Items(), func(item *document.Node) bool { return item.Kind != document.Scalar || item.IsNull() }) {
			return nil // v2 has no lists to choose from
		}
		add(n, key("values", n), values)
		return literalOnly(n)
	}
	for place, parameter := range keys {
		v := b.arg(c, parameter, place)
		if v.literal == nil || !IsNumber(v.literal, name == "randint") {
			return nil
		}
		add(n, key(parameter, n), b.node(v))
	}
	return literalOnly(n)
}

// literalOnly returns the tree if nothing in it is Open, or nil.
func literalOnly(n *document.Node) *document.Node {
	lost := func(n *document.Node) bool { return literalOnly(n) == nil }
	if n.Tag() == Open || slices.ContainsFunc(n.Items(), lost) || slices.ContainsFunc(n.Entries(), func(e document.Entry) bool { return lost(e.Value) }) {
		return nil
	}
	return n
}
