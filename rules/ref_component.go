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
	Doc:      "The file of a component or a job that a v2 file names does not exist.",
	Why: `A pipeline names the files of its components. Azure's client reads them with the pipeline, and refuses the
pipeline if one is missing. Paths start at the folder of the file that names them.`,
	Remedy: "With --unsafe, writes the path that is right from the file's folder, where the one that is written is right from another one, such as the root; or the only component of nearly that name.",
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

// otherVersion notes a child that runs a registered component which the project
// defines in other versions only: what it takes is not known.
func otherVersion(p *Pass, b *flow.Body) {
	if len(b.Others) == 0 || p.full(b.File.Source) {
		return
	}
	at, first := b.Component(), b.Others[0]
	version := first.Node.Get("version").Text()
	if version == "" {
		return // the service numbers it
	}
	p.reportAs(finding.Info, at.Location(fmt.Sprintf("the project defines this component as version %s, not this one: what it takes is not checked", brief(version))), nil,
		finding.Location{Source: first.File.Source, Span: first.Node.Get("version").Span, Message: "its version in the project"})
}

// isComponent reports whether a path is that of a component or a job.
func isComponent(at v2Path) bool {
	return strings.HasSuffix(strings.ToLower(at.file), "component") || at.file == "job" || slices.Contains([]string{"component", "trial"}, at.key)
}
