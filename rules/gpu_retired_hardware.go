package rules

import (
	"fmt"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
)

var gpuRetiredHardware = Rule{
	ID:       "gpu/retired-hardware",
	Severity: finding.Info,
	Since:    "2026-11-20",
	Doc:      "The GPUs that the image or the VM size was made for are no longer available.",
	Why: `The GPU images of Workbench contain CUDA 8, which supports no GPU newer than Pascal. Azure retired its K80 and
Pascal machines in 2023; what is available today is Turing, Ampere or newer. The files can be right and the
job still find no GPU that it can use.`,
	Bad: `
-- .azureml/train.runconfig --
target: amlcompute
amlcompute:
  vmSize: STANDARD_NC6
`,
	Good: `
-- .azureml/train.runconfig --
target: amlcompute
amlcompute:
  vmSize: STANDARD_NC4as_T4_v3
`,
	Check: func(p *Pass) {
		for _, t := range p.Project.Targets {
			checkRetiredImage(p, t)
			checkRetiredSize(p, t.VMSize)
		}
		for _, size := range v2Sizes(p) {
			checkRetiredSize(p, size)
		}
		for _, t := range v2Images(p) {
			checkRetiredImage(p, t)
		}
	},
}

func checkRetiredSize(p *Pass, field schema.Field) {
	size, ok := catalog.VMSize(field.Text)
	if !ok || !field.Explicit || size.RetiredOn == "" {
		return
	}
	message := fmt.Sprintf("the VM size %s has the retirement date %s", size.Size, size.RetiredOn)
	if size.Replacement != "" {
		message += "; Microsoft's suggested replacement: " + size.Replacement
	}
	p.report(field.Location(message), nil)
}

// checkRetiredImage reports an image whose CUDA has no code that a GPU of today
// runs. Code for one generation runs on its later members too: what Volta (7.0)
// runs, Turing (7.5) runs, so the line is the CUDA version that brought Volta.
func checkRetiredImage(p *Pass, t *schema.Target) {
	image, ok := imageOf(t)
	volta, known := catalog.GPUByCapability("7.0")
	if !ok || !known || !image.GPU || image.CUDA == "" || catalog.CompareVersions(image.CUDA, volta.FirstCUDA) >= 0 {
		return
	}
	p.report(t.Image.Location(fmt.Sprintf(
		"this image contains CUDA %s, which supports no GPU sold today: the newest it supports are of the Pascal generation, from 2016",
		image.CUDA)), nil)
}
