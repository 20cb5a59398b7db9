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
	Doc:      "The VM size is or will be retired, or the image's CUDA has no code for the GPUs that Azure offers today.",
	Why: `Azure retires VM sizes in series: jobs on them wait for nodes that never come, and computes of these sizes
cannot be created. In v2, a size that is retired, or will be within a year, is a warning, and one that will be retired
later is an info; in SDK v1, whose own support has ended, both are infos. The GPU images of Workbench contain CUDA 8,
which supports no GPU newer than Pascal; Azure retired its K80 and Pascal machines in 2023, and what is available today
is Volta or newer. Such files can be correct, and the job still finds no GPU that it can use. --as-of DATE checks as of
another day.`,
	Facts: []string{"vm_sizes", "vm_series", "images", "gpus"},
	Bad: `
-- .azureml/train.runconfig --
target: amlcompute
amlcompute:
  vmSize: STANDARD_NC6
environment: {}
`,
	Good: `
-- .azureml/train.runconfig --
target: amlcompute
amlcompute:
  vmSize: STANDARD_NC4as_T4_v3
environment: {}
`,
	Check: func(p *Pass) {
		for _, t := range p.Project.Targets {
			checkRetiredImage(p, t)
			checkRetiredSize(p, t.VMSize, false)
		}
		for _, size := range v2Sizes(p) {
			checkRetiredSize(p, size, true)
		}
		for _, t := range v2Images(p) {
			checkRetiredImage(p, t)
		}
	},
}

// checkRetiredSize reports a machine size that is retired or about to be. For SDK v1, whose own support has ended, a
// retirement more than a year away is not reported; for v2, one within a year is a warning.
func checkRetiredSize(p *Pass, field schema.Field, v2 bool) {
	if !field.Explicit {
		return
	}
	size, ok := catalog.VMSize(field.Text)
	phase := catalog.PhaseOf(size.RetiredOn, p.Project.AsOf())
	if !ok || size.RetiredOn == "" || !v2 && phase == catalog.Lasting {
		return
	}
	when := "was retired on"
	if phase < catalog.Ended {
		when = "will be retired on"
	}
	message := fmt.Sprintf("the VM size %s %s %s", size.Size, when, size.RetiredOn)
	if size.Replacement != "" {
		message += "; Microsoft's suggested replacement: " + size.Replacement
	}
	severity := finding.Info
	if v2 && phase != catalog.Lasting {
		severity = finding.Warning
	}
	p.reportAs(severity, field.Location(message), nil)
}

// checkRetiredImage reports an image whose CUDA has no code that today's GPUs can run. Turing (7.5) runs code for Volta
// (7.0), so the limit is the first CUDA version that supports Volta.
func checkRetiredImage(p *Pass, t *schema.Target) {
	image, ok := imageOf(t)
	if !ok || !image.GPU || image.CUDA == "" {
		return
	}
	volta, known := catalog.GPUByCapability("7.0")
	if !known || catalog.CompareVersions(image.CUDA, volta.FirstCUDA) >= 0 {
		return
	}
	severity := finding.Info
	if t.Dialect == schema.V2 {
		severity = finding.Warning // its service continues
	}
	p.reportAs(severity, t.Base().Location(fmt.Sprintf(
		"this image contains CUDA %s, which supports no GPU that is sold today: the newest it supports are of the Pascal generation, from 2016",
		image.CUDA)), nil)
}
