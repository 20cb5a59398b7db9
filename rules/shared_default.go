package rules

import (
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
)

// dates reports values that the Azure ML client reads as dates, which it always rejects.
func dates(p *Pass, b *flow.Body) {
	for _, entry := range b.Inputs.Node.Resolve().Own() {
		n := valueOf(entry)
		if b.Declared {
			n = entry.Value.Get("default")
		}
		if !isDate(n) || p.full(b.File.Source) {
			continue
		}
		text := n.Resolve().Value
		p.reportAs(finding.Error, finding.Location{Source: b.File.Source, Span: n.Span, Message: fmt.Sprintf(
			"the Azure ML client reads %s as a date, and does not accept dates as inputs: put it in quotes", text)},
			setFix(b.File, n.Resolve(), "put it in quotes", finding.Text(text), finding.Safe))
	}
}

// defaults reports declared inputs whose bounds, list of values or default cannot work.
func defaults(p *Pass, b *flow.Body) {
	for _, entry := range b.Inputs.Node.Resolve().Own() {
		t, n := b.Input(entry.Key.Value).Type, entry.Value.Resolve()
		if t == "" || n.Merges() || p.full(b.File.Source) {
			continue
		}
		report := func(severity finding.Severity, key, format string, args ...any) {
			p.reportAs(severity, finding.Location{Source: b.File.Source, Span: n.Get(key).Span, Message: fmt.Sprintf(format, args...)}, nil)
		}
		for _, key := range []string{"min", "max"} {
			limit, ok := scalarOf(n.Get(key))
			switch {
			case !ok:
			case t == "string" || t == "boolean":
				report(finding.Error, key, "only numbers have a %s, but %q is %s, so Azure ML rejects the file: remove it", key, brief(entry.Key.Value), taken(t))
			case flow.IsValue(t) && !limit.is("number"):
				report(finding.Error, key, "%q is not a number, so Azure ML rejects the file: write a number as %s, or remove it", brief(limit.text), key)
			}
		}
		value, ok := scalarOf(n.Get("default"))
		outside := value.outside(n)
		switch {
		case !ok || isDate(n.Get("default")):
		case flow.IsData(t):
			report(finding.Error, "default", "data cannot have a default, and %q is %s, so Azure ML rejects the file: remove the default, and write optional: true if the job works without the input", brief(entry.Key.Value), taken(t))
		case !value.asDefault(t):
			report(finding.Error, "default", "%q is %s, so Azure ML rejects the file because of the default %q: correct one of them", brief(entry.Key.Value), taken(t), brief(value.text))
		case value.kind == document.AsBoolean && !value.is(t):
			report(finding.Warning, "default", "%q is %s, but its default is %s: correct one of them", brief(entry.Key.Value), taken(t), strings.ToLower(value.text))
		case outside != "":
			report(finding.Warning, "default", "the default %q of %q %s", brief(value.text), brief(entry.Key.Value), outside)
		}
	}
}
