package rules

import (
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
)

var gpuBaseImage = Rule{
	ID:       "gpu/base-image",
	Severity: finding.Error,
	Doc:      "A GPU target uses a base image without GPU libraries.",
	Why: `A CPU image holds neither CUDA nor cuDNN. With nvidiaDocker the container sees the GPU, but the framework
cannot load its GPU libraries: it stops with an import error or quietly computes on the CPU.`,
	Remedy: "The GPU image of the same version is named, where one was published.",
	Bad: `
-- aml_config/vm.compute --
type: remotedocker
address: vm.example.com
username: me
baseDockerImage: microsoft/mmlspark:plus-0.9.9
nvidiaDocker: true
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
			if t.GPU() && t.Container() && t.File.Kind == schema.Compute {
				checkBaseImage(p, t)
			}
		}
	},
}

func checkBaseImage(p *Pass, t *schema.Target) {
	if !t.Image.Explicit {
		if t.Image.Node.IsNull() && !t.Image.File.Broken() {
			p.report(t.Image.Location("no base image is named for this GPU target, and the default image has no GPU libraries: set baseDockerImage to a microsoft/mmlspark:plus-gpu image"),
				nil, t.Evidence...)
		}
		return
	}
	image, err := requirement.ParseImage(strings.TrimSpace(t.Image.Text))
	if err != nil {
		return
	}
	known, ok := catalog.LookupImage(image.Name(), image.Tag)
	if !ok || known.GPU {
		return
	}
	message := t.Image.Text + " is a CPU image, but this is a GPU target: its framework will find no GPU libraries"
	var fix *finding.Fix
	if twin, ok := catalog.GPUTwin(image.Name(), image.Tag); ok {
		reference := withTag(image, twin.Tag)
		message += fmt.Sprintf("; use %s, the GPU image of the same version", reference)
		if change, ok := t.Image.Set(finding.Text(reference)); ok {
			fix = &finding.Fix{Title: "use " + reference, Applicability: finding.Safe, Changes: []finding.Change{change}}
		}
	}
	p.report(t.Image.Location(message), fix, t.Evidence...)
}

// withTag returns an image reference with another tag.
func withTag(image requirement.Image, tag string) string { return image.Name() + ":" + tag }
