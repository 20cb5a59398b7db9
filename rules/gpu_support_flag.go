package rules

import (
	"fmt"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
)

var gpuSupportFlag = Rule{
	ID:       "gpu/support-flag",
	Severity: finding.Warning,
	Since:    "2026-11-20",
	Doc:      "gpuSupport, docker.enabled and the base image of an SDK v1 run configuration contradict each other; or, in v2, the image does not match the machines.",
	Why: `gpuSupport gives the job's container access to the machine's GPUs. Without a container it does nothing, and
without CUDA in the image the job runs on the CPU. Azure ML compute always runs a container; on your own computer or
machine, docker.enabled has to turn it on. A widely copied sample from Microsoft set the flag together with a CPU image.
Since autumn 2019 the SDK has ignored the flag and only looked at the image. v2 has no flag: the VM size decides, and on
machines without a GPU a job with a GPU image runs on the CPU, if its framework starts at all.`,
	Remedy: "Sets the flag with --gpu NAME and clears it with --cpu NAME, and with --unsafe sets it for a GPU image on machines whose size has a GPU. Otherwise, decide which of the lines is right.",
	Facts:  []string{"images", "vm_sizes", "vm_families", "package_variants"},
	Bad: `
-- .azureml/train.runconfig --
target: gpucluster
environment:
  docker:
    enabled: true
    baseImage: mcr.microsoft.com/azureml/base:0.2.4
    gpuSupport: true
`,
	Good: `
-- .azureml/train.runconfig --
target: gpucluster
environment:
  docker:
    enabled: true
    baseImage: mcr.microsoft.com/azureml/base-gpu:0.2.4
    gpuSupport: true
`,
	Check: func(p *Pass) {
		for _, t := range p.Project.Targets {
			if t.Dialect == schema.SDKv1 && t.GPUSwitch.Explicit && !t.GPUSwitch.File.Broken() {
				checkSupportFlag(p, t)
			}
		}
		v2GPUImage(p)
		curatedOnCPU(p)
	},
}

func checkSupportFlag(p *Pass, t *schema.Target) {
	gpuImage := t.Base().Explicit && !builtImage(t) && schema.IsGPUImage(t.Base().Text)
	switch {
	case t.Declined():
		if t.GPUSwitch.Bool {
			p.reportAs(finding.Error, t.GPUSwitch.Location("gpuSupport is true, but "+declined(t)+": write gpuSupport: false"), switchFix(t.GPUSwitch, "gpuSupport", finding.False))
		}
	case t.Requested() && !t.GPUSwitch.Bool && gpuContainer(t):
		p.reportAs(finding.Error, t.GPUSwitch.Location("gpuSupport is false, so the container gets no GPUs, although this is a GPU target: write gpuSupport: true"),
			switchFix(t.GPUSwitch, "gpuSupport", finding.True), t.Evidence...)
	case t.GPUSwitch.Bool && !t.Docker.Bool && !t.Contained():
		message := "gpuSupport gives GPUs to a container, but docker.enabled is false, so there is no container: set both to true, or both to false"
		related := t.Docker.Location("no container is used here")
		if !t.Docker.Explicit {
			message = "gpuSupport gives GPUs to a container, but docker.enabled is not given, which means false: set it to true, or gpuSupport to false"
			related = t.Image.Location("the image of a container that is not used")
		}
		p.report(t.GPUSwitch.Location(message), nil, related)
	case undecided(t): // if there is more evidence, gpu/base-image reports it
		p.report(t.GPUSwitch.Location(fmt.Sprintf(
			"gpuSupport asks for GPUs, but %s is a CPU image without CUDA: use a GPU image, or set gpuSupport to false", t.Base().Text)),
			nil, t.Base().Location("this is a CPU image"))
	case !t.GPUSwitch.Bool && t.Contained() && gpuImage:
		var fix *finding.Fix
		if vm, known := t.Machine(); known && vm.CUDA {
			fix = t.GPUSwitch.Fix(finding.True, finding.Unsafe, "set gpuSupport to true")
		}
		p.report(t.GPUSwitch.Location("gpuSupport is false, so the container gets no GPUs, but its image is a GPU image: set gpuSupport to true, or use a CPU image"),
			fix, t.Base().Location("this is a GPU image"))
	}
}

// undecided reports whether gpuSupport is all that asks for GPUs in an SDK v1 run configuration, next to a CPU image.
// Templates say that, and only a person knows which of the two is right.
func undecided(t *schema.Target) bool {
	image, known := imageOf(t)
	if t.Dialect != schema.SDKv1 || !t.GPUSwitch.Bool || t.GPU() || !known || image.GPU {
		return false
	}
	_, wanted := t.GPUPackage() // on a machine without a GPU
	return !wanted
}
