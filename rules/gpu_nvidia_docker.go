package rules

import (
	"fmt"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
)

var gpuNvidiaDocker = Rule{
	ID:       "gpu/nvidia-docker",
	Severity: finding.Error,
	Since:    "2026-11-20",
	Doc:      "A target has a GPU image but does not ask for GPUs.",
	Why: `The image only contains the libraries. Docker gives a container access to the machine's GPUs only on request,
and "nvidiaDocker: true" is how a compute target makes that request. Without it the job runs on the CPU, or
fails on import.`,
	Remedy: "Adds nvidiaDocker: true after baseDockerImage.",
	Facts:  []string{"images"},
	Bad: `
-- aml_config/vm.compute --
type: remotedocker
address: vm.example.com
username: me
baseDockerImage: microsoft/mmlspark:plus-gpu-0.9.9
`,
	Good: `
-- aml_config/vm.compute --
type: remotedocker
address: vm.example.com
username: me
baseDockerImage: microsoft/mmlspark:plus-gpu-0.9.9
nvidiaDocker: true
`,
	Check: func(p *Pass) {
		for _, t := range p.Project.Targets {
			if t.Declined() && t.GPUSwitch.Bool && t.File.Kind == schema.Compute {
				p.report(t.GPUSwitch.Location("nvidiaDocker is true, but "+declined(t)+": write nvidiaDocker: false"),
					switchFix(t.GPUSwitch, "nvidiaDocker", finding.False))
				continue
			}
			if !t.GPU() || !t.Container() || t.GPUSwitch.Bool || t.File.Kind != schema.Compute || t.File.Broken() {
				continue
			}
			if misspelt(t.GPUSwitch, "nvidiaDocker") {
				misspeltSwitch(p, t)
				continue
			}
			message := "the container will not see the GPU because nvidiaDocker is missing: write nvidiaDocker: true"
			if t.GPUSwitch.Node != nil {
				message = "the container will not see the GPU: on a GPU target, nvidiaDocker must be true (without quotes)"
			}
			p.report(t.GPUSwitch.Location(message), switchFix(t.GPUSwitch, "nvidiaDocker", finding.True), t.Evidence...)
		}
	},
}

// misspeltSwitch reports a switch that is on, but whose key has a typo, with the fix of schema/unknown-key.
func misspeltSwitch(p *Pass, t *schema.Target) {
	for _, e := range t.File.Root().Resolve().Own() {
		if len(format.Nearest(e.Key.Value, []string{"nvidiaDocker"})) == 0 || e.Value.Text() != "true" {
			continue
		}
		for _, f := range p.shared.schema {
			if f.Rule == format.RuleUnknownKey && f.Source == t.File.Source && f.Span == e.Key.Span {
				f.Message = fmt.Sprintf("%q has no effect, so the container will not see the GPU: write nvidiaDocker: true", shown(e.Key.Value))
				p.report(f.Location, f.Fix, t.Evidence...)
			}
		}
	}
}

// switchFix returns the fix that turns a switch on or off, or nil if there is no place to write it.
func switchFix(field schema.Field, name string, value finding.Scalar) *finding.Fix {
	return field.Fix(value, finding.Safe, "set "+name+" to "+value.Text)
}
