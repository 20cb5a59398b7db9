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
	Doc:      "The environment of a GPU target installs a CPU-only CNTK wheel.",
	Why: `Up to version 2.4 the CPU and GPU wheels of CNTK have the same file name; only a folder in the URL, CPU-Only or
GPU, tells them apart. With the CPU wheel training runs, on the CPU.`,
	Remedy: "The GPU wheel of the same version is named, where it was published; from 2.5 on it is called cntk_gpu. " +
		"The one with 1-bit SGD is taken only on request: --choose cntk=1bit-sgd, and its licence has to be accepted.",
	Bad:  gpuProject + "  - pip:\n    - https://cntk.ai/PythonWheel/CPU-Only/cntk-2.1-cp35-cp35m-linux_x86_64.whl\n",
	Good: gpuProject + "  - pip:\n    - https://cntk.ai/PythonWheel/GPU/cntk-2.1-cp35-cp35m-linux_x86_64.whl\n",
	Check: func(p *Pass) {
		for _, e := range p.Project.Environments {
			jobs := e.UsedBy(gpuContainer)
			if len(jobs) == 0 {
				continue
			}
			for _, pkg := range e.Packages {
				if wheel, ok := knownWheel(pkg); ok && wheel.Flavour == catalog.FlavourCPU && !p.full(e.File.Source) {
					reportWheel(p, e, pkg, wheel, jobs)
				}
			}
		}
	},
}

func reportWheel(p *Pass, e *schema.Environment, pkg schema.Package, wheel catalog.Wheel, jobs []*schema.Job) {
	at := finding.Location{Source: e.File.Source, Span: pkg.Node.Span,
		Message: fmt.Sprintf("this is the CPU-only wheel of CNTK %s, but %s on a GPU target", wheel.Version, usedHere(jobs))}
	var fix *finding.Fix
	gpu, ok := gpuWheel(p.Project, wheel)
	switch {
	case !ok:
		at.Message += "; no GPU wheel of this version was published"
	case gpu.undecided:
		at.Message += "; the wheel with 1-bit SGD, as chosen, has a licence of its own that has to be accepted first"
		fix = &finding.Fix{Title: "use the GPU wheel with 1-bit SGD, or that without", Applicability: finding.Choice, Notice: licenceNotice, Answers: []finding.Answer{
			choose(choiceLicence, acceptance, "accept the licence and use "+gpu.URL),
			choose(choiceCNTK, cntkGPU, "use the GPU wheel without 1-bit SGD")}}
	default:
		text := replaceURL(*pkg.Requirement, gpu.Wheel)
		at.Message += "; use " + plainURL(text)
		if fix = environmentFix(p, e, gpuSide, &at, "use the GPU wheel", pkg, text); fix != nil {
			fix.Notice = noticeOf(gpu.URL)
		}
	}
	p.report(at, fix, whyGPU(jobs)...)
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

// replaceURL returns the item's text with the URL of another wheel; the scheme,
// the host as written, and what follows the path stay.
func replaceURL(r requirement.Requirement, wheel catalog.Wheel) string {
	old, _, _ := strings.Cut(r.URL, "#")
	old, _, _ = strings.Cut(old, "?")
	replacement := wheel.URL
	if rest, ok := strings.CutPrefix(old, "http://"); ok {
		_, path, _ := strings.Cut(strings.TrimPrefix(wheel.URL, "https://"), "/")
		host, _, _ := strings.Cut(rest, "/")
		replacement = "http://" + host + "/" + path
	}
	return strings.Replace(r.Raw, old, replacement, 1)
}

// plainURL returns an item's text without query and fragment, which may hold
// signatures.
func plainURL(text string) string {
	text, _, _ = strings.Cut(text, "?")
	text, _, _ = strings.Cut(text, "#")
	return text
}
