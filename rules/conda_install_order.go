package rules

import (
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
)

var condaInstallOrder = Rule{
	ID:       "conda/install-order",
	Severity: finding.Warning,
	Since:    "2026-11-22",
	Doc:      "Horovod is listed without PyTorch, TensorFlow or MXNet before it.",
	Why: `pip compiles Horovod for the frameworks that are installed at that moment. If none is, the build of the
environment fails, or Horovod is installed without the extension that the job imports: "Extension horovod.torch has not
been built".`,
	Bad:  sdkConda + "  - pip=24.0\n  - pip:\n      - horovod[pytorch]==0.28.1\n      - torch==2.1.0\n",
	Good: sdkConda + "  - pip=24.0\n  - pip:\n      - torch==2.1.0\n      - horovod[pytorch]==0.28.1\n",
	Check: func(p *Pass) {
		for _, e := range environments(p) {
			checkHorovod(p, e)
		}
	},
}

// checkHorovod reports Horovod without a framework before it. What conda installs is there before pip starts; what
// pip's files and options install is not known.
func checkHorovod(p *Pass, e *schema.Environment) {
	var horovod *schema.Package
	for i, pkg := range e.Packages {
		r := pkg.Requirement
		framework := catalog.HorovodFrameworks.Has(distribution(r))
		if pkg.Err == nil && (framework && pkg.Manager == requirement.Conda || horovod == nil && (framework || r.Kind == requirement.Option && r.OptionValue != "" || r.Kind == requirement.URL && r.Name == "")) {
			return
		}
		if pkg.Manager == requirement.Pip && pkg.Err == nil && r.Key == "horovod" {
			horovod = &e.Packages[i]
		}
	}
	if horovod != nil {
		p.report(itemAt(e, horovod.Node, horovod.Requirement.Name+" is compiled for the frameworks that are already installed, and none is listed before it: move PyTorch or TensorFlow above it"), nil)
	}
}
