package rules

import (
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
)

// checkMLflow reports an azureml-mlflow that does not work with the mlflow installed with it, as far as the two items
// and Python determine what pip installs.
func checkMLflow(p *Pass, e *schema.Environment, own schema.Package) {
	mlflow, listed := p.itemNamed(e, "mlflow")
	if !listed {
		mlflow, listed = p.itemNamed(e, "mlflow-skinny") // the part that matters
	}
	version, exact := installedMLflow(e, mlflow, listed)
	if version == "" || e.Built() && !exact { // the base image's Python is not known
		return
	}
	if listed && !exact && mlflow.Manager == requirement.Conda {
		return // pip takes what fits conda's copy
	}
	allowed := func(release string) bool { return accepts(own, release) }
	release, ok := catalog.NewestMLflow("", allowed)
	if !ok {
		return
	}
	older := release.Breaks != "" // no working release is allowed
	if !older {
		// pip takes the newest release for the first item, and one that fits it for the second
		if !exact && (!listed || mlflow.Node.Span.Start > own.Node.Span.Start) {
			return
		}
		if release, ok = catalog.NewestMLflow(version, allowed); !ok {
			return
		}
	} else if _, fits := catalog.NewestMLflow(version, func(r string) bool { return r == release.Version }); !fits && !exact {
		return // pip takes an older mlflow instead
	} else if r, fits := catalog.NewestMLflow(version, allowed); fits && exact {
		release = r
	}
	if _, works := catalog.MLflowPair(release.Version, version); works != catalog.No {
		return
	}
	var related []finding.Location
	if listed {
		related = append(related, itemAt(e, mlflow.Node, "this determines the version of mlflow"))
	}
	if release.Accepts != "" && !isOneOf(version, release.Accepts) {
		if isOneOf(version, ">="+namesSkinny) {
			p.report(itemAt(e, own.Node, fmt.Sprintf("azureml-mlflow %s accepts only mlflow %s, so pip cannot install mlflow %s with it; change one of the versions", release.Version, release.Accepts, version)), nil, related...)
		}
		return
	}
	var fix *finding.Fix
	message := fmt.Sprintf("azureml-mlflow %s does not work with mlflow %s, which pip installs: logging an artifact raises a TypeError; use azureml-mlflow 1.61 or later", release.Version, version)
	if text, ok := own.Requirement.Repinned(">=1.61"); ok && !older && !exact {
		message = fmt.Sprintf("pip chooses mlflow %s first, and then azureml-mlflow %s, with which logging an artifact raises a TypeError: require azureml-mlflow>=1.61", version, release.Version)
		fix = rewriteItem(e, own.Node, finding.Unsafe, `write "azureml-mlflow>=1.61"`, text)
	}
	p.report(itemAt(e, own.Node, message), fix, related...)
}

// installedMLflow returns the version of mlflow that is installed: the pinned one, or the newest one for the
// environment's Python; "" if that is not known.
func installedMLflow(e *schema.Environment, mlflow schema.Package, listed bool) (version string, exact bool) {
	if listed {
		if versions, err := mlflow.Requirement.Versions(); err == nil && versions.Exact() {
			pin, _ := versions.Pin()
			return pin.String(), true
		}
	}
	python := pythonPin(e)
	if item, ok := e.Python(); python == "" && (!ok || accepts(item, newestPython)) {
		python = newestPython
	}
	wheels, ok := catalog.WheelsFor("mlflow", python)
	if !ok || wheels.Last == "" || listed && !accepts(mlflow, wheels.Last) {
		return "", false
	}
	return wheels.Last, false
}

// namesSkinny is the first mlflow that requires mlflow-skinny in its own version, which is what azureml-mlflow limits.
const namesSkinny = "2.15"

// newestPython is the version assumed for an environment that does not pin Python.
const newestPython = "3.13"

// accepts reports whether an item accepts a version.
func accepts(pkg schema.Package, version string) bool {
	versions, err := pkg.Requirement.Versions()
	v, bad := requirement.ParseVersion(version)
	return err == nil && bad == nil && versions.Allows(v)
}

// inWords returns what an item asks for, in a few words.
func inWords(pkg schema.Package) string {
	return shown(pkg.Requirement.Name + strings.TrimSpace(pkg.Requirement.Constraint))
}
