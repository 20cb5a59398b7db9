package rules

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/template"
)

var refInput = Rule{
	ID:       "ref/input",
	Severity: finding.Error,
	Since:    "2026-11-22",
	Doc:      "An expression uses an input that is not declared, or a component does not get one that it needs.",
	Why: `The Azure ML client looks for misspelled inputs only in the commands of single jobs and components; inside a
pipeline, the job fails when it starts. The service rejects a component without a required input.`,
	Remedy: "Corrects the name if exactly one input has a similar name and nothing else uses that input, or corrects the declaration if the context shows that the typo is there. With --unsafe, removes a part that an input does not have.",
	Bad: `
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: python train.py --data ${{inputs.trainData}}
environment: azureml:env:1
compute: azureml:cpu
inputs:
  train_data:
    path: azureml:digits:1
`,
	Good: `
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: python train.py --data ${{inputs.train_data}}
environment: azureml:env:1
compute: azureml:cpu
inputs:
  train_data:
    path: azureml:digits:1
`,
	Check: func(p *Pass) {
		flowInputs(p)
		for _, e := range p.shared.expressions {
			inputOf(p, e)
		}
		for _, b := range p.shared.bodies {
			mistaken := p.surplus(b, "input", inputsOf, func(name string) bool { return required(b.Runs, name) })
			missingInputs(p, b, mistaken)
		}
		for _, job := range p.Project.RunConfigurations() {
			if job.Dialect == schema.SDKv1 {
				consumed(p, job)
			}
		}
	},
}

// inputOf reports an expression that names an input that does not exist.
func inputOf(p *Pass, e expression) {
	of, e, ok := e.in("inputs")
	if !ok {
		return
	}
	if p.full(e.body.File.Source) {
		return
	}
	if p.parted(e, of, "input", of.Inputs, of.Input) {
		return
	}
	if found, known := e.lookup(of.Takes); found || !known {
		return
	}
	severity := certain(of)
	if e.Optional && !of.Declared {
		severity = finding.Warning // Azure ML omits the part in $[[ ]]
	}
	if e.root == "parent.inputs" && e.Place == flow.Other && len(p.nearest(e.name, listOf(of, inputsOf))) == 0 {
		severity = finding.Warning // Azure itself publishes a component with such a machine size
	}
	if e.root == "inputs" && (of.Outputs.Has(e.name) || of.Space.Has(e.name)) {
		right := "outputs." + e.name
		if of.Space.Has(e.name) {
			right = "search_space." + e.name
		}
		p.reportAs(severity, e.at(fmt.Sprintf("%q is not an input: write %s", shown(e.name), e.shown(right))), e.rename(right))
		return
	}
	settings := of.Inputs.Node.Resolve()
	switch {
	case p.misnested(of, settings):
		return
	case of.IsAutoML() && of.Parent == nil && settings == nil:
		p.report(e.at("an AutoML job in a file of its own has no inputs, so Azure ML replaces nothing here: write the value itself"), nil)
		return
	case !of.Declared && nameless(settings):
		p.unnamedInput(severity, e, of, settings)
		return
	}
	p.undeclared(severity, e, "input", whose(of, "inputs"), listOf(of, inputsOf), of, of.Inputs.Node)
}

// required reports whether a component requires an input.
func required(component *flow.Body, name string) bool {
	declared := component.Inputs.Node.Get(name).Resolve()
	return component.Declared && declared.IsMapping() && !declared.Merges() && !optional(declared) && declared.Get("default").IsNull()
}

func optional(input *document.Node) bool {
	return strings.EqualFold(input.Get("optional").Text(), "true")
}

// missingInputs reports inputs that a child's component requires and the child does not give; mistaken are those given
// under a wrong name.
func missingInputs(p *Pass, b *flow.Body, mistaken map[string]bool) {
	if b.Runs == nil || b.Scheduled || !b.Inputs.Known || !b.Runs.Inputs.Known || b.Parent != nil && b.Parent.Loops[b.Key.Value] {
		return
	}
	var missing []string
	for _, name := range b.Runs.Inputs.List(math.MaxInt) {
		if required(b.Runs, name) && !b.Inputs.Has(name) && !b.Space.Has(name) && !mistaken[name] {
			missing = append(missing, fmt.Sprintf("%q", shown(name)))
		}
	}
	if len(missing) == 0 {
		return
	}
	at, who := b.Component().Location(""), "the job"
	if b.Key != nil {
		at.Span, who = b.Key.Span, fmt.Sprintf("%q", shown(b.Key.Value))
	}
	if inputs, ok := b.Node.Entry("inputs"); ok {
		at.Span = inputs.Key.Span
	}
	at.Message = fmt.Sprintf("%s does not give its component the input %s, which has no default: add it under inputs", who, missing[0])
	if len(missing) > 1 {
		at.Message = fmt.Sprintf("%s does not give its component %d inputs without defaults: add %s under inputs", who, len(missing), shown(plain.List(missing, "and")))
	}
	p.reportAs(certain(b), at, nil)
}

// consumed reports an argument of SDK v1 that stands for a dataset which the run configuration does not have: the
// script gets the text itself.
func consumed(p *Pass, job *schema.Job) {
	data, _ := job.File.Root().Resolve().Entry("data")
	if data.Value.Resolve().Merges() || job.File.Root().Resolve().Merges() {
		return
	}
	var names []string
	for _, e := range data.Value.Resolve().Own() {
		names = append(names, e.Key.Value)
	}
	for _, argument := range job.Arguments {
		name, ok := strings.CutPrefix(argument.Text, "DatasetConsumptionConfig:")
		if !ok || slices.Contains(names, name) || template.In(argument.Text) {
			continue
		}
		advice, fix := "add it there, or correct the name", (*finding.Fix)(nil)
		if near := p.nearest(name, names); len(near) == 1 {
			advice = fmt.Sprintf("did you mean %q?", brief(near[0]))
			fix = argument.Fix(finding.Text("DatasetConsumptionConfig:"+near[0]), finding.Unsafe, "write DatasetConsumptionConfig:"+near[0])
		}
		p.report(argument.Location(fmt.Sprintf("the run configuration has no dataset %q under data, so the script gets this text instead of a path: %s", brief(name), advice)), fix)
	}
}
