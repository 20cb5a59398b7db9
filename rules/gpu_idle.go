package rules

import (
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/template"
)

var gpuIdle = Rule{
	ID:       "gpu/idle",
	Severity: finding.Info,
	Since:    "2026-11-22",
	Doc:      "A job runs on a machine with GPUs, and nothing that it installs uses a GPU.",
	Why: `Machines with GPUs cost several times as much as others. This is reported only if all packages of the
environment are known not to use a GPU and not to install anything that does (table "no_gpu" of the catalog), the image
contains no frameworks, and the command installs nothing.`,
	Facts: []string{"no_gpu", "vm_sizes", "images"},
	Bad:   gpuJob + "  - pip=24.0\n  - pip:\n      - scikit-learn==1.5.0\n",
	Good:  gpuJob + "  - pip=24.0\n  - pip:\n      - torch==2.3.0\n",
	Check: func(p *Pass) {
		idle := map[*schema.Environment]bool{}
		seen := map[*schema.Target]bool{}
		for _, j := range p.Project.Jobs {
			vm, known := j.Target.Machine()
			e := j.Environment
			if j.Dialect != schema.V2 || !known || !vm.CUDA || e == nil || e.File.Broken() || seen[j.Target] || installs(j) {
				continue
			}
			if _, ok := imageOf(j.Target); !ok {
				continue
			}
			if _, judged := idle[e]; !judged {
				idle[e] = usesNoGPU(p, e)
			}
			if seen[j.Target] = true; idle[e] {
				p.report(j.Target.VMSize.Location(fmt.Sprintf("machines of size %s have GPUs, but no package in the job's environment uses one: a size without GPUs costs less", j.Target.VMSize.Text)),
					nil, runsOn(j), itemAt(e, e.Packages[0].Node, "the packages"))
			}
		}
		curatedIdle(p)
	},
}

// installs reports whether a job's command may install packages.
func installs(j *schema.Job) bool {
	command := commandOf(j)
	return strings.Contains(command, "install") || strings.Contains(command, "nvidia") || strings.Contains(command, "cuda")
}

// usesNoGPU reports whether an environment installs more than Python, and nothing that may use a GPU.
func usesNoGPU(p *Pass, e *schema.Environment) bool {
	named := false
	for _, pkg := range p.items(e) {
		r := pkg.Requirement
		switch {
		case pkg.Err != nil || template.In(r.Raw) || r.Kind != requirement.Package || !catalog.UsesNoGPU(r.Key):
			return false
		case r.Key != "python" && r.Key != "pip" && r.Key != "setuptools" && r.Key != "wheel":
			named = true
		}
	}
	return named
}
