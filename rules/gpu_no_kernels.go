package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
)

var gpuNoKernels = Rule{
	ID:       "gpu/no-kernels",
	Severity: finding.Error,
	Since:    "2026-11-22",
	Doc:      "The build of a framework, or the CUDA of the image, has no code for the GPUs of the machine.",
	Why: `A build contains machine code for the GPUs that its makers chose: the wheels of PyTorch up to 1.12 on PyPI,
for CUDA 10.2, contain none for an A100, those of 2.0 none for an H100, and those from 2.11 on none for a V100. The
first operation then ends the job: "no kernel image is available for execution on the device". Intermediate code (PTX)
helps newer GPUs: the driver compiles it, which takes minutes each time a job starts. The catalog's table "kernels"
lists what each build contains (amlfix facts torch).`,
	Facts: []string{"kernels", "frameworks", "gpus", "wheel_indexes", "vm_sizes"},
	Bad:   gpuJob + "  - pip=24.0\n  - pip:\n      - torch==1.12.1\n",
	Good:  gpuJob + "  - pip=24.0\n  - pip:\n      - torch==2.3.0\n",
	Check: func(p *Pass) {
		for _, e := range installations(p) {
			machines := gpuMachines(e)
			if len(machines) == 0 {
				continue
			}
			items := p.items(e)
			builds := &builder{e: e, indexes: indexesOf(items), python: pythonPin(e), cuda: pinnedCUDA(e), lists: map[string][]versioned{}}
			for _, pkg := range items {
				if p.full(pkg.src) {
					continue
				}
				c := builds.candidatesOf(pkg.Package)
				for _, m := range machines {
					if reportKernels(p, e, pkg, c, m) {
						break
					}
				}
			}
		}
		imageKernels(p)
		curatedKernels(p)
	},
}

// gpuJob is a v2 job on a machine with an A100, up to the items of its conda file.
const gpuJob = `
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: python train.py
code: src
environment:
  image: mcr.microsoft.com/azureml/openmpi5.0-cuda12.6-ubuntu24.04:20260101.v1
  conda_file: conda.yml
resources:
  instance_type: Standard_NC24ads_A100_v4
  shm_size: 16g
-- src/train.py --
print("training")
-- conda.yml --
channels: [conda-forge]
dependencies:
  - python=3.10
`

// reportKernels reports an item whose build has no machine code for a machine's GPU.
func reportKernels(p *Pass, e *schema.Environment, pkg listed, c candidates, m machine) bool {
	if len(c.builds) == 0 {
		return false
	}
	build := *c.builds[len(c.builds)-1]
	if build.GPU == catalog.GPUNone {
		return false // gpu/cpu-package reports it
	}
	first, _, known := catalog.CUDAFor(m.Capability)
	older := known && catalog.CompareVersions(build.CUDA, first) < 0
	image, ok := imageOf(m.jobs[0].Target)
	if older && build.GPU != catalog.GPUIncluded && !slices.Contains(pkg.Requirement.Extras, "and-cuda") && ok && image.CUDA != "" {
		return false // it loads the image's CUDA, which is checked instead
	}
	severity, verdict, so := finding.Error, "has no code for", ""
	switch kernels, recorded := build.Kernels(); build.Runs(m.Capability) {
	case catalog.ReachNone:
		if recorded && kernels.Certainty != catalog.Sourced {
			severity = finding.Warning
		}
		if !c.exact && slices.ContainsFunc(c.builds, func(b *catalog.Build) bool { return b.Runs(m.Capability) != catalog.ReachNone }) {
			severity = finding.Warning // other packages may keep pip from taking the newest
		}
	case catalog.ReachCompiled:
		severity, verdict, so = finding.Info, "has no machine code for", ", so the driver compiles its kernels each time a job starts"
		if older {
			severity, verdict, so = finding.Warning, "installs a CUDA version that has no code for", ""
		}
	default:
		return false
	}
	p.reportAs(ofDialect(severity, m.jobs[0]), pkg.at(e, fmt.Sprintf("%s %s the machine's GPU, %s (compute capability %s)%s%s",
		buildName(pkg.Package, c, build), verdict, m.GPU, m.Capability, so, kernelAdvice(e, build, m.Capability))), nil, whyGPU(m.jobs)...)
	return true
}

// ofDialect lowers an error to a warning for SDK v1, whose service has ended.
func ofDialect(severity finding.Severity, j *schema.Job) finding.Severity {
	if j.Dialect != schema.V2 && severity == finding.Error {
		return finding.Warning
	}
	return severity
}

// buildName names the build that an item installs.
func buildName(pkg schema.Package, c candidates, b catalog.Build) string {
	name := fmt.Sprintf("%s %s for CUDA %s", pkg.Requirement.Name, b.Version, b.CUDA)
	if c.exact {
		return name
	}
	return fmt.Sprintf("the newest that %q accepts (%s)", inWords(pkg), name)
}

// kernelAdvice names builds that run on GPUs of a capability: the same version for another CUDA, and the nearest other
// version.
func kernelAdvice(e *schema.Environment, b catalog.Build, capability string) string {
	native := func(b catalog.Build) bool { return b.Runs(capability) == catalog.ReachNative }
	framework, python := b.Package, pythonPin(e)
	if framework == "" {
		framework = "torch"
	}
	var list []string
	for _, cuda := range b.CUDAs {
		if other, ok := catalog.FrameworkBuild(framework, b.Version+"+cu"+strings.ReplaceAll(cuda, ".", "")); ok && native(other) {
			list = append(list, "its build for CUDA "+cuda)
			break
		}
	}
	nearest, found := "", false
	for _, other := range catalog.FrameworkBuilds(framework) {
		if !native(other) || !servesPython(other, python) || other.Version == b.Version {
			continue
		}
		if later := catalog.CompareVersions(other.Version, b.Version) > 0; later && found {
			break
		} else if nearest, found = other.Version, true; later {
			break
		}
	}
	if found {
		list = append(list, nearest)
	}
	if len(list) == 0 {
		return ""
	}
	return ": use " + strings.Join(list, ", or ")
}

// imageKernels reports images whose CUDA has no code for the machine's GPUs, if a package loads CUDA from the image or
// nothing else is installed.
func imageKernels(p *Pass) {
	for _, t := range v2Machines(p) {
		image, ok := imageOf(t)
		vm, known := t.Machine()
		if !ok || !known || vm.Capability == "" || !image.GPU || image.CUDA == "" || p.full(t.Base().File.Source) {
			continue
		}
		first, last, recorded := catalog.CUDAFor(vm.Capability)
		major, _, _ := strings.Cut(image.CUDA, ".")
		if !recorded || catalog.CompareVersions(image.CUDA, first) >= 0 && (last == 0 || catalog.CompareVersions(major, strconv.Itoa(last)) <= 0) {
			continue
		}
		severity := finding.Info
		if e := t.Jobs[0].Installs(); e != nil && (e.File.Broken() || needsImageCUDA(e) == nil) {
			continue
		} else if e != nil {
			severity = finding.Warning
		}
		advice := "CUDA " + first + " or later"
		if last != 0 {
			advice = fmt.Sprintf("CUDA %s to %d", first, last)
		}
		p.reportAs(severity, t.Base().Location(fmt.Sprintf("this image contains CUDA %s, which has no code for the machine's GPU, %s (compute capability %s): use an image with %s",
			image.CUDA, vm.GPU, vm.Capability, advice)), nil, runsOn(t.Jobs[0]), t.VMSize.Location("machines with that GPU"))
	}
}
