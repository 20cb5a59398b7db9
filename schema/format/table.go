package format

import (
	"fmt"
	"slices"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format/literal"
)

// one reports a path or a transformation of a table that has no key or several, and one with a negative number, which
// mltable 1.7.0 and its engine, azureml-dataprep-rslex 2.26.0, refuse.
func (v *validation) one(s *literal.Schema, n *document.Node) {
	all := n.Entries()
	another := slices.IndexFunc(all, func(e document.Entry) bool { return e.Key != all[0].Key && s.Properties[e.Key.Value] != nil })
	switch {
	case len(all) == 0:
		v.report(RuleValue, finding.Error, n.Span, "nothing is in these braces, so Azure ML cannot read the table: remove the item")
	case another > 0 && s.Properties[all[0].Key.Value] != nil && !n.Merges():
		key := all[another].Key
		v.report(RuleValue, finding.Error, key.Span, fmt.Sprintf("Azure ML accepts only one key in this item, so it cannot read the table: begin an item of its own, with a dash, at %s", quote(key.Value)))
	case all[0].Value.Tag() == "!!int" && all[0].Value.Value[0] == '-':
		v.report(RuleValue, finding.Error, all[0].Value.Span, quote(all[0].Key.Value)+" is a number of rows, and Azure ML accepts no negative one: write 0 or more, or remove the item")
	}
}

// sample reports a probability without a decimal point, with which the engine cannot read the table.
func (v *validation) sample(n *document.Node) {
	if at := n.Get("probability"); at.Tag() == "!!int" {
		v.report(RuleType, finding.Error, at.Span, `Azure ML reads "probability" only with a decimal point: write a fraction, such as 0.5 for half of the rows`)
	}
}
