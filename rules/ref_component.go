package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema/finding"
)

var refComponent = Rule{
	ID:       "ref/component",
	Severity: finding.Error,
	Since:    "2026-11-22",
	Doc:      "The component or job file that a v2 file refers to does not exist.",
	Why: `A pipeline refers to the files of its components. The Azure ML client reads them with the pipeline, and
rejects the pipeline if one is missing. Paths are relative to the folder of the file that contains them.`,
	Remedy: "Removes \"file:\" before the path, and writes slashes for backslashes. With --unsafe, corrects the path if the written one is right from another folder, such as the root, or names the only component with a similar name.",
	Bad: `
-- pipeline.yml --
$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json
type: pipeline
jobs:
  train:
    component: trian.yml
    compute: azureml:gpu
-- train.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandComponent.schema.json
name: train
command: python -V
environment: azureml:env:1
`,
	Good: `
-- pipeline.yml --
$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json
type: pipeline
jobs:
  train:
    component: train.yml
    compute: azureml:gpu
-- train.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandComponent.schema.json
name: train
command: python -V
environment: azureml:env:1
`,
	Check: func(p *Pass) {
		v2Missing(p, "file", isComponent)
		for _, b := range p.shared.bodies {
			otherVersion(p, b)
		}
	},
}

// otherVersion reports, as a note, a child that runs a registered component which the project defines only in other
// versions, so that its inputs are not known.
func otherVersion(p *Pass, b *flow.Body) {
	if b.Other == nil || p.full(b.File.Source) {
		return
	}
	at, version := b.Component(), b.Other.Node.Get("version").Text()
	if version == "" {
		return // the service numbers it
	}
	p.reportAs(finding.Info, at.Location(fmt.Sprintf("the project defines version %s of this component, not this one, so its inputs are not checked", brief(version))), nil,
		finding.Location{Source: b.Other.File.Source, Span: b.Other.Node.Get("version").Span, Message: "the version in the project"})
}

// isComponent reports whether a path is of a component or a job.
func isComponent(at v2Path) bool {
	return strings.HasSuffix(strings.ToLower(at.file), "component") || at.file == "job" || slices.Contains([]string{"component", "trial"}, at.key)
}
