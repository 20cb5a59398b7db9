package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema/finding"
)

var refOutput = Rule{
	ID:       "ref/output",
	Severity: finding.Error,
	Since:    "2026-11-22",
	Doc:      "An expression uses an output that is not declared, or nothing writes an output of a pipeline.",
	Why: `The Azure ML client notices some of these errors when it builds the request; the others show when the job
fails. A pipeline output that no child job writes stays empty.`,
	Remedy: "Corrects the name if exactly one output has a similar name and nothing else uses that output, or corrects the declaration if the context shows that the typo is there.",
	Bad: `
-- pipeline.yml --
$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json
type: pipeline
settings:
  default_compute: azureml:cpu
jobs:
  prepare:
    command: cp data.csv ${{outputs.prepared_data}}
    environment: azureml:env:1
    outputs:
      prepared_data:
        type: uri_folder
  train:
    command: python train.py ${{inputs.data}}
    environment: azureml:env:1
    inputs:
      data: ${{parent.jobs.prepare.outputs.preparred_data}}
`,
	Good: `
-- pipeline.yml --
$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json
type: pipeline
settings:
  default_compute: azureml:cpu
jobs:
  prepare:
    command: cp data.csv ${{outputs.prepared_data}}
    environment: azureml:env:1
    outputs:
      prepared_data:
        type: uri_folder
  train:
    command: python train.py ${{inputs.data}}
    environment: azureml:env:1
    inputs:
      data: ${{parent.jobs.prepare.outputs.prepared_data}}
`,
	Check: func(p *Pass) {
		for _, e := range p.shared.expressions {
			outputOf(p, e)
		}
		for _, b := range p.shared.bodies {
			p.surplus(b, "output", outputsOf, func(string) bool { return false })
			unwritten(p, b)
		}
	},
}

// outputOf reports an expression that names an output that does not exist.
func outputOf(p *Pass, e expression) {
	if e.Whole && e.root == "parent.jobs" && e.Place == flow.Data && !e.misplaced() {
		if job, part, name := e.member(); job != nil && name == "" && (part == "" || part == "outputs") {
			unnamedOutput(p, e, job)
			return
		}
	}
	of, e, ok := e.in("outputs")
	if !ok || e.root == "outputs" && e.name == "default" { // every job has that one
		return
	}
	if p.full(e.body.File.Source) {
		return
	}
	if name, _, parts := strings.Cut(e.name, "."); parts && e.Whole && strings.HasPrefix(e.root, "parent.jobs.") && of.Outputs.Has(name) {
		right := e.root + "." + name
		p.report(e.at("an output has no parts, so Azure ML does not find this: write "+e.shown(right)), e.rename(right))
		return
	}
	if p.parted(e, of, "output", of.Outputs, of.Output) {
		return
	}
	if found, known := e.lookup(of.Gives); found || !known {
		return
	}
	if e.root == "outputs" && of.Inputs.Has(e.name) {
		p.report(e.at(fmt.Sprintf("%q is not an output: write %s", shown(e.name), e.shown("inputs."+e.name))), nil)
		return
	}
	if p.misnested(of, of.Outputs.Node) {
		return
	}
	names := listOf(of, outputsOf)
	if of.IsAutoML() {
		if names = append(names, flow.BestModel); len(p.nearest(e.name, names)) == 0 {
			p.report(e.at(fmt.Sprintf("there is no output %q in %s: AutoML writes its model to %s", shown(e.name), whose(of, "outputs"), flow.BestModel)), nil)
			return
		}
		slices.Sort(names)
		names = slices.Compact(names)
	}
	p.undeclared(certain(of), e, "output", whose(of, "outputs"), names, of, of.Outputs.Node)
}

// unnamedOutput reports a job where one of its outputs is wanted.
func unnamedOutput(p *Pass, e expression, job *flow.Body) {
	prefix := "parent.jobs." + job.Key.Value + ".outputs."
	names := listOf(job, outputsOf)
	var fix *finding.Fix
	if _, known := job.Gives(""); known && len(names) == 1 {
		fix = e.rename(prefix + names[0])
	} else {
		names = []string{"NAME"}
	}
	p.report(e.at("this names a job, but only an output of one can be passed on: write "+e.shown(prefix+names[0])), fix)
}

// unwritten reports the outputs of a pipeline that no child writes.
func unwritten(p *Pass, b *flow.Body) {
	if !b.IsPipeline() || b.Partial {
		return
	}
	written := map[string]bool{}
	for _, job := range b.Jobs {
		if job.Partial {
			return
		}
		for _, u := range job.Uses {
			if e := expressionOf(job, u); e.root == "parent.outputs" || u.Broken || e.misplaced() {
				written[e.name] = true
			}
		}
	}
	for _, entry := range b.Outputs.Node.Resolve().Own() {
		if name := entry.Key.Value; !written[name] {
			p.reportAs(finding.Warning, finding.Location{Source: b.File.Source, Span: entry.Key.Span, Message: fmt.Sprintf(
				"no job of the pipeline writes its output %q: bind an output of a job to it with %s, or remove it", shown(name), "${{parent.outputs."+shown(name)+"}}")}, nil)
		}
	}
}
