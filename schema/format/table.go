package format

import (
	"fmt"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format/literal"
)

// table reports what mltable 1.7.0 and its engine, azureml-dataprep-rslex 2.26.0, both refuse in a table: a path or a
// transformation that has no key or several, a negative number, and a probability without a decimal point.
func (v *validation) table(s *literal.Schema, n *document.Node) {
	at, why, known := n.Span, "", 0
	for _, e := range n.Entries() {
		if s.Properties[e.Key.Value] == nil {
			known -= 2 // which is reported itself
			continue
		}
		if known++; known == 2 && annotationOf(s).Check == "one" {
			at, why = e.Key.Span, "only one key is accepted in an item, so begin another with a dash here, at "+quote(e.Key.Value)
		} else if e.Value.Tag() == "!!int" && (e.Value.Value[0] == '-' || e.Key.Value == "probability") {
			at, why = e.Value.Span, fmt.Sprintf("%s is a number from 0, of a sample with a decimal point: write 10 or, of a probability, 0.1", quote(e.Key.Value))
		}
	}
	if len(n.Entries()) == 0 {
		why = "nothing is in these braces: remove the item"
	}
	if why != "" && !n.Merges() {
		v.report(RuleValue, finding.Error, at, "Azure ML cannot read this table: "+why)
	}
}
