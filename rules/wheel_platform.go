package rules

import (
	"fmt"
	"path"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/requirement"
)

var wheelPlatform = Rule{
	ID:       "wheel/platform",
	Severity: finding.Error,
	Since:    "2026-11-20",
	Doc:      "A wheel or a conda package for Windows or macOS is used in a Linux container.",
	Why: `Docker containers and HDInsight clusters run Linux, whatever the author's machine runs. There, pip rejects a
wheel whose name ends in win_amd64 or macosx_10_9_x86_64. Microsoft's own article called such a wheel the Linux build.

conda env export and pip freeze list every installed package. On Windows, these include vs2015_runtime and pywin32,
which do not exist for Linux, so conda or pip stops there. conda env export also writes the build of each package, such
as py37hecd8cb5_1; conda does not find those of another system.`,
	Remedy: "Writes the Linux wheel of the same version, if it was published. With --unsafe, removes a package that only Windows has.",
	Facts:  []string{"wheels"},
	Bad:    gpuProject + "  - pip:\n    - https://cntk.ai/PythonWheel/GPU/cntk-2.1-cp35-cp35m-win_amd64.whl\n",
	Good:   gpuProject + "  - pip:\n    - https://cntk.ai/PythonWheel/GPU/cntk-2.1-cp35-cp35m-linux_x86_64.whl\n",
	Check: func(p *Pass) {
		for _, e := range p.Project.Environments {
			if p.isBuilt(e) {
				reportWindows(p, e)
			}
			jobs := e.UsedBy(linux)
			foreignBuild(p, e, len(jobs) > 0)
			if len(jobs) == 0 {
				continue
			}
			for _, pkg := range e.Packages {
				if forOther(pkg) && !p.full(e.File.Source) {
					reportPlatform(p, e, pkg, jobs)
				}
			}
		}
	},
}

// foreignBuild reports the first conda package with the build string of another system. The others have one, too. A
// conda_dependencies.yml without run configurations is for a program's jobs: a warning.
func foreignBuild(p *Pass, e *schema.Environment, used bool) {
	for _, pkg := range e.Packages {
		if pkg.Err != nil {
			continue
		}
		build := pkg.Requirement.Build
		end := strings.LastIndexByte(build, '_')
		if end < 8 {
			continue
		}
		var system string
		switch hash := build[end-8 : end]; {
		case catalog.MacBuilds.Has(hash):
			system = "macOS"
		case catalog.WindowsBuilds.Has(hash):
			system = "Windows"
		default:
			continue
		}
		severity := p.rule.Severity
		if !used && !p.isBuilt(e) {
			severity = finding.Warning
			if !strings.HasPrefix(path.Base(e.File.Rel), "conda_dependencies") || len(p.Project.RunConfigurations()) > 0 {
				return
			}
		}
		p.reportAs(severity, itemAt(e, pkg.Node, fmt.Sprintf("%s is a build for %s, which conda does not find for Linux: list only the packages that you need, without builds, as conda env export --from-history does", build, system)), nil)
		return
	}
}

// reportWindows reports packages that exist only for Windows, in an environment that Azure ML builds.
func reportWindows(p *Pass, e *schema.Environment) {
	for _, pkg := range e.Packages {
		r := pkg.Requirement
		if pkg.Err != nil || r.Kind != requirement.Package || r.Marker != "" || p.full(e.File.Source) {
			continue
		}
		if name := plain.PackageName(r.Name); catalog.WindowsModules.Has(name) ||
			pkg.Manager == requirement.Conda && catalog.WindowsRuntime(name) {
			p.report(itemAt(e, pkg.Node, fmt.Sprintf("%s exists only for Windows, so %s does not find it for the Linux of the image: remove it", r.Name, pkg.Manager)),
				removeItem(e, pkg.Node, finding.Unsafe, "remove "+r.Name))
		}
	}
}

func reportPlatform(p *Pass, e *schema.Environment, pkg schema.Package, jobs []*schema.Job) {
	at := finding.Location{Source: e.File.Source, Span: pkg.Node.Span,
		Message: fmt.Sprintf("this wheel is for %s, but %s in Linux", systemOf(*pkg.Requirement.Wheel), usedHere(jobs))}
	var fix *finding.Fix
	if wheel, ok := knownWheel(pkg); ok {
		fix = cureWheel(p, e, pkg, wheel, &at)
	} else {
		at.Message += "; use a wheel whose name ends in linux_x86_64 or any"
	}
	var related []finding.Location
	for _, j := range jobs[:min(len(jobs), mostOf(jobs))] {
		related = append(related, runsOn(j))
	}
	p.report(at, fix, related...)
}

// systemOf names the systems that a wheel is for; "" if Linux is or may be one of them.
func systemOf(w requirement.Wheel) string {
	windows, mac := false, false
	for _, tag := range w.PlatformTags() {
		switch {
		case requirement.WindowsTag(tag):
			windows = true
		case requirement.MacTag(tag):
			mac = true
		default:
			return ""
		}
	}
	switch {
	case windows && mac:
		return "Windows and macOS"
	case mac:
		return "macOS"
	}
	return "Windows"
}
