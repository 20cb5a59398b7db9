package format_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// validate returns the findings in a text as lines: the text at the span, the rule, the message and the fix.
func validate(kind format.Kind, text string) []string {
	src := source.New("file", []byte(text))
	var lines []string
	for _, f := range format.Validate(kind, src, document.Parse(src).Root()) {
		lines = append(lines, render(f))
	}
	return lines
}

func render(f finding.Finding) string {
	at := f.Source.Position(f.Span.Start)
	line := fmt.Sprintf("%d:%d «%s» %s %s: %s", at.Line, at.Column, f.Source.Slice(f.Span), f.Severity, f.Rule, f.Message)
	for _, r := range f.Related {
		at := r.Source.Position(r.Span.Start)
		line += fmt.Sprintf(" (%d:%d %s)", at.Line, at.Column, r.Message)
	}
	if f.Fix == nil {
		return line
	}
	line += fmt.Sprintf(" [%s: %s:", f.Fix.Applicability, f.Fix.Title)
	for _, c := range f.Fix.Changes {
		switch c.Op {
		case finding.RenameKey:
			line += fmt.Sprintf(" %s → %s", c.Pointer, c.Key)
		case finding.SetScalar:
			line += fmt.Sprintf(" %s = %s", c.Pointer, c.Value.Text)
		case finding.SpliceText:
			line += fmt.Sprintf(" %d: %q → %q", f.Source.Position(c.Offset).Line, c.Old, c.Value.Text)
		default:
			line += fmt.Sprintf(" unexpected operation %d", c.Op)
		}
	}
	return line + "]"
}

// table runs cases of one kind: YAML in, findings out.
type table []struct {
	name, text string
	want       []string
}

func (cases table) run(t *testing.T, kind format.Kind) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := validate(kind, c.text)
			for range 50 {
				if diff := cmp.Diff(got, validate(kind, c.text)); diff != "" {
					t.Fatalf("findings differ from run to run:\n%s", diff)
				}
			}
			testkit.Same(t, c.want, got, "findings of\n%s", c.text)
		})
	}
}
