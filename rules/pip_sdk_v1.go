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

var pipSDKv1 = Rule{
	ID:       "pip/sdk-v1",
	Severity: finding.Warning,
	Since:    "2026-11-22",
	Doc:      "The environment of a v2 job installs an SDK v1 package.",
	Why: `Support for SDK v1 ended on 2026-06-30, and a v2 job does not need it: use mlflow with azureml-mlflow for
logging; inputs are folders and files. SDK v1 packages require old versions of many other packages and keep newer ones
out. Deployments with an older inference server still need azureml-defaults, so environments that a deployment uses may
have it; the driver of parallel jobs also needs some of these packages, so they are not reported there. If a script of
the job imports the package, the finding names the script: rewrite it first.`,
	Facts: []string{"retired_packages", "services"},
	Bad:   v2Training + "  - pip=24.0\n  - pip:\n      - azureml-defaults==1.55.0\n",
	Good:  v2Training + "  - pip=24.0\n  - pip:\n      - azureml-mlflow==1.62.0\n",
	Check: func(p *Pass) {
		if len(p.installed().trained) == 0 {
			return
		}
		support := sdkSupport(p.Project.AsOf())
		if support == "" {
			return
		}
		for _, e := range environments(p) {
			users := p.installed().trained[e]
			if len(users) == 0 || slices.ContainsFunc(users, training.parallel) {
				continue
			}
			served := p.installed().served[e]
			for _, pkg := range e.Packages {
				if isSDKv1(pkg) && (!served || !catalog.SDKServing.Has(pkg.Requirement.Key)) {
					message := fmt.Sprintf("%s is an SDK v1 package, whose support %s: remove it, and log with mlflow and azureml-mlflow", pkg.Requirement.Name, support)
					if script := importer(p, users, pkg.Requirement.Key); script != "" {
						message = fmt.Sprintf("%s is an SDK v1 package, whose support %s, and %q imports it: rewrite the script with mlflow and file inputs, then remove the package",
							pkg.Requirement.Name, support, shortName(script))
					}
					p.report(itemAt(e, pkg.Node, message), nil, users[0].at.Location("a v2 job runs in this environment"))
				}
			}
		}
	},
}

// importer returns a script of an environment's jobs that imports a package of SDK v1, or "" if none certainly does.
func importer(p *Pass, users []training, name string) string {
	module := strings.ReplaceAll(name, "-", ".")
	if name == "azureml-defaults" || name == "azureml-sdk" {
		module = "azureml.core" // which they install
	}
	for _, t := range users[:min(len(users), maxNamed)] {
		if script := importing(p, t, module); script != "" {
			return script
		}
	}
	return ""
}

// sdkSupport says when Microsoft's support of SDK v1 ended, or that it ends within a year of the day asOf; "" if it
// lasts longer.
func sdkSupport(asOf string) string {
	sdk, _ := catalog.Service("sdk-v1")
	switch phase := catalog.PhaseOf(sdk.EndedOn, asOf); {
	case phase >= catalog.Ended:
		return "ended on " + sdk.EndedOn
	case phase == catalog.Ending:
		return "ends on " + sdk.EndedOn
	}
	return ""
}

// isSDKv1 reports whether only SDK v1 needs a package. Packages that read data are needed by v2 tools too: mltable and
// azureml-fsspec.
func isSDKv1(pkg schema.Package) bool {
	r := pkg.Requirement
	if pkg.Err != nil || pkg.Manager != requirement.Pip || r.Kind != requirement.Package || strings.HasPrefix(r.Key, "azureml-dataprep") {
		return false
	}
	row, ok := catalog.LookupRetiredPackage(r.Key)
	return ok && row.Action == "sdk" && row.Status != "absent" && (row.Name == r.Key || slices.ContainsFunc(catalog.SDKFamilies.Items(), func(family string) bool { return strings.HasPrefix(r.Key, family) }))
}

// v2Training is a v2 project that ends at the dependencies of a training job's conda file.
const v2Training = trainingJob + `print("training")` + trainingConda

const trainingJob = `
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: python train.py
code: src
environment:
  image: mcr.microsoft.com/azureml/openmpi5.0-ubuntu24.04:20250401.v1
  conda_file: conda.yml
compute: azureml:cpu-cluster
-- src/train.py --
`

const trainingConda = `
-- conda.yml --
channels:
  - conda-forge
dependencies:
  - python=3.11
`
