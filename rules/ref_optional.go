package rules

import (
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema/finding"
)

var refOptional = Rule{
	ID:       "ref/optional",
	Severity: finding.Warning,
	Since:    "2026-11-22",
	Doc:      "An optional input is used where an input is required.",
	Why: `Azure ML leaves out what is inside $[[ ]] if an optional input is not given. Without the brackets, the command
needs the input anyway. The Azure ML client rejects a pipeline that passes an optional input to a required one of a
component.`,
	Bad: `
-- train.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandComponent.schema.json
name: train
command: python train.py --epochs ${{inputs.epochs}}
environment: azureml:env:1
inputs:
  epochs:
    type: integer
    optional: true
`,
	Good: `
-- train.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandComponent.schema.json
name: train
command: python train.py $[[--epochs ${{inputs.epochs}}]]
environment: azureml:env:1
inputs:
  epochs:
    type: integer
    optional: true
`,
	Check: func(p *Pass) {
		for _, e := range p.shared.expressions {
			name, _, _ := strings.Cut(e.name, ".")
			switch declared := e.body.Inputs.Node.Get(name).Resolve(); {
			case e.root == "inputs" && e.Place == flow.Command && !e.Optional && optional(declared) && declared.Get("default").IsNull():
				p.report(e.at(fmt.Sprintf("the input %q is optional, but the command needs it: put the option inside $[[ ]], as in $[[--%s %s]]", shown(name), shown(name), e.shown(e.Name))), nil)
			case e.root == "parent.inputs" && e.Place == flow.Data && e.body.Runs != nil && e.Whole:
				optionalForRequired(p, e, name)
			}
		}
	},
}

// optionalForRequired reports an optional pipeline input that a child passes to a required input of its component.
func optionalForRequired(p *Pass, e expression, name string) {
	if !optional(e.body.Parent.Inputs.Node.Get(name)) {
		return
	}
	given := e.body.Inputs.Node.Get(e.To)
	if given != e.Node && given.Get("path") != e.Node {
		return
	}
	if needs := e.body.Runs.Inputs.Node.Get(e.To).Resolve(); e.body.Runs.Declared && needs.IsMapping() && !optional(needs) {
		p.reportAs(certain(e.body), e.at(fmt.Sprintf("the pipeline's input %q is optional, but the component needs %q: make both optional, or neither", shown(name), shown(e.To))), nil)
	}
}
