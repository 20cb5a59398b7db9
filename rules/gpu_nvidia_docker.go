package rules

import (
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
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
			if !t.GPU() || !t.Container() || t.GPUSwitch.Bool || t.File.Kind != schema.Compute || t.File.Broken() || misspelt(t.GPUSwitch, "nvidiaDocker") {
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

// switchFix returns the fix that turns a switch on or off, or nil if there is no place to write it.
func switchFix(field schema.Field, name string, value finding.Scalar) *finding.Fix {
	return field.Fix(value, finding.Safe, "set "+name+" to "+value.Text)
}
