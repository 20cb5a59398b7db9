package rules

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/binding"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
)

// ofCI are the first words of expressions that GitHub Actions and Azure Pipelines replace in their own files only.
var ofCI = []string{"env", "github", "matrix", "parameters", "runner", "secrets", "variables", "vars"}

// foreignExpressions reports expressions of CI pipelines in all values of a file that are not for people alone.
func foreignExpressions(p *Pass, f *schema.File, n *document.Node) {
	for _, e := range n.Own() {
		if e.Key.Value != "description" {
			foreignExpressions(p, f, e.Value)
		}
	}
	for _, item := range n.Items() {
		foreignExpressions(p, f, item)
	}
	if n == nil || n.Kind != document.Scalar || !strings.Contains(n.Value, "${{") {
		return
	}
	for _, e := range binding.Parse(string(f.Source.Slice(n.Span))) {
		if root, _, parts := strings.Cut(e.Name, "."); parts && slices.Contains(ofCI, root) {
			p.reportAs(finding.Warning, finding.Location{
				Source: f.Source, Span: source.Span{Start: n.Span.Start + e.Span.Start, End: n.Span.Start + e.Span.End},
				Message: fmt.Sprintf("Azure ML takes %q, an expression of a CI pipeline, as text: let the pipeline write the value before it submits the file", shown(e.Name)),
			}, nil)
		}
	}
}

// hasExpressions reports whether a file may contain expressions.
func hasExpressions(f *schema.File) bool { return bytes.Contains(f.Source.Text, []byte("${{")) }
