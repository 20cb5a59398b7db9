package rules

import (
	"fmt"

	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
)

var wheelLicense = Rule{
	ID:       "wheel/license",
	Severity: finding.Info,
	Since:    "2026-11-20",
	Doc:      "A CNTK wheel includes 1-bit SGD, which has its own license.",
	Why: `Up to version 2.4, the part of CNTK called 1-bit SGD was not covered by the MIT license of the rest but by
licenses of its own, one of them for non-commercial use. Since 2.5 it has been part of CNTK itself, under MIT.`,
	Facts: []string{"wheels"},
	Bad:   gpuProject + "  - pip:\n    - https://cntk.ai/PythonWheel/GPU-1bit-SGD/cntk-2.1-cp35-cp35m-linux_x86_64.whl\n",
	Good:  gpuProject + "  - pip:\n    - https://cntk.ai/PythonWheel/GPU/cntk-2.1-cp35-cp35m-linux_x86_64.whl\n",
	Check: func(p *Pass) {
		for _, e := range environments(p) {
			if !e.IsUsedBy(anyTarget) {
				continue
			}
			for _, pkg := range e.Packages {
				wheel, ok := knownWheel(pkg)
				if !ok || wheel.Flavour != catalog.Flavour1BitSGD {
					continue
				}
				p.report(itemAt(e, pkg.Node, fmt.Sprintf(
					"the 1-bit SGD in this CNTK %s wheel is not under the MIT license; unless you need it, use the wheel from the folder %s", wheel.Version, catalog.FlavourGPU)), nil)
			}
		}
	},
}
