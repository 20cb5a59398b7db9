package rules

import (
	"fmt"
	"slices"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/template"
)

// flowValues reports types that prompt flow does not have.
func flowValues(p *Pass) {
	for _, flow := range p.promptFlows() {
		if flow.root.Get("language").Text() == "csharp" {
			continue
		}
		types, nodeTypes := catalog.FlowTypes.Items(), catalog.FlowNodeTypes.Items()
		for _, key := range []string{"inputs", "outputs"} {
			for _, e := range flow.root.Get(key).Own() {
				flow.typed(p, e.Value.Resolve(), types)
			}
		}
		for _, n := range flow.root.Get("nodes").List() {
			flow.typed(p, n.Resolve(), nodeTypes)
		}
	}
}

// typed reports the type of an input, an output or a node if it is none of those that prompt flow has.
func (flow *promptFlow) typed(p *Pass, n *document.Node, types []string) {
	at := schema.FieldAt(flow.file, n, "type")
	if !at.Explicit || !at.Node.IsString() || slices.Contains(types, at.Text) || template.In(at.Text) || p.full(flow.file.Source) {
		return
	}
	right := catalog.FlowType(at.Text)
	if near := p.nearest(at.Text, types); len(near) == 1 && !slices.Contains(types, right) {
		right = near[0]
	}
	if !slices.Contains(types, right) {
		p.report(at.Location(fmt.Sprintf("prompt flow has no type %q and rejects the flow: write %s", shown(at.Text), plain.List(types, "or"))), nil)
		return
	}
	p.report(at.Location(fmt.Sprintf("prompt flow has no type %q and rejects the flow: write %s", shown(at.Text), right)), at.Fix(finding.Text(right), finding.Unsafe, "write "+right))
}
