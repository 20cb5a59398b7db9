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

var gpuPackageOnCPU = Rule{
	ID:       "gpu/gpu-package-on-cpu",
	Severity: finding.Warning,
	Since:    "2026-11-20",
	Doc:      "The environment of a CPU container installs the GPU build of a framework.",
	Why: `The GPU build needs CUDA libraries and the driver, and a CPU image has neither: the import fails, or the job runs
on the CPU after a large download. Usually the target was meant to be a GPU target but was not declared as one.`,
	Remedy: "The choice is yours: --gpu NAME makes the target a GPU target, --cpu NAME uses the CPU build.",
	Facts:  []string{"package_variants", "conda_builds", "images", "vm_sizes", "vm_families"},
	Bad:    cpuProject + "  - tensorflow-gpu\n",
	Good:   cpuProject + "  - tensorflow\n",
	Check: func(p *Pass) {
		for _, e := range p.Project.Installations() {
			jobs := e.UsedBy(cpuContainer)
			if len(jobs) == 0 {
				continue
			}
			for _, pkg := range e.Packages {
				if build, ok := isGPUBuild(e, pkg); ok {
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
	cpu  string // what to do without a GPU: "use …" or "remove it"
	text string // the item to write instead; "" if a new name is not enough
	kept string // why text is "" although the name is clear; usually ""
}

// isGPUBuild reports whether a package is the GPU build of a framework. A release that has one build under two names
// does not count.
func isGPUBuild(e *schema.Environment, pkg schema.Package) (build, bool) {
	if pkg.Err != nil || otherPlatform(pkg) {
		return build{}, false
	}
	if wheel, ok := knownWheel(pkg); ok {
		return wheelBuild(e, pkg, wheel)
	}
	r := pkg.Requirement
	if r.Flavour().Kind == requirement.GPU {
		if _, ok := catalog.Flavoured(r.Name); ok {
			return build{what: fmt.Sprintf("%q with the build string %q is a GPU build", r.Name, r.Build), cpu: "use a CPU build (its build string begins with mkl, eigen or cpu)"}, true
		}
	}
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
	found := build{what: fmt.Sprintf("%q is a GPU build", name), cpu: "remove it, since it has no CPU build"}
	if i := slices.IndexFunc(rows, func(row *catalog.PackageVariant) bool { return row.CPU != "" }); i >= 0 {
		row := rows[i]
		found.cpu = fmt.Sprintf("use %q", row.CPU)
		switch {
		case e.Lists(row.CPU):
			found.cpu = "remove it, since the CPU build is listed too"
		case r.Bound() != "":
			found.kept = r.Bound()
		case r.Kind == requirement.Package && (row.KeepVersion || strings.TrimSpace(r.Constraint) == "") && row.Local == "" && row.Certainty == catalog.Sourced:
			found.text, _ = r.Renamed(row.CPU)
		}
	}
	return found, !oneBuild(*r, rows)
}

func wheelBuild(e *schema.Environment, pkg schema.Package, wheel catalog.Wheel) (build, bool) {
	if wheel.Flavour == catalog.FlavourCPU {
		return build{}, false
	}
	found := build{what: "this is the GPU wheel of CNTK " + wheel.Version, cpu: "use a CPU wheel"}
	if cpu, ok := wheelFor(e, wheel, catalog.FlavourCPU); ok {
		found.cpu, found.kept = "use "+cpu.URL, pkg.Requirement.Bound()
		found.text, _ = atWheel(*pkg.Requirement, cpu)
	}
	return found, true
}

// oneBuild reports whether all allowed versions have the same build under the CPU name.
func oneBuild(r requirement.Requirement, rows []*catalog.PackageVariant) bool {
	versions, err := r.Versions()
	if err != nil {
		return false
	}
	return slices.ContainsFunc(rows, func(row *catalog.PackageVariant) bool {
		if row.CPU == "" || row.Safety != catalog.SafetyNone || row.Versions == "" {
			return false
		}
		same, err := requirement.ParseConstraint(requirement.Pip, row.Versions)
		return err == nil && versions.Within(same)
	})
}

func reportGPUBuild(p *Pass, e *schema.Environment, pkg schema.Package, b build, jobs []*schema.Job) {
	at := finding.Location{Source: e.File.Source, Span: pkg.Node.Span, Message: fmt.Sprintf(
		"%s, but %s in a container without GPU libraries: make it a GPU target, or %s", b.what, usedHere(jobs), b.cpu)}
	var related []finding.Location
	var targets []string
	for _, j := range jobs {
		if related = append(related, runsOn(j)); j.Dialect == schema.V2 && !j.Target.Declined() {
			continue
		}
		if !slices.Contains(targets, j.Target.Name) {
			targets = append(targets, j.Target.Name)
			if !j.Target.Declined() {
				related = append(related, imageLocation(j.Target, "this image has no GPU libraries"))
			}
		}
	}
	if len(targets) == 0 {
		at.Message = fmt.Sprintf("%s, but %s on machines without a GPU: use a size with a GPU, or %s", b.what, usedHere(jobs), b.cpu)
		p.report(at, nil, related[:min(len(related), mostOf(jobs))]...)
		return
	}
	if !e.IsUsedBy(cpuSide.on) {
		p.report(at, chooseSide(e, b, targets), related...)
		return
	}
	at.Message = fmt.Sprintf("%s, but %s on a target that --cpu or the settings declare to be a CPU target: %s", b.what, usedHere(jobs), b.cpu)
	var fix *finding.Fix
	at.Message += notRepaired(b.kept)
	if b.text != "" {
		if fix = reuse(p.Project, p.shared, e, cpuSide); fix == nil {
			fix = environmentFix(p, e, cpuSide, &at, b.cpu, pkg, b.text)
		}
	}
	p.reportAs(finding.Error, at, fix, related...)
}

// chooseSide returns a choice between GPU and CPU for the targets of an environment.
func chooseSide(e *schema.Environment, b build, targets []string) *finding.Fix {
	fix := &finding.Fix{Applicability: finding.Choice,
		Title: fmt.Sprintf("make %s a GPU target, or %s", quotedList(targets), b.cpu)}
	if len(targets) > 1 {
		fix.Title = fmt.Sprintf("make %s GPU targets, or %s", quotedList(targets), b.cpu)
	}
	for _, t := range targets {
		fix.Answers = append(fix.Answers, finding.Answer{Flag: finding.AnswerGPU, Value: t, Title: fmt.Sprintf("make %q a GPU target", t)})
	}
	if b.text == "" || e.IsUsedBy((*schema.Target).GPU) && e.File.Kind != schema.CondaFile {
		return fix
	}
	for _, t := range targets {
		fix.Answers = append(fix.Answers, finding.Answer{Flag: finding.AnswerCPU, Value: t, Title: fmt.Sprintf("keep %q a CPU target and %s", t, b.cpu)})
	}
	return fix
}
