package rules

import (
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
)

var gpuCPUWheel = Rule{
	ID:       "gpu/cpu-wheel",
	Severity: finding.Error,
	Since:    "2026-11-20",
	Doc:      "The environment of a GPU target installs a CPU-only CNTK wheel.",
	Why: `Up to version 2.4, the CPU and GPU wheels of CNTK have the same file name; only a folder in the URL, CPU-Only
or GPU, tells them apart. With the CPU wheel the job runs, but on the CPU.`,
	Remedy: "Writes the GPU wheel of the same version, if it was published; from 2.5 on it is called cntk_gpu. The wheel with 1-bit SGD is used only on request (--choose cntk=1bit-sgd), and its license must be accepted.",
	Facts:  []string{"wheels", "images", "vm_sizes"},
	Bad:    gpuProject + "  - pip:\n    - https://cntk.ai/PythonWheel/CPU-Only/cntk-2.1-cp35-cp35m-linux_x86_64.whl\n",
	Good:   gpuProject + "  - pip:\n    - https://cntk.ai/PythonWheel/GPU/cntk-2.1-cp35-cp35m-linux_x86_64.whl\n",
	Check: func(p *Pass) {
		for _, e := range p.Project.Installations() {
			jobs := e.UsedBy(gpuContainer)
			if len(jobs) == 0 {
				continue
			}
			for _, pkg := range e.Packages {
				if wheel, ok := knownWheel(pkg); ok && worstFault(p, e, pkg) == wheelForCPU && !p.full(e.File.Source) {
					reportWheel(p, e, pkg, wheel, jobs)
				}
			}
		}
	},
}

func reportWheel(p *Pass, e *schema.Environment, pkg schema.Package, wheel catalog.Wheel, jobs []*schema.Job) {
	at := finding.Location{Source: e.File.Source, Span: pkg.Node.Span,
		Message: fmt.Sprintf("this is the CPU-only wheel of CNTK %s, but %s on a GPU target", wheel.Version, usedHere(jobs))}
	fix := cureWheel(p, e, pkg, wheel, &at)
	p.reportAs(certainly(finding.Error, jobs), at, fix, whyGPU(jobs)...)
}

// knownWheel returns the catalog's wheel for a package given by URL.
func knownWheel(pkg schema.Package) (catalog.Wheel, bool) {
	if pkg.Err != nil || pkg.Requirement.URL == "" {
		return catalog.Wheel{}, false
	}
	if wheel, ok := catalog.LookupWheel(pkg.Requirement.URL); ok {
		return wheel, true
	}
	return catalog.ParseCNTKURL(pkg.Requirement.URL)
}

// atWheel returns the item's text with the address of another wheel, and keeps what follows the path. ok is false if a
// hash matches only the old wheel.
func atWheel(r requirement.Requirement, wheel catalog.Wheel) (text string, ok bool) {
	return r.AtURL(wheelAt(r, wheel))
}

// wheelAt returns the address of a wheel with the item's scheme and host, without a query, which may contain
// signatures.
func wheelAt(r requirement.Requirement, wheel catalog.Wheel) string {
	rest, ok := strings.CutPrefix(r.URL, "http://")
	if !ok {
		return wheel.URL
	}
	_, path, _ := strings.Cut(strings.TrimPrefix(wheel.URL, "https://"), "/")
	host, _, _ := strings.Cut(rest, "/")
	return "http://" + host + "/" + path
}
