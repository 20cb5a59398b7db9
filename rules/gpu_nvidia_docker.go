package rules

import (
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
)

var gpuNvidiaDocker = Rule{
	ID:       "gpu/nvidia-docker",
	Severity: finding.Error,
	Doc:      "A target has a GPU image but does not ask for GPUs.",
	Why: `The image only holds the libraries. Docker shows the machine's GPUs to a container only when asked to, and
"nvidiaDocker: true" is how a compute target asks. Without it the job runs on the CPU, or fails on import.`,
	Remedy: "nvidiaDocker: true is written after baseDockerImage.",
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
			if !t.GPU() || !t.Container() || t.GPUSwitch.Bool || t.File.Kind != schema.Compute || t.File.Broken() || misspelt(t.GPUSwitch, "nvidiaDocker") {
				continue
			}
			message := "the container will not see the GPU: nvidiaDocker is missing here; write nvidiaDocker: true"
			if t.GPUSwitch.Node != nil {
				message = "the container will not see the GPU: nvidiaDocker must be true (without quotes) on a GPU target"
			}
			var fix *finding.Fix
			if change, ok := t.GPUSwitch.Set(finding.True); ok {
				fix = &finding.Fix{Title: "set nvidiaDocker to true", Applicability: finding.Safe, Changes: []finding.Change{change}}
			}
			p.report(t.GPUSwitch.Location(message), fix, t.Evidence...)
		}
	},
}
