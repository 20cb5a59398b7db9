package rules

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/binding"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
)

// ofCI are the first words of expressions that GitHub Actions and Azure Pipelines replace in their own files only.
var ofCI = []string{"env", "github", "matrix", "parameters", "runner", "secrets", "variables", "vars"}

// isRejected reports whether Azure ML looks for the names in an expression: in the commands of components.
func isRejected(e expression) bool { return e.body.Declared && e.Place == flow.Command }

// foreignExpressions reports expressions of CI pipelines in all values of v2 files that are not for people alone.
func foreignExpressions(p *Pass) {
	other := map[*schema.File][]int{} // where other findings are, in order
	for _, e := range p.shared.expressions {
		if slices.Contains(ofCI, e.root) && (isRejected(e) || ofJob(e) != "" || ofParent(e) != "") {
			other[e.body.File] = append(other[e.body.File], e.At.Start)
		}
	}
	for _, f := range p.shared.v2 {
		if f.V2 != "flow" && bytes.Contains(f.Source.Text, []byte("${{")) {
			slices.Sort(other[f])
			foreignIn(p, f, f.Root(), other[f])
		}
	}
}

func foreignIn(p *Pass, f *schema.File, n *document.Node, other []int) {
	for _, e := range n.Own() {
		if e.Key.Value != "description" {
			foreignIn(p, f, e.Value, other)
		}
	}
	for _, item := range n.Items() {
		foreignIn(p, f, item, other)
	}
	if n == nil || n.Kind != document.Scalar || !strings.Contains(n.Value, "${{") {
		return
	}
	for _, e := range binding.Parse(string(f.Source.Slice(n.Span))) {
		at := n.Span.Start + e.Span.Start
		root, _, parts := strings.Cut(e.Name, ".")
		line := f.Source.Line(f.Source.LineAt(at))
		if _, known := slices.BinarySearch(other, at); known || !parts || !slices.Contains(ofCI, root) || bytes.HasPrefix(bytes.TrimLeft(f.Source.Text[line.Start:at], " \t"), []byte("#")) {
			continue
		}
		p.reportAs(finding.Warning, finding.Location{
			Source: f.Source, Span: source.Span{Start: at, End: n.Span.Start + e.Span.End},
			Message: fmt.Sprintf("Azure ML takes %q, an expression of a CI pipeline, as text: let the pipeline write the value before it submits the file", shown(e.Name)),
		}, nil)
	}
}
