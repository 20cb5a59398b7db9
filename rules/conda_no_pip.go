package rules

import (
	"slices"
	"strconv"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
)

var condaNoPip = Rule{
	ID:       "conda/no-pip",
	Severity: finding.Warning,
	Since:    "2026-11-22",
	Doc:      `A conda file has a list for pip, but does not install pip.`,
	Why: `conda then prints a warning, adds a pip of its own choice, and "may not use the correct pip to install your
packages". Which pip that is changes with Python and over time. Workbench's conda did not need the item, so Workbench
files are not reported.`,
	Remedy: "Adds pip before the list. Pin its version if the environment has to stay reproducible.",
	Bad:    sdkConda + "  - pip:\n      - requests==2.31.0\n",
	Good:   sdkConda + "  - pip=24.0\n  - pip:\n      - requests==2.31.0\n",
	Check: func(p *Pass) {
		for _, e := range environments(p) {
			if ofWorkbench(p, e) || slices.ContainsFunc(e.Packages, func(pkg schema.Package) bool {
				return pkg.Manager == requirement.Conda && (pkg.Requirement.Key == "pip" || isJoined(pkg))
			}) {
				continue
			}
			reportNoPip(p, e)
		}
	},
}

// sdkConda is an SDK v1 project that ends at the dependencies of its conda file.
const sdkConda = sdkProject + "channels:\n  - conda-forge\n" + sdkDependencies

const sdkProject = `
-- .azureml/train.runconfig --
script: train.py
target: cpu-cluster
environment:
  name: training
  python:
    condaDependenciesFile: conda.yml
-- train.py --
print("training")
-- conda.yml --
`

const sdkDependencies = "dependencies:\n  - python=3.11\n"

// reportNoPip reports the first list for pip that is not empty.
func reportNoPip(p *Pass, e *schema.Environment) {
	list := e.Node.Get("dependencies").Resolve()
	if !list.IsSequence() {
		return
	}
	for i, item := range list.Items() {
		entry, ok := item.Resolve().Entry("pip")
		if pip := entry.Value.Resolve(); !ok || !pip.IsSequence() || len(pip.Items()) == 0 {
			continue
		}
		p.report(itemAt(e, entry.Key, `pip is used here but not installed, and conda warns that it "may not use the correct pip": add the item pip, preferably with a version, before this list`),
			insertPip(e, list, i))
		return
	}
}

// insertPip returns the fix that adds the item pip to a list: before the item at an index if that is not the first,
// else at the end.
func insertPip(e *schema.Environment, list *document.Node, before int) *finding.Fix {
	change := appended(e.File.Path, list, "pip")
	if before > 0 {
		change.After = strconv.Itoa(before - 1)
	}
	return finding.NewFix(finding.Safe, "add pip", change)
}
