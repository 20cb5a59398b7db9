package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/template"
)

// The types of inputs and outputs, and those of nodes, in contracts/tool.py of promptflow-core 1.18.
var (
	flowTypes = []string{"string", "int", "double", "bool", "list", "object", "image", "secret", "file_path", "prompt_template", "assistant_definition"}
	nodeTypes = []string{"python", "llm", "prompt", "csharp", "custom_llm", "action"}
)

// flowTypeOf returns the type of flows that Python, JSON or Azure ML has another name for; "" for other words.
func flowTypeOf(t string) string {
	switch strings.ToLower(t) {
	case "str", "text":
		return "string"
	case "integer":
		return "int"
	case "float", "number":
		return "double"
	case "boolean":
		return "bool"
	case "dict", "json":
		return "object"
	case "array":
		return "list"
	}
	return ""
}

// flowValues reports types that prompt flow does not have.
func flowValues(p *Pass) {
	for _, flow := range p.promptFlows() {
		if flow.root.Get("language").Text() == "csharp" {
			continue
		}
		for _, key := range []string{"inputs", "outputs"} {
			for _, e := range flow.root.Get(key).Own() {
				flow.typed(p, e.Value.Resolve(), flowTypes)
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
	right := flowTypeOf(at.Text)
	if near := p.nearest(at.Text, types); len(near) == 1 && !slices.Contains(types, right) {
		right = near[0]
	}
	if !slices.Contains(types, right) {
		p.report(at.Location(fmt.Sprintf("prompt flow has no type %q and rejects the flow: write %s", shown(at.Text), plain.List(types, "or"))), nil)
		return
	}
	p.report(at.Location(fmt.Sprintf("prompt flow has no type %q and rejects the flow: write %s", shown(at.Text), right)), at.Fix(finding.Text(right), finding.Unsafe, "write "+right))
}
