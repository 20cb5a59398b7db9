package flow

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/binding"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/template"
)

// Port is what is known about an input or an output, or about the value of an input.
type Port struct {
	// Type is the declared type in lower case ("uri_folder", "integer"), or "" if there is none.
	Type string
	// Literal is the value if it is in the files; nil otherwise.
	Literal *document.Node
	// From is the pipeline whose input it comes from, or the child whose output, and Name is the name there. From is
	// nil if the value is given in place.
	From *Body
	Name string
	// Assumed reports that no type is given and Type is the one that Azure ML assumes.
	Assumed bool
}

// The types of values and of data, the same as in the Azure ML client.
var (
	values    = []string{"string", "number", "integer", "boolean"}
	dataTypes = []string{"uri_file", "uri_folder", "mltable", "mlflow_model", "custom_model", "triton_model", "path"}
)

// IsValue reports whether a type is for values, which are not data.
func IsValue(t string) bool { return slices.Contains(values, t) }

// IsData reports whether a type is for data.
func IsData(t string) bool { return slices.Contains(dataTypes, t) }

// Input returns what is known about an input that the mapping declares, or about the value that it gives the input.
func (b *Body) Input(name string) Port { return b.port(b.Inputs.Node.Get(name)) }

// Output returns what is known about an output.
func (b *Body) Output(name string) Port {
	own := b.Outputs.Node.Get(name).Resolve()
	if p := b.port(own); p.Type != "" && own.Get("type") != nil {
		return p // it overrides what a component declares
	}
	if b.Runs != nil {
		return b.Runs.Output(name)
	}
	to, ok := bound(own)
	if to, output := strings.CutPrefix(to, "parent.outputs."); ok && output && b.Parent != nil {
		return b.Parent.Output(to)
	}
	return Port{}
}

// Given returns what a pipeline's child passes to an input: a value, data, or something from the pipeline or from
// another child.
func (b *Body) Given(name string) Port {
	value := b.Inputs.Node.Get(name).Resolve()
	from := value
	if value.IsMapping() {
		from = value.Get("path").Resolve()
	}
	to, ok := bound(from)
	switch own := b.port(value); {
	case !ok && open(from):
		return Port{}
	case !ok:
		return own
	case value.Get("type") != nil:
		return own
	}
	return b.from(to)
}

// from resolves the name in an expression in a child's inputs.
func (b *Body) from(name string) Port {
	if b.Parent == nil {
		return Port{}
	}
	if input, ok := strings.CutPrefix(name, "parent.inputs."); ok {
		p := b.Parent.Input(input)
		p.From, p.Name = b.Parent, input
		return p
	}
	rest, _ := strings.CutPrefix(name, "parent.jobs.")
	job, output, ok := strings.Cut(rest, ".outputs.")
	if child := b.Parent.Child(job); ok && child != nil && !b.Parent.Loops[job] { // a loop gathers outputs
		p := child.Output(output)
		p.From, p.Name = child, output
		return p
	}
	return Port{}
}

// port reads the value of an entry in inputs or outputs.
func (b *Body) port(n *document.Node) Port {
	switch n = n.Resolve(); {
	case n.IsNull(), n.IsSequence(), n.Merges():
		return Port{}
	case n.Kind == document.Scalar:
		if b.Declared || open(n) {
			return Port{}
		}
		return Port{Literal: n}
	}
	written := n.Get("type").Resolve()
	switch value := n.Get("value").Resolve(); {
	case value != nil && !b.Declared:
		if value.Kind != document.Scalar || value.IsNull() || open(value) {
			return Port{}
		}
		return Port{Literal: value}
	case written != nil:
		if t := strings.ToLower(written.Text()); IsValue(t) || IsData(t) {
			return Port{Type: t}
		}
	case !b.Declared && n.Get("path") != nil:
		return Port{Type: "uri_folder", Assumed: true}
	}
	return Port{}
}

// bound returns the name in a text that is a single expression.
func bound(n *document.Node) (name string, ok bool) {
	if !n.IsString() || !strings.HasPrefix(n.Text(), "${{") {
		return "", false
	}
	e := binding.Parse(n.Text())
	if len(e) != 1 || e[0].Broken || e[0].Span.Len() != len(n.Text()) {
		return "", false
	}
	return e[0].Name, true
}

// open reports whether a text has parts that are not known yet.
func open(n *document.Node) bool {
	return strings.Contains(n.Text(), "${") || template.In(n.Text())
}
