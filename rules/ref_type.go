package rules

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	naming "github.com/amlfix/amlfix/schema/reference"
)

var refType = Rule{
	ID:       "ref/type",
	Severity: finding.Warning,
	Since:    "2026-11-22",
	Doc:      "An input gets a value that does not match its type.",
	Why: `A component declares the type of each input: a number, text, a file, a folder. The Azure ML client submits any
value, and the service or the script fails later. The client does check defaults, and rejects the file if one does not
match. To Python, a date without quotes is a date, which the client does not accept. In a job, an input with the value
azureml:NAME:VERSION is text, and the command gets these characters: data has a path.`,
	Remedy: "Puts dates in quotes. With --unsafe, gives data without a type that of the component's input.",
	Bad: `
-- pipeline.yml --
$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json
type: pipeline
settings:
  default_compute: azureml:cpu
inputs:
  digits:
    type: uri_folder
    path: azureml:digits:1
jobs:
  train:
    component: train.yml
    inputs:
      data: ${{parent.inputs.digits}}
      epochs: ${{parent.inputs.digits}}
      since: 2026-01-31
-- train.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandComponent.schema.json
name: train
command: python train.py ${{inputs.data}} ${{inputs.epochs}} ${{inputs.since}}
environment: azureml:env:1
inputs:
  data:
    type: uri_folder
  epochs:
    type: integer
  since:
    type: string
`,
	Good: `
-- pipeline.yml --
$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json
type: pipeline
settings:
  default_compute: azureml:cpu
inputs:
  digits:
    type: uri_folder
    path: azureml:digits:1
jobs:
  train:
    component: train.yml
    inputs:
      data: ${{parent.inputs.digits}}
      epochs: 10
      since: "2026-01-31"
-- train.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandComponent.schema.json
name: train
command: python train.py ${{inputs.data}} ${{inputs.epochs}} ${{inputs.since}}
environment: azureml:env:1
inputs:
  data:
    type: uri_folder
  epochs:
    type: integer
  since:
    type: string
`,
	Check: func(p *Pass) {
		for _, b := range p.shared.bodies {
			dates(p, b)
			if b.Declared {
				defaults(p, b)
			}
			if b.Runs != nil && b.Runs.Declared {
				givenInputs(p, b)
			}
			if b.Parent != nil {
				writtenOutputs(p, b)
				transferred(p, b)
			}
			assetTexts(p, b)
			assetTypes(p, b)
		}
	},
}

// assetTypes reports inputs with another type than the asset has that they name, in the file of the project that
// defines it.
func assetTypes(p *Pass, b *flow.Body) {
	if b.Declared || b.Scheduled {
		return
	}
	for _, entry := range b.Inputs.Node.Resolve().Own() {
		n := entry.Value.Resolve()
		at := schema.FieldAt(b.File, n, "path")
		if !n.IsMapping() || n.Merges() || !strings.HasPrefix(at.Text, "azureml:") || b.Runs != nil && n.Get("type") == nil || p.full(b.File.Source) {
			continue
		}
		want, kind, given := strings.ToLower(cmp.Or(n.Get("type").Text(), "uri_folder")), schema.V2Kind("data"), "uri_folder"
		if strings.HasSuffix(want, "_model") {
			kind, given = "model", "custom_model"
		}
		f := p.Project.Linked(kind, at)
		if f == nil || !flow.IsData(want) {
			continue
		}
		defined := schema.FieldAt(f, f.Root().Resolve(), "type")
		given = strings.ToLower(cmp.Or(defined.Text, given))
		if severity, bad := mismatch(given, want); bad && flow.IsData(given) {
			p.reportAs(severity, at.Location(fmt.Sprintf("%q is %s in this project, but the input %q is %s: give both the same type", shown(at.Text), taken(given), brief(entry.Key.Value), taken(want))), nil,
				defined.Location("the type of the asset"))
		}
	}
}

// assetTexts reports inputs of a command that are the name of an asset as text: only a mapping with a path is data. An
// input named path is a key that should be indented.
func assetTexts(p *Pass, b *flow.Body) {
	if b.Declared || b.Runs != nil || b.Elsewhere || b.Node.Get("command") == nil {
		return
	}
	for _, entry := range b.Inputs.Node.Resolve().Own() {
		n := entry.Value.Resolve()
		if entry.Key.Value == "path" || n.Kind != document.Scalar || !strings.HasPrefix(n.Value, "azureml:") || p.full(b.File.Source) {
			continue
		}
		r := naming.Parse(n.Value)
		if r.Kind != naming.Workspace || r.Type != "" || r.Name == "" || r.Version == "" && r.Label == "" || readsNames(p, b) {
			continue
		}
		p.report(finding.Location{Source: b.File.Source, Span: n.Span, Message: fmt.Sprintf(
			"the command gets the text %q instead of the data: write it as path: below %q, with the type of the data", brief(n.Value), brief(entry.Key.Value))}, nil)
	}
}

// readsNames reports whether a script of a command knows what to do with the name of an asset.
func readsNames(p *Pass, b *flow.Body) bool {
	for _, rel := range p.pythonScripts(b) {
		if code, ok := p.Project.Code(rel); ok && bytes.Contains(code.Text, []byte("azureml:")) {
			return true
		}
	}
	return false
}

