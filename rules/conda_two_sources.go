package rules

import (
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
)

var condaTwoSources = Rule{
	ID:       "conda/two-sources",
	Severity: finding.Warning,
	Since:    "2026-11-22",
	Doc:      "An SDK v1 environment names an existing conda environment and a conda file.",
	Why: `Either the packages of the conda file are installed, or an environment that the image contains is used. With
both, the service reports that more than one source of packages is given, or ignores one of them.`,
	Bad:  sdkPython + "    baseCondaEnvironment: base\n",
	Good: sdkPython,
	Check: func(p *Pass) {
		for _, j := range p.Project.Jobs {
			base := j.SDK.BaseConda
			if j.Dialect != schema.SDKv1 || !hasText(base) || base.File.Broken() || !j.CondaPath.Explicit && j.Environment == nil {
				continue
			}
			p.report(base.Location("an existing environment and a conda file exclude each other: keep the one whose packages the job needs"), nil)
		}
	},
}

// sdkPython is an SDK v1 project that ends at the Python of its environment.
const sdkPython = `
-- train.py --
print("training")
-- conda.yml --
channels:
  - conda-forge
dependencies:
  - python=3.11
-- .azureml/train.runconfig --
script: train.py
target: cpu-cluster
environment:
  python:
    condaDependenciesFile: conda.yml
`
