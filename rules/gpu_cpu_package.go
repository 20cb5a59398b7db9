package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
)

var gpuCPUPackage = Rule{
	ID:       "gpu/cpu-package",
	Severity: finding.Error,
	Since:    "2026-11-20",
	Doc:      "The environment of a GPU target installs the CPU build of a framework.",
	Why: `In the 1.x releases "tensorflow" is the CPU build, and the GPU build is a separate package, "tensorflow-gpu".
With the CPU build everything runs, but on the CPU, and only the log shows it. Later packages mark the CPU build by a
label (torch==2.3.0+cpu), a build string (pytorch=*=cpu*), another package (cpuonly), or the index that pip uses
(--extra-index-url https://download.pytorch.org/whl/cpu, whose labels count as higher versions than PyPI's). Files
included with "-r" under pip are checked too. If another framework in the environment uses the GPU, this is a warning in
v2. In the older dialects, TensorFlow is one beside PyTorch from pip: often, it was there only for TensorBoard.`,
	Remedy: "Replaces the package with its GPU build, keeping pins, quotes and markers, or removes the index of CPU builds. If several GPU builds exist, --choose selects one; in v2, PyTorch gets the build that suits the machine, with the index or channel that provides it. If a CPU target also uses the conda file, the GPU job gets its own copy. Warnings are repaired only with --unsafe.",
	Facts:  []string{"package_variants", "conda_builds", "images", "vm_sizes", "wheel_indexes"},
	Bad:    gpuProject + "  - tensorflow\n",
	Good:   gpuProject + "  - tensorflow-gpu\n",
	Check: func(p *Pass) {
		for _, e := range p.Project.Installations() {
			jobs := e.UsedBy(gpuContainer)
			if len(jobs) == 0 {
				continue
			}
			items := p.items(e)
			indexes := indexesOf(items)
			for _, pkg := range items {
				if place, ok := indexes[pkg.Command].of(pkg.Requirement.Key); !ok || !place.GPU || byLabel(pkg) {
					checkPackage(p, e, pkg, jobs)
				}
			}
			checkIndex(p, e, items, indexes, jobs)
		}
	},
}

// byLabel reports whether an item pins a build by its label, as in +cpu: whatever pip's indexes have, it gets that
// build or none.
func byLabel(pkg listed) bool {
	pin, pinned := pkg.Requirement.Pin()
	return pkg.Err == nil && pinned && pin.Local() != ""
}

// gpuProject is a GPU project whose conda file ends at its dependencies.
const gpuProject = `
-- aml_config/vm.runconfig --
ArgumentVector: ["$file"]
Target: vm
Framework: Python
-- aml_config/vm.compute --
type: remotedocker
address: vm.example.com
username: me
baseDockerImage: microsoft/mmlspark:plus-gpu-0.9.9
nvidiaDocker: true
-- aml_config/conda_dependencies.yml --
name: project_environment
dependencies:
  - python=3.5.2
`

// gpuContainer reports whether a target's jobs run in a container with GPUs. The service's own clusters always use a
// container; an SDK v1 file that does not say so is held to it only if the user asks for GPUs (--gpu).
func gpuContainer(t *schema.Target) bool {
	return t.GPU() && (t.Contained() || t.Requested() && t.Type.Text == "managed")
}

