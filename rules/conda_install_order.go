package rules

import (
	"slices"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
)

var condaInstallOrder = Rule{
	ID:       "conda/install-order",
	Severity: finding.Warning,
	Since:    "2026-11-22",
	Doc:      "pip compiles Horovod before PyTorch, TensorFlow or MXNet is installed.",
	Why: `Horovod is compiled for the frameworks that are installed at that moment. pip compiles all packages of a list
before it installs any, whatever their order. Horovod is then installed without the extension that the job imports:
"Extension horovod.torch has not been built". Releases before 0.20 fail to compile instead, and pip before 23.1 tries
once more after it has installed what is listed above.`,
	Bad:  sdkConda + "  - pip=24.0\n  - pip:\n      - torch==2.1.0\n      - horovod[pytorch]==0.28.1\n",
	Good: sdkConda + "  - pytorch=2.1.0\n  - pip=24.0\n  - pip:\n      - horovod[pytorch]==0.28.1\n",
	Check: func(p *Pass) {
		for _, e := range environments(p) {
			checkHorovod(p, e)
		}
	},
}

// checkHorovod reports Horovod that pip compiles without a framework that is there before it. What conda installs is
// there before pip starts; what pip's files and options install is not known.
func checkHorovod(p *Pass, e *schema.Environment) {
	if !e.Lists("horovod") {
		return // before tables are read
	}
	var horovod *schema.Package
	above := false // a framework, which is enough for old releases and an old pip
	for i, pkg := range e.Packages {
		r := pkg.Requirement
		name := distribution(r)
		framework := catalog.HorovodFrameworks.Has(name)
		if pkg.Err != nil || r.Kind == requirement.Option && r.OptionValue != "" || r.Kind == requirement.URL && r.Name == "" {
			return
		}
		if brought, _ := catalog.Brings(name); pkg.Manager == requirement.Conda && (framework || slices.ContainsFunc(brought, catalog.HorovodFrameworks.Has)) {
			return
		}
		above = above || framework && horovod == nil
		if pkg.Manager == requirement.Pip && r.Key == "horovod" && r.Wheel == nil && r.Marker == "" {
			horovod = &e.Packages[i]
		}
	}
	if horovod == nil {
		return
	}
	versions, _ := horovod.Requirement.Versions()
	if old, _ := requirement.ParseConstraint(requirement.Pip, "<0.20"); above && horovod.Requirement.Constraint != "" && versions.Overlaps(old) {
		return
	}
	p.report(itemAt(e, horovod.Node, "pip compiles "+horovod.Requirement.Name+" before it installs any package of this list: let conda install PyTorch or TensorFlow, or install "+horovod.Requirement.Name+" after it in a Dockerfile"), nil)
}
