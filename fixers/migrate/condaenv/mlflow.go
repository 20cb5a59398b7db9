package condaenv

import (
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/requirement"
)

const (
	mlflow        = "mlflow"
	azuremlMLflow = "azureml-mlflow"
)

// working returns the requirement for an azureml-mlflow that works with the mlflow that pip installs, and the reason;
// "" if every release does. Unless the version is pinned, which mlflow pip installs depends on the order of the lines.
func (k *cleaner) working() (text, why string) {
	since := catalog.WorkingMLflow()
	if wheels, known := catalog.WheelsFor(azuremlMLflow, k.python); known && catalog.CompareVersions(wheels.Last, since.Version) < 0 {
		return "", "" // a Python version that only has mlflow releases of that time
	}
	return azuremlMLflow + ">=" + since.Version, "older versions fail with mlflow " + since.Breaks + ", at log_artifact"
}

// mlflowItem adds azureml-mlflow with a version that works; false for another item, and for one that works as it is.
func (k *cleaner) mlflowItem(p schema.Package) bool {
	r := p.Requirement
	text, why := k.working()
	if r.Key != azuremlMLflow || r.Kind != requirement.Package || text == "" || r.Marker != "" {
		return false
	}
	allowed, err := r.Versions()
	if err != nil {
		return false
	}
	with, exact := "", false
	for _, other := range k.packages {
		if other.Err == nil && (other.Requirement.Key == mlflow || other.Requirement.Key == "mlflow-skinny") {
			if versions, err := other.Requirement.Versions(); err == nil {
				pin, ok := versions.Pin()
				with, exact = pin.String(), ok && k.stays(other)
			}
		}
	}
	since := catalog.WorkingMLflow()
	works, err := requirement.ParseConstraint(requirement.Pip, ">="+since.Version)
	broken, bad := requirement.ParseConstraint(requirement.Pip, since.Breaks)
	if err != nil || bad != nil || allowed.Within(works) {
		return false
	}
	if exact {
		if v, err := requirement.ParseVersion(with); err == nil && !broken.Allows(v) {
			return false // the pinned mlflow works with old releases too
		}
	}
	if strings.TrimSpace(r.Constraint) != "" && k.askPins() == "keep" {
		return false
	}
	k.put(p, p.Manager, text, why, "")
	return true
}