func checkPackage(p *Pass, e *schema.Environment, pkg listed, jobs []*schema.Job) {
	if p.full(pkg.src) {
		return
	}
	swap, ok := gpuSwap(p.Project, e, pkg.Package)
	if !ok {
		return
	}
	r := pkg.Requirement
	name, title := fmt.Sprintf("%q", r.Name), fmt.Sprintf("use %q", swap.name)
	if r.Wheel != nil {
		name, title = "the wheel of "+swap.name, "use the wheel for GPUs"
	}
	if r.Build != "" && r.Flavour().Kind == requirement.CPU {
		name = fmt.Sprintf("%q with the build string %q", r.Name, r.Build)
	}
	message := fmt.Sprintf("%s is the CPU build, but %s on a GPU target: use %q", name, usedHere(jobs), swap.name)
	if swap.advice != "" {
		message = fmt.Sprintf("%s is the CPU build, but %s on a GPU target: %s", name, usedHere(jobs), swap.advice)
	}
	if swap.pin {
		message += p.shared.pins.of(packageIn{e, swap.name}, func() string { return pinAdvice(e, swap.name) })
	}
	message += swap.others + notRepaired(swap.kept)
	severity := certainly(p.rule.Severity, jobs)
	if other := p.usesGPU(e, r.Key); other != "" && (nounOf(jobs) == "job" || other == "torch" && strings.HasPrefix(r.Key, "tensorflow")) {
		severity = finding.Warning
		message = fmt.Sprintf("%s is the CPU build, while %q uses the GPU: use %q, unless this is intended", name, other, swap.name)
	}
	at := pkg.at(e, message)
	var fix *finding.Fix
	switch {
	case !pkg.own(e):
	case swap.text == "" && len(swap.answers) > 0:
		fix = &finding.Fix{Title: "choose the GPU build", Applicability: finding.Choice, Answers: swap.answers}
	case swap.text != "":
		fix = environmentFix(p, e, gpuSide, &at, title, pkg.Package, swap.text)
	}
	if severity == finding.Warning && fix != nil && fix.Applicability == finding.Safe {
		fix.Applicability = finding.Unsafe
	}
	p.reportAs(severity, at, fix, whyGPU(jobs)...)
}

// certainly returns the severity of a fault on a GPU machine, which is at most a warning if only an image suggests a
// GPU.
func certainly(severity finding.Severity, jobs []*schema.Job) finding.Severity {
	if severity > finding.Warning && !slices.ContainsFunc(jobs, func(j *schema.Job) bool { return !j.Target.Suspected() }) {
		return finding.Warning
	}
	return severity
}

// usesGPU returns a framework other than name in a v2 environment that certainly uses the GPU, or "": a second
// framework may be there only for its tools.
func (p *Pass) usesGPU(e *schema.Environment, name string) string {
	if slices.ContainsFunc(catalog.CPUVariants(catalog.Pip, name), func(row *catalog.PackageVariant) bool { return row.Local != "" }) || e.Lists("cpuonly") {
		return "" // part of PyTorch
	}
	for _, r := range p.shared.onGPU.of(e, func() []*requirement.Requirement { return usersOfGPU(e) }) {
		if r.Key != name {
			return r.Name
		}
	}
	return ""
}

// usersOfGPU returns the first two frameworks of an environment that certainly use the GPU.
func usersOfGPU(e *schema.Environment) (two []*requirement.Requirement) {
	for _, pkg := range e.Packages {
		r := pkg.Requirement
		if pkg.Err != nil || pkg.Manager != requirement.Pip || r.Kind != requirement.Package || len(two) == 1 && two[0].Key == r.Key {
			continue
		}
		b, ok := catalog.NewestBuild(r.Key)
		if !ok || b.Package != r.Key || b.GPU != catalog.GPUIncluded {
			continue
		}
		versions, err := r.Versions()
		if pin, pinned := versions.Pin(); err == nil && (!pinned || pin.Local() != "cpu") {
			if two = append(two, r); len(two) == 2 {
				break
			}
		}
	}
	return two
}

// packageIn is the name of a package in an environment.
type packageIn struct {
	*schema.Environment
	name string
}

// pinAdvice says which version to pin if a package cannot be installed without one, or would not load with the image.
func pinAdvice(e *schema.Environment, name string) string {
	w := &cudaWorld{Environment: e, images: futureImages(e), releases: map[string][]release{}}
	const why = ", with a version, because without one pip takes a release that cannot be installed or loaded"
	if len(w.images) == 0 {
		return why
	}
	image := w.images[0]
	if pin := w.newestThatLoads(asked{name: name}); pin != "" {
		return fmt.Sprintf("%s; %q loads with the %s of the image (--unsafe writes it)", why, name+pin, libraries(image.CUDA, image.CUDNN))
	}
	return fmt.Sprintf("%s; no release is known to load with the %s of the image", why, libraries(image.CUDA, image.CUDNN))
}

// futureImages returns the GPU images that an environment is installed into, including those that will replace CPU
// images.
func futureImages(e *schema.Environment) []cudaImage {
	images := cudaImages(e)
	for _, t := range e.Targets() {
		if !gpuContainer(t) {
			continue
		}
		image, _ := imageOf(t)
		if twin, ok := catalog.GPUTwin(image.Repo, image.Tag); ok && twin.CUDA != "" {
			images = append(images, cudaImage{Image: twin, jobs: t.Jobs[:1]})
		}
	}
	return images
}
