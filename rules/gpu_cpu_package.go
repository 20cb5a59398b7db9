package rules

import (
	"fmt"
	"slices"

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
With the CPU build everything runs, but on the CPU, and only the log says so.`,
	Remedy: "Replaces the package with its GPU build, keeping pins, quotes and markers. Where several GPU builds exist, --choose selects one. If a CPU target also uses the conda file, the GPU job gets its own copy.",
	Facts:  []string{"package_variants", "conda_builds", "images", "vm_sizes"},
	Bad:    gpuProject + "  - tensorflow\n",
	Good:   gpuProject + "  - tensorflow-gpu\n",
	Check: func(p *Pass) {
		for _, e := range p.Project.Environments {
			jobs := e.UsedBy(gpuContainer)
			if len(jobs) == 0 {
				continue
			}
			for _, pkg := range e.Packages {
				checkPackage(p, e, pkg, jobs)
			}
		}
	},
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

// gpuContainer reports whether jobs run in a container with GPUs on a target.
// The service's own clusters always use one; it takes the user's word (--gpu) to
// hold an SDK v1 file that does not say so to it.
func gpuContainer(t *schema.Target) bool {
	return t.GPU() && (t.Contained() || t.Requested() && t.Type.Text == "managed")
}

func checkPackage(p *Pass, e *schema.Environment, pkg schema.Package, jobs []*schema.Job) {
	if p.full(e.File.Source) {
		return
	}
	swap, ok := gpuSwap(p.Project, e, pkg)
	if !ok {
		return
	}
	r := pkg.Requirement
	name := fmt.Sprintf("%q", r.Name)
	if r.Build != "" && r.Flavour().Kind == requirement.CPU {
		name = fmt.Sprintf("%q with the build string %q", r.Name, r.Build)
	}
	message := fmt.Sprintf("%s is the CPU build, but %s on a GPU target: use %q", name, usedHere(jobs), swap.name)
	if swap.advice != "" {
		message = fmt.Sprintf("%s is the CPU build, but %s on a GPU target: %s", name, usedHere(jobs), swap.advice)
	}
	if swap.pin {
		message += pinAdvice(e, swap.name)
	}
	message += swap.others + notRepaired(swap.kept)
	at := finding.Location{Source: e.File.Source, Span: pkg.Node.Span, Message: message}
	var fix *finding.Fix
	switch {
	case swap.text == "" && len(swap.answers) > 0:
		fix = &finding.Fix{Title: "choose the GPU build", Applicability: finding.Choice, Answers: swap.answers}
	case swap.text != "":
		fix = environmentFix(p, e, gpuSide, &at, fmt.Sprintf("use %q", swap.name), pkg, swap.text)
	}
	p.reportAs(certainly(finding.Error, jobs), at, fix, whyGPU(jobs)...)
}

// certainly returns the severity of what is wrong on a GPU machine: a warning at most
// where an image is all that speaks of one.
func certainly(severity finding.Severity, jobs []*schema.Job) finding.Severity {
	if severity > finding.Warning && !slices.ContainsFunc(jobs, func(j *schema.Job) bool { return !j.Target.Suspected() }) {
		return finding.Warning
	}
	return severity
}

// pinAdvice says which version a package needs whose name alone cannot be
// installed, or would not load with the image.
func pinAdvice(e *schema.Environment, name string) string {
	w := &cudaWorld{Environment: e, images: futureImages(e), releases: map[string][]release{}}
	const why = ", with a version: without one, pip takes a release that cannot be installed or loaded"
	if len(w.images) == 0 {
		return why
	}
	image := w.images[0]
	if pin := w.newestThatLoads(name); pin != "" {
		return fmt.Sprintf("%s; %q loads with the %s of the image (--unsafe writes it)", why, name+pin, libraries(image.CUDA, image.CUDNN))
	}
	return fmt.Sprintf("%s; none is known to load with the %s of the image", why, libraries(image.CUDA, image.CUDNN))
}

// futureImages returns the GPU images an environment is installed into, with that
// which takes the place of a CPU image.
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
