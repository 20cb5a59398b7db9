package flow

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/binding"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/template"
)

// Port is what is known of an input or an output, or of what an input is given.
type Port struct {
	// Type is what goes through, in lower case: "uri_folder", "integer"; "" where
	// nothing says so.
	Type string
	// Literal is the value itself where it is written in the files; nil otherwise.
	Literal *document.Node
	// From is the pipeline whose input it is, or the child whose output, and Name the
	// name there; nil where it is written in place.
	From *Body
	Name string
	// Assumed reports that no type is written, and Type is what Azure ML assumes.
	Assumed bool
}

// The types of values, and those of data; the Azure ML client has the same lists.
var (
	values    = []string{"string", "number", "integer", "boolean"}
	dataTypes = []string{"uri_file", "uri_folder", "mltable", "mlflow_model", "custom_model", "triton_model", "path"}
)

// IsValue reports whether a type is that of values, which are no data.
func IsValue(t string) bool { return slices.Contains(values, t) }

// IsData reports whether a type is that of data.
func IsData(t string) bool { return slices.Contains(dataTypes, t) }

// Input returns what is known of an input that a mapping declares, or of the value
// that it gives to it.
func (b *Body) Input(name string) Port { return b.port(b.Inputs.Node.Get(name)) }

// Output returns what is known of an output.
func (b *Body) Output(name string) Port {
	own := b.Outputs.Node.Get(name).Resolve()
	if p := b.port(own); p.Type != "" && own.Get("type") != nil {
		return p // it replaces what a component declares
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

// Given returns what the mapping of a pipeline's child gives to an input: a value,
// data, or what comes from the pipeline or from another child.
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

// from returns what an expression in the inputs of a child stands for.
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

// port reads the value of an entry of inputs or outputs.
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

// bound returns the name in the expression that is all of a text.
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
