package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
)

// nameless reports whether a job's inputs are the settings of one input, whose name is missing above them. To Azure ML,
// each setting is an input with a text.
func nameless(inputs *document.Node) bool {
	return flow.IsData(strings.ToLower(inputs.Get("type").Text())) && !slices.ContainsFunc(inputs.Entries(), func(e document.Entry) bool {
		return e.Value.Kind != document.Scalar || !slices.Contains([]string{"name", "type", "path", "mode", "description"}, e.Key.Value)
	})
}

// unnamedInput reports an expression with the name that is missing above the settings of an input.
func (p *Pass) unnamedInput(severity finding.Severity, e expression, of *flow.Body, settings *document.Node) {
	only := !slices.ContainsFunc(e.scope(), func(b *flow.Body) bool {
		return slices.ContainsFunc(b.Uses, func(u flow.Use) bool {
			return strings.HasPrefix(u.Name, e.root+".") && u.Name != e.root+"."+e.name
		})
	})
	var fix *finding.Fix
	if only && !of.File.Stream.Repaired {
		fix = format.Named(of.File.Source, settings, e.name)
	}
	p.reportAs(severity, e.at(fmt.Sprintf("there is no input %q in %s: %s", shown(e.name), whose(of, "inputs"), format.Nameless("inputs", e.name))), fix,
		finding.Location{Source: of.File.Source, Span: settings.Entries()[0].Key.Span, Message: "this is the setting"})
}

// misnested reports whether schema/type says that a mapping of inputs or outputs lacks their names.
func (p *Pass) misnested(of *flow.Body, ports *document.Node) bool {
	ports = ports.Resolve()
	if !ports.IsMapping() || len(ports.Entries()) == 0 {
		return false
	}
	first := ports.Entries()[0].Key
	return p.isReported(format.RuleType, first.Value, of.File.Source, first.Span)
}
