package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
)

// childTypes are the types of a pipeline's child that runs a component.
var childTypes = []string{"command", "import", "parallel", "pipeline", "spark"}

// runsFile reports whether a body is a pipeline's child that runs what another file of the project defines, and names
// it by its path.
func runsFile(b *flow.Body) bool {
	return b.Parent != nil && b.Runs != nil && !b.Registered && b.Runs.File != b.File
}

// otherType reports a pipeline's child whose type differs from that of the component file that it runs: the Azure ML
// client rejects the pipeline.
func otherType(p *Pass, b *flow.Body) {
	if !runsFile(b) || b.Runs.File.V2 != "component" || b.Node.Get("component") == nil {
		return
	}
	at, is := schema.FieldAt(b.File, b.Node, "type"), b.Runs.Node.Get("type")
	says, runs := strings.ToLower(at.Text), strings.ToLower(is.Text())
	if is.IsNull() {
		runs = "command"
	}
	if says == runs || !at.Explicit || !slices.Contains(childTypes, says) || !slices.Contains(childTypes, runs) || b.Node.Merges() ||
		b.Runs.Node.Merges() || is.IsNull() && says == "pipeline" {
		return
	}
	fix := at.Fix(finding.Text(runs), finding.Unsafe, "write type: "+runs)
	p.report(at.Location(fmt.Sprintf("%q runs a component of type %q, not %q, so Azure ML rejects the pipeline: write type: %s, or use another component",
		shown(b.Key.Value), runs, shown(at.Text), runs)), fix)
}

// otherTrial reports a sweep in a pipeline whose trial is a component that is no command: the Azure ML client rejects
// the pipeline, in words about the type of the sweep.
func otherTrial(p *Pass, b *flow.Body) {
	if !runsFile(b) || b.Node.Merges() || b.Runs.Node.Merges() {
		return
	}
	at := schema.FieldAt(b.File, b.Node, "trial")
	if runs := strings.ToLower(b.Runs.Node.Get("type").Text()); at.Explicit && runs != "command" && slices.Contains(childTypes, runs) {
		p.report(at.Location(fmt.Sprintf("%s is a component of type %q, but a sweep can only repeat commands, so Azure ML rejects the pipeline: use a command component as the trial",
			shown(at.Text), runs)), nil)
	}
}

// jobGiven reports a pipeline's child that runs the file of a job whose inputs or outputs have values: a component only
// declares them.
func jobGiven(p *Pass, b *flow.Body) {
	if !runsFile(b) || b.Runs.File.V2 != "job" || b.Runs.Node.Get("jobs") != nil {
		return
	}
	for _, what := range []string{"inputs", "outputs"} {
		given := b.Runs.Node.Get(what).Resolve()
		if !given.IsMapping() || given.Merges() {
			continue
		}
		for _, e := range given.Entries() {
			value := e.Value.Resolve()
			if value.Kind == document.Mapping && value.Get("path") == nil || value.Kind == document.Sequence || value.IsNull() {
				continue // the file is wrong in any case, or fits
			}
			p.report(b.Component().Location(fmt.Sprintf("a component only declares its %s, but this job gives %q a value, so Azure ML rejects the pipeline: write a component's file, with a type instead of the value",
				what, shown(e.Key.Value))), nil, finding.Location{Source: b.Runs.File.Source, Span: e.Key.Span, Message: "the value"})
			return
		}
	}
}

// noEnvironment reports a pipeline's child that has its own command but no environment to run it in.
func noEnvironment(p *Pass, b *flow.Body) {
	kind := strings.ToLower(b.Node.Get("type").Text())
	if b.Parent == nil || b.Key == nil || b.Runs != nil || b.Elsewhere || !slices.Contains(commandTypes, kind) || !b.Node.Get("command").IsString() ||
		b.Node.Get("component") != nil || b.Node.Get("environment") != nil || b.Node.Merges() || nearly(b.Node, []string{"environment"}) {
		return
	}
	p.report(finding.Location{Source: b.File.Source, Span: b.Key.Span, Message: fmt.Sprintf(
		`%q has a command but no "environment", so Azure ML rejects the pipeline: write environment: azureml:NAME:VERSION`, shown(b.Key.Value))}, nil)
}
