package rules

import (
	"fmt"

	"github.com/amlfix/amlfix/schema/finding"
)

const gpuLinuxHostID = "gpu/linux-host"

var gpuLinuxHost = Rule{
	ID:       gpuLinuxHostID,
	Severity: finding.Warning,
	Since:    "2026-11-20",
	Doc:      "A container on this computer asks for GPUs, but only Docker on Linux can provide them.",
	Why: `nvidia-docker exists only for Linux, although the documentation once said "a machine with GPUs". Docker
Desktop on Windows and macOS runs containers in a virtual machine, which has no GPU, except on Windows with WSL 2 and a
recent driver.`,
	Bad: `
host: windows
-- aml_config/docker.compute --
type: localdocker
baseDockerImage: microsoft/mmlspark:plus-gpu-0.9.9
nvidiaDocker: true
`,
	Good: `
host: windows
-- aml_config/vm.compute --
type: remotedocker
address: vm.example.com
username: me
baseDockerImage: microsoft/mmlspark:plus-gpu-0.9.9
nvidiaDocker: true
`,
	Check: func(p *Pass) {
		var system string
		switch host := p.Project.Host(); host {
		case "linux", "js":
			return // in a browser, the system that starts the job is not known
		case "windows":
			system = "this is Windows, where only Docker with WSL 2 can do that"
		case "darwin":
			system = "this is macOS, where Docker never can"
		default:
			system = "this is " + host
		}
		for _, t := range p.Project.Targets {
			if t.GPUSwitch.Bool && (t.Type.Text == "localdocker" || t.Type.Text == "docker") {
				p.report(t.GPUSwitch.Location(fmt.Sprintf(
					"containers on this computer get GPUs on Linux only, and %s: use a remote Linux target", system)), nil)
			}
		}
	},
}
