package built

import (
	"slices"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/python"
)

// submit is a statement, which always runs, that submits a job to an experiment.
type submit struct {
	at         *python.Statement
	experiment string
	unknown    *document.Node
	tags       value
}

// versions makes a job of each state in which the program submits one: it may change the job afterwards, and submit it
// again.
func (b *builder) versions(th *Thing, list []submit) {
	if th.Root.Get("sweep") != nil || th.InStep || slices.ContainsFunc(list, func(s submit) bool { return s.at.Function() != list[0].at.Function() }) {
		return
	}
	var made []*Thing
	for _, s := range list {
		one := &Thing{Of: th.Of, At: th.At, object: th.object, Root: mapping(th.object.tokens), Experiment: s.experiment, ExperimentAt: s.unknown}
		b.until = s.at
		b.job(one)
		b.until = nil
		if one.Root == nil || !b.spend(1) {
			return
		}
		b.put(one.Root, "tags", s.tags)
		if last := len(made) - 1; last >= 0 && made[last].Uses == one.Uses && equal(made[last].Root, one.Root) {
			made = made[:last]
		}
		made = append(made, one)
	}
	if made[0].Experiment == "" {
		made[0].Experiment, made[0].ExperimentAt = th.Experiment, th.ExperimentAt
	}
	made[0].Alone, made[0].AloneIn = th.Alone, th.AloneIn
	*th = *made[0]
	b.things = append(b.things, made[1:]...)
}

// oneOf records the experiment for the jobs of which the program submits one.
func (b *builder) oneOf(v value, experiment string) {
	t := python.Bare(v.tokens)
	if len(t) != 1 || experiment == "" {
		return
	}
	for _, s := range b.settings(t[0].Text, t[0].At) {
		o := b.eval(s.tokens, 0).object
		for _, th := range b.things {
			if o != nil && th.Experiment == "" && th.Kind == Job && th.object.base == nil && th.At.Start == place(o) {
				th.Experiment = experiment
			}
		}
	}
}

// job reads a job that is started by its object.
func (b *builder) job(th *Thing) {
	if isEstimator(th.object) {
		b.estimator(th)
		return
	}
	b.scriptRun(th)
}

// equal reports whether two trees have the same keys and values.
func equal(x, y *document.Node) bool {
	return x.Kind == y.Kind && x.Tag() == y.Tag() && x.Value == y.Value && slices.EqualFunc(x.Items(), y.Items(), equal) &&
		slices.EqualFunc(x.Entries(), y.Entries(), func(a, b document.Entry) bool { return a.Key.Value == b.Key.Value && equal(a.Value, b.Value) })
}
