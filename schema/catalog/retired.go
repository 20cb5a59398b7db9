package catalog

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/requirement"
)

// RetiredPackage is a pip package that is gone, was renamed, or belongs to a retired product; or one that seems to be
// but is not.
type RetiredPackage struct {
	// Name is normalised as PEP 503 does.
	Name string
	// Action is what a migration does with it: "drop", "replace" (by Replacement), "sdk" (dropped unless a script
	// imports azureml), "keep", or "".
	Action string
	// Status is stub (its releases in Versions cannot be installed, or are empty), absent (PyPI has no such name),
	// unbuilt (conda's well-known channels do not have Versions), renamed, retired (no more releases), alias (it only
	// depends on Replacement), other-product (not what its name suggests), workbench, sdk-v1, unneeded, or current.
	Status string
	// Versions is a PEP 440 specifier of the releases that the row is about; empty for all.
	Versions string
	// Replacement is the package to install instead, or empty.
	Replacement string
	Why         string
	Origin
}

var retiredRows = &table[RetiredPackage]{name: "retired_packages"}

var retiredIndex = &index[string, RetiredPackage]{rows: retiredRows, key: func(p RetiredPackage) string { return p.Name }}

// LookupRetiredPackage returns the row of a package, in any PEP 503 spelling. The row azureml-* stands for all SDK v1
// packages that have no row of their own.
func LookupRetiredPackage(name string) (RetiredPackage, bool) {
	name = normalName(Pip, name)
	p, ok := retiredIndex.find(name)
	if !ok && strings.HasPrefix(name, "azureml-") {
		p, ok = retiredIndex.find("azureml-*")
	}
	return p, ok
}

// Gone returns the row of a pip package that can no longer be installed or gets no more releases: a stub, an absent
// name, or a renamed or retired package. It returns false for SDK v1 packages. Versions says which releases are
// affected.
func Gone(name string) (RetiredPackage, bool) {
	p, ok := LookupRetiredPackage(name)
	switch p.Status {
	case "stub", "absent", "unbuilt", "renamed", "retired":
		return p, ok
	}
	return RetiredPackage{}, false
}

// Conflict is a pair of pip packages, or a package and a Python version, that do not work together although no metadata
// says so, or that cannot be installed together.
type Conflict struct {
	Package, Versions  string
	With, WithVersions string
	Kind               ConflictKind
	// Effect says what happens.
	Effect string
	// Taken is a PEP 440 specifier of the Pythons for which a version in WithVersions is installed if Package is listed
	// without With: by pip, or by conda-forge with pip; empty for none.
	Taken string
	Origin
}

// ConflictKind says how two packages conflict.
type ConflictKind string

const (
	// ConflictRefused pairs cannot be installed together.
	ConflictRefused ConflictKind = "refused"
	// ConflictUnbuilt pairs cannot be installed either, because a source does not build with the newest setuptools.
	ConflictUnbuilt ConflictKind = "unbuilt"
	// ConflictOlder pairs are installed with an older release of Package, unless it is pinned.
	ConflictOlder ConflictKind = "older"
	// ConflictMetadata pairs are a package and the releases of pip that refuse to read its metadata.
	ConflictMetadata ConflictKind = "metadata"
	// ConflictBroken pairs are installed, and do not work.
	ConflictBroken ConflictKind = "broken"
)

var conflictRows = &table[Conflict]{name: "conflicts"}

// Conflicts returns the rows of table conflicts that have a package, in any PEP 503 spelling, as Package or as With.
func Conflicts(name string) []Conflict { return conflictIndex.find(normalName(Pip, name)) }

var conflictIndex = &groups[string, Conflict]{rows: conflictRows, keys: func(c *Conflict) []string { return slices.Compact([]string{c.Package, c.With}) }}

// MLflow is a release of azureml-mlflow.
type MLflow struct {
	Version, Released string
	// Accepts is a PEP 440 specifier of the mlflow versions that its metadata allows, empty for any; Breaks is a
	// specifier of those among them that it still does not work with.
	Accepts, Breaks string
	Origin
}

var mlflowRows = &table[MLflow]{name: "azureml_mlflow"}

// MLflowPair returns the newest recorded release of azureml-mlflow that is not newer than the given version, and
// whether it works with a version of mlflow: Unknown if it is older than the table.
func MLflowPair(azuremlMLflow, mlflow string) (release MLflow, works Answer) {
	for _, r := range mlflowRows.all() {
		if allows(">="+r.Version, azuremlMLflow) {
			release = r
		}
	}
	switch {
	case release.Version == "":
		return MLflow{}, Unknown
	case release.Breaks != "" && allows(release.Breaks, mlflow), release.Accepts != "" && !allows(release.Accepts, mlflow):
		return release, No
	}
	return release, Yes
}

// WorkingMLflow returns the oldest recorded release of azureml-mlflow since which no release breaks. Its Breaks is the
// mlflow versions that earlier releases break with.
func WorkingMLflow() (since MLflow) {
	breaks := ""
	for _, r := range mlflowRows.all() {
		switch {
		case r.Breaks != "":
			since, breaks = MLflow{}, r.Breaks
		case since.Version == "":
			since = r
		}
	}
	since.Breaks = breaks
	return since
}

// NewestMLflow returns the newest recorded release of azureml-mlflow for which allowed returns true and whose metadata
// accepts a version of mlflow ("" for any): the one that pip installs.
func NewestMLflow(mlflow string, allowed func(version string) bool) (release MLflow, ok bool) {
	for _, r := range mlflowRows.all() {
		if (mlflow == "" || r.Accepts == "" || allows(r.Accepts, mlflow)) && allowed(r.Version) {
			release, ok = r, true
		}
	}
	return release, ok
}

// allows reports whether a specifier of the tables allows a version. An empty specifier allows every version; no
// specifier allows text that is not a version.
func allows(specifier, version string) bool {
	v, err := requirement.ParseVersion(version)
	if err != nil || specifier == "" {
		return err == nil
	}
	c, err := requirement.ParseConstraint(requirement.Pip, specifier)
	if err != nil {
		panic("catalog: " + specifier + ": " + err.Error())
	}
	return c.Allows(v)
}