// transferred reports single values that a child is to copy: the client accepts only data there, with a path.
func transferred(p *Pass, b *flow.Body) {
	if b.Runs != nil || !strings.EqualFold(b.Node.Get("type").Text(), "data_transfer") || b.Component().Explicit {
		return
	}
	for _, entry := range b.Inputs.Node.Resolve().Own() {
		given := b.Given(entry.Key.Value)
		if given.Literal == nil || given.From != nil || p.full(b.File.Source) {
			continue
		}
		p.reportAs(finding.Error, finding.Location{Source: b.File.Source, Span: valueOf(entry).Span, Message: fmt.Sprintf(
			"a job of type data_transfer copies data, and %q is the value %q, so Azure ML rejects the pipeline: write path: and its location", brief(entry.Key.Value), brief(given.Literal.Text()))}, nil)
	}
}

// givenInputs compares what a child passes with what its component accepts.
func givenInputs(p *Pass, b *flow.Body) {
	for _, entry := range b.Inputs.Node.Resolve().Own() {
		name := entry.Key.Value
		want, given := b.Runs.Input(name).Type, b.Given(name)
		if want == "" || p.full(b.File.Source) || isDate(given.Literal) {
			continue
		}
		declared, _ := b.Runs.Inputs.Node.Entry(name)
		severity, fault := finding.Warning, ""
		var fix *finding.Fix
		switch {
		case given.Literal != nil && flow.IsValue(want):
			fault = valueFault(b, given, want, declared.Value.Resolve())
		case given.Literal != nil && given.From == nil && isText(given.Literal):
			// the client reads it as a path
		case given.Literal != nil:
			fault = fmt.Sprintf("%s is the value %q: write path: and its location", giver(b, given), brief(given.Literal.Text()))
			if given.From == nil {
				severity = certain(b) // the client rejects it
			}
		case flow.IsData(given.Type) && flow.IsValue(want):
			fault = fmt.Sprintf("%s is data (type %s): give it a value", giver(b, given), given.Type)
		case given.Assumed && given.From == nil && given.Type != want:
			fault = fmt.Sprintf("this has no type, so it is %s: write type: %s", taken(given.Type), want)
			severity, _ = mismatch(given.Type, want)
			if at := schema.FieldAt(b.File, entry.Value.Resolve(), "path"); want == "uri_file" && isFolder(p, at) {
				fault = "this is a folder: write type: uri_file, and the path of a file"
				break
			}
			fix = schema.FieldAt(b.File, entry.Value.Resolve(), "type").Fix(finding.Text(want), finding.Unsafe, "write type: "+want)
		default:
			var bad bool
			if severity, bad = mismatch(given.Type, want); bad {
				fault = fmt.Sprintf("%s is %s: give both the same type", giver(b, given), taken(given.Type))
			}
		}
		if fault == "" {
			continue
		}
		message := fmt.Sprintf("the component expects %s as %q, but %s", taken(want), brief(name), fault)
		p.reportAs(severity, finding.Location{Source: b.File.Source, Span: valueOf(entry).Span, Message: message}, fix,
			finding.Location{Source: b.Runs.File.Source, Span: declared.Key.Span, Message: "the component declares it here"})
	}
}

// isFolder reports whether a path leads to a folder.
func isFolder(p *Pass, at schema.Field) bool {
	rel, ok := at.Path()
	return strings.HasSuffix(at.Text, "/") || ok && p.Project.Folder(rel)
}

// valueFault says what is wrong with a value, or returns "".
func valueFault(b *flow.Body, given flow.Port, want string, declared *document.Node) string {
	s, ok := scalarOf(given.Literal)
	if !ok || s.text == "" {
		return ""
	}
	if !s.is(want) {
		return fmt.Sprintf("%s is %q", giver(b, given), brief(s.text))
	}
	outside := s.outside(declared)
	switch {
	case outside == "":
		return ""
	case given.From == nil:
		return fmt.Sprintf("%q %s", brief(s.text), outside)
	}
	return fmt.Sprintf("%q, %s, %s", brief(s.text), giver(b, given), outside)
}

// isText reports whether the Azure ML client reads a value as text.
func isText(n *document.Node) bool {
	s, ok := scalarOf(n)
	return !ok || s.kind == document.AsText
}

// valueOf returns the node of an entry that holds the value.
func valueOf(entry document.Entry) *document.Node {
	for _, key := range []string{"path", "value"} {
		if n := entry.Value.Get(key); n != nil && entry.Value.Kind == document.Mapping {
			return n
		}
	}
	return entry.Value
}

// writtenOutputs compares the outputs of a child with the pipeline outputs that they are written to.
func writtenOutputs(p *Pass, b *flow.Body) {
	for _, u := range b.Uses {
		name, ok := strings.CutPrefix(u.Name, "parent.outputs.")
		if !ok || u.Broken || !u.Whole || u.Place != flow.Data || !b.Outputs.Has(u.To) || p.full(b.File.Source) {
			continue
		}
		from, to := b.Output(u.To).Type, b.Parent.Output(name).Type
		severity, bad := mismatch(from, to)
		if !flow.IsData(from) || !flow.IsData(to) || !bad {
			continue
		}
		p.reportAs(severity, finding.Location{Source: b.File.Source, Span: u.At, Message: fmt.Sprintf(
			"the pipeline's output %q is %s, but the output %q of %q is %s: give both the same type", brief(name), taken(to), brief(u.To), brief(b.Key.Value), taken(from))}, nil)
	}
}
