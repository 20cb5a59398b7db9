package format

import (
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format/literal"
)

// table reports what mltable 1.7.0 and its engine, azureml-dataprep-rslex 2.26.0, both refuse in a table: a path or a
// transformation that has no key or several, a negative number, and a probability without a decimal point; and what the
// engine refuses, a file or folder with *.
func (v *validation) table(s *literal.Schema, n *document.Node) {
	at, why, known := n.Span, "", 0
	var fix *finding.Fix
	for _, e := range n.Entries() {
		if s.Properties[e.Key.Value] == nil {
			known -= 2 // which is reported itself
			continue
		}
		number := e.Value.Tag() == "!!int"
		switch known++; {
		case known == 2 && annotationOf(s).Check == "one":
			at, why = e.Key.Span, "only one key is accepted in an item, so begin another with a dash here, at "+quote(e.Key.Value)
		case (e.Key.Value == "file" || e.Key.Value == "folder") && strings.Contains(e.Value.Text(), "*"):
			at, why = e.Key.Span, quote(e.Key.Value)+" takes the path of one "+e.Key.Value+", without *: write pattern, with the path of the files, such as data*/*.csv"
			if e.Key.Value == "file" && len(n.Entries()) == 1 && e.Value.Resolve() == e.Value && e.Value.Anchor() == "" { // a pattern finds no folders
				fix = finding.NewFix(finding.Unsafe, "write pattern", finding.Change{Op: finding.RenameKey, File: v.src.Path, Pointer: e.Value.Pointer(), Key: "pattern"})
			}
		case number && e.Key.Value == "probability":
			at, why = e.Value.Span, quote(e.Key.Value)+" needs a decimal point: write a fraction, such as 0.1 for a tenth of the rows"
		case number && strings.HasPrefix(e.Value.Value, "-") && strings.Trim(e.Value.Value, "-0") != "": // the engine reads -0
			at, why = e.Value.Span, quote(e.Key.Value)+" cannot be negative: write 0 or more"
		}
	}
	if len(n.Entries()) == 0 {
		why = "nothing is in these braces: remove the item"
	}
	if why != "" && !n.Merges() {
		v.report(RuleValue, finding.Error, at, "Azure ML cannot read this table: "+why).Fix = fix
	}
}
