package rules

import (
	"fmt"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
)

var wheelPlatform = Rule{
	ID:       "wheel/platform",
	Severity: finding.Error,
	Doc:      "A Windows wheel stands in the environment of a Linux container.",
	Why: `Docker containers and HDInsight clusters run Linux whatever the machine of the author runs; pip refuses a
wheel whose name ends in win_amd64 there. Microsoft's own article called such a wheel the Linux build.`,
	Remedy: "The Linux wheel of the same version is named, where it was published.",
	Bad:    gpuProject + "  - pip:\n    - https://cntk.ai/PythonWheel/GPU/cntk-2.1-cp35-cp35m-win_amd64.whl\n",
	Good:   gpuProject + "  - pip:\n    - https://cntk.ai/PythonWheel/GPU/cntk-2.1-cp35-cp35m-linux_x86_64.whl\n",
	Check: func(p *Pass) {
		for _, e := range p.Project.Environments {
			jobs := e.UsedBy(func(t *schema.Target) bool { return t.Container() || t.Type.Text == "cluster" })
			if len(jobs) == 0 {
				continue
			}
			for _, pkg := range e.Packages {
				if pkg.Err == nil && pkg.Requirement.Wheel != nil && pkg.Requirement.Wheel.Windows() {
					reportPlatform(p, e, pkg, jobs)
				}
			}
		}
	},
}

func reportPlatform(p *Pass, e *schema.Environment, pkg schema.Package, jobs []*schema.Job) {
	at := finding.Location{Source: e.File.Source, Span: pkg.Node.Span,
		Message: fmt.Sprintf("this wheel is for Windows, but %s in Linux", usedHere(jobs))}
	var fix *finding.Fix
	if wheel, ok := knownWheel(pkg); ok {
		if linux, ok := catalog.WheelVariant(wheel, wheel.Flavour, catalog.PlatformLinux); ok {
			text := replaceURL(*pkg.Requirement, linux)
			at.Message += "; use " + plainURL(text)
			// every user of the environment is Linux, so nobody is harmed
			fix = &finding.Fix{Title: "use the Linux wheel", Applicability: finding.Safe, Changes: []finding.Change{{
				Op: finding.SetScalar, File: e.File.Path, Pointer: pkg.Node.Pointer(), Value: finding.Text(text),
			}}}
		}
	} else {
		at.Message += "; name a wheel that ends in linux_x86_64 or any"
	}
	related := make([]finding.Location, 0, len(jobs))
	for _, j := range jobs {
		related = append(related, j.TargetName.Location(fmt.Sprintf("run configuration %q runs on %q", j.Name, j.Target.Name)))
	}
	p.report(at, fix, related...)
}
