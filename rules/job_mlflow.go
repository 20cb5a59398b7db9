package rules

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/template"
)

var jobMLflow = Rule{
	ID:       "job/mlflow",
	Severity: finding.Warning,
	Since:    "2026-11-22",
	Doc:      "The script of a v2 job imports mlflow, but its environment has no azureml-mlflow.",
	Why: `In a job, mlflow is set up to log to the workspace, at an azureml:// address that it supports only with the
package azureml-mlflow. Without the package, the first log call ends the job: "unsupported URI". azureml-mlflow installs
mlflow-skinny, which is enough to log metrics; models need mlflow itself.`,
	Remedy: "With --unsafe, adds azureml-mlflow to the list for pip. Pin a version that works with your mlflow.",
	Bad:    trainingJob + "import mlflow\nmlflow.autolog()" + trainingConda + "  - pip=24.0\n  - pip:\n      - mlflow==2.16.0\n",
	Good:   trainingJob + "import mlflow\nmlflow.autolog()" + trainingConda + "  - pip=24.0\n  - pip:\n      - azureml-mlflow==1.62.0\n",
	Check: func(p *Pass) {
		logs := map[*schema.Environment]bool{} // many jobs may share one
		for _, t := range p.installed().trainings {
			e := t.environment.Conda
			if _, known := logs[e]; !known && e != nil {
				logs[e] = mayBring(e, catalog.WithoutMLflow)
			}
			if e == nil || t.parallel() || e.File.Broken() || t.environment.Build.Explicit || logs[e] || t.node.Get("compute").Text() == "local" {
				continue
			}
			if name := importsMLflow(p, t); name != "" {
				p.report(t.at.Location(shown(name)+" imports mlflow, but the environment has no azureml-mlflow, without which mlflow cannot log to Azure ML: add it under pip"),
					addToPip(e, "azureml-mlflow"))
			}
		}
	},
}

// mayBring reports whether an environment may have a package of Azure ML that those of a list do not bring: it has
// another one, or something that may install it.
func mayBring(e *schema.Environment, without catalog.List) bool {
	if len(e.Packages) == 0 {
		return true
	}
	return slices.ContainsFunc(e.Packages, func(pkg schema.Package) bool {
		r := pkg.Requirement
		bringsAll := r.Kind == requirement.URL || r.Kind == requirement.Path || r.Kind == requirement.Option && (strings.HasPrefix(r.Option, "-r") || strings.HasPrefix(r.Option, "--requirement"))
		return pkg.Err != nil || template.In(r.Raw) || bringsAll || strings.HasPrefix(r.Key, "azureml-") && !without.Has(r.Key)
	})
}

// importsMLflow returns the script of a job that imports mlflow, or "" if none certainly does.
func importsMLflow(p *Pass, t training) string {
	command := t.node.Get("command").Text()
	if strings.Contains(command, "pip install") || strings.Contains(command, "conda install") {
		return ""
	}
	return importing(p, t, "mlflow")
}

// addToPip returns the fix that adds a package to an environment's pip list, or nil if there is no list.
func addToPip(e *schema.Environment, name string) *finding.Fix {
	_, pip := dependencyLists(e)
	if len(pip) == 0 {
		return nil
	}
	return finding.NewFix(finding.Unsafe, "add "+name, appended(e.File.Path, pip[len(pip)-1], name))
}

// appended returns the change that adds an item at the end of a list.
func appended(file string, list *document.Node, text string) finding.Change {
	return finding.Change{Op: finding.AppendItem, File: file, Pointer: list.Pointer(), Value: finding.Text(text)}
}
