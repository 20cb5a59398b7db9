package rules

import (
	"fmt"
	"slices"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
)

var gpuPackageOnCPU = Rule{
	ID:       "gpu/gpu-package-on-cpu",
	Severity: finding.Warning,
	Doc:      "The environment of a CPU container installs the GPU build of a framework.",
	Why: `The GPU build looks for CUDA libraries and for the driver, and a CPU image has neither: the import fails, or the
job computes on the CPU after a large download. Mostly the target was meant to be a GPU target and nobody told it so.`,
	Remedy: "A person has to choose: make the target a GPU target (--gpu NAME), or take the CPU build.",
	Bad:    cpuProject + "  - tensorflow-gpu\n",
	Good:   cpuProject + "  - tensorflow\n",
	Check: func(p *Pass) {
		for _, e := range p.Project.Environments {
			jobs := e.UsedBy(cpuContainer)
			if len(jobs) == 0 {
				continue
			}
			for _, pkg := range e.Packages {
				if build, ok := isGPUBuild(pkg); ok {
					reportGPUBuild(p, e, pkg, build, jobs)
				}
			}
		}
	},
}

// cpuProject is a CPU project whose conda file ends at its dependencies.
const cpuProject = `
-- aml_config/docker.runconfig --
ArgumentVector: ["$file"]
Target: docker
Framework: Python
-- aml_config/docker.compute --
type: localdocker
baseDockerImage: microsoft/mmlspark:plus-0.9.9
-- aml_config/conda_dependencies.yml --
name: project_environment
dependencies:
  - python=3.5.2
`

// build is a package that is made for GPUs.
type build struct {
	what string // the package in words
	cpu  string // what to take without a GPU: "use …" or "remove it"
}

// isGPUBuild tells whether a package is the GPU build of a framework. Where the
// release has only one build under two names, it is none.
func isGPUBuild(pkg schema.Package) (build, bool) {
	if pkg.Err != nil || otherPlatform(pkg) {
		return build{}, false
	}
	if wheel, ok := knownWheel(pkg); ok {
		return wheelBuild(wheel)
	}
	r := pkg.Requirement
	manager, name := manager(pkg), r.Key
	switch {
	case r.Kind == requirement.Package && !r.SingleEquals:
	case r.Wheel != nil:
		manager, name = catalog.Pip, r.Wheel.Key()
	default:
		return build{}, false
	}
	rows := catalog.GPUVariants(manager, name)
	if len(rows) == 0 {
		return build{}, false
	}
	found := build{what: fmt.Sprintf("%q is a GPU build", name), cpu: "remove it, for it has no CPU build"}
	if i := slices.IndexFunc(rows, func(row catalog.PackageVariant) bool { return row.CPU != "" }); i >= 0 {
		found.cpu = fmt.Sprintf("use %q", rows[i].CPU)
	}
	return found, !oneBuild(r, rows)
}

func wheelBuild(wheel catalog.Wheel) (build, bool) {
	if wheel.Flavour == catalog.FlavourCPU {
		return build{}, false
	}
	found := build{what: "this is the GPU wheel of CNTK " + wheel.Version, cpu: "use a CPU wheel"}
	if cpu, ok := catalog.WheelVariant(wheel, catalog.FlavourCPU, catalog.PlatformLinux); ok {
		found.cpu = "use " + plainURL(cpu.URL)
	}
	return found, true
}

// oneBuild reports whether all the versions that are asked for are the same
// build under the CPU name too.
func oneBuild(r requirement.Requirement, rows []catalog.PackageVariant) bool {
	versions, err := r.Versions()
	if err != nil {
		return false
	}
	return slices.ContainsFunc(rows, func(row catalog.PackageVariant) bool {
		if row.CPU == "" || row.Safety != catalog.SafetyNone || row.Versions == "" {
			return false
		}
		same, err := requirement.ParseConstraint(requirement.Pip, row.Versions)
		return err == nil && versions.Within(same)
	})
}

func reportGPUBuild(p *Pass, e *schema.Environment, pkg schema.Package, b build, jobs []*schema.Job) {
	at := finding.Location{Source: e.File.Source, Span: pkg.Node.Span, Message: fmt.Sprintf(
		"%s, but %s in a container without GPU libraries: make the target a GPU target, or %s", b.what, usedHere(jobs), b.cpu)}
	var related []finding.Location
	var targets []string
	for _, j := range jobs {
		related = append(related, j.TargetName.Location(fmt.Sprintf("run configuration %q runs on %q", j.Name, j.Target.Name)))
		if !slices.Contains(targets, j.Target.Name) {
			targets = append(targets, j.Target.Name)
			related = append(related, imageLocation(j.Target, "this image has no GPU libraries"))
		}
	}
	p.report(at, &finding.Fix{
		Title:         fmt.Sprintf("make %s a GPU target with --gpu %s, or %s", quotedList(targets), targets[0], b.cpu),
		Applicability: finding.Choice,
	}, related...)
}
