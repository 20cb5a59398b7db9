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

var pipConflict = Rule{
	ID:       "pip/conflict",
	Severity: finding.Warning,
	Since:    "2026-11-22",
	Doc:      "Two packages of an environment, or a package and its Python, are known not to work together.",
	Why: `pip only knows what packages declare about each other. Most releases of azureml-mlflow below 1.61 accept any
mlflow, but their log_artifact raises a TypeError with mlflow 3.1.2 and later; azureml-core below 1.58 uses what numpy 2
has removed. If mlflow is listed above azureml-mlflow and neither has a version, pip takes the newest mlflow, and then
the last azureml-mlflow that accepts it, 1.60.0: the broken pair. Each torchvision and torchaudio requires one torch,
and most packages of SDK v1 the azureml-core of their own series.

A package can also be too old for what is installed with it: pandas below 2.1.2 accepts any numpy, so pip installs numpy
2, and importing pandas fails. mlflow below 2.16 and most releases of azureml-core import pkg_resources, which the
setuptools that conda-forge installs along with pip no longer has. This is reported if conda installs only Python and
pip, and all other packages are known to accept the newest version, too.

From 24.1 on, pip itself refuses releases with invalid metadata, such as pytorch-lightning 1.6, which asks for
torch>=1.8.*, and conda installs the newest pip unless a version is listed.`,
	Remedy: "With --unsafe, requires azureml-mlflow 1.61 or later where pip would choose an older version, and lists the other package, such as numpy, in a version that works.",
	Facts:  []string{"conflicts", "azureml_mlflow", "python_wheels"},
	Bad:    v2Training + "  - pip=24.0\n  - pip:\n      - mlflow\n      - azureml-mlflow\n",
	Good:   v2Training + "  - pip=24.0\n  - pip:\n      - azureml-mlflow\n      - mlflow\n",
	Check: func(p *Pass) {
		for _, e := range installations(p) {
			taken := false
			for _, pkg := range e.Packages {
				if pkg.Err != nil || pkg.Manager != requirement.Pip || pkg.Requirement.Kind != requirement.Package || pkg.Requirement.Marker != "" {
					continue
				}
				if pkg.Requirement.Key == "azureml-mlflow" {
					checkMLflow(p, e, pkg)
					continue
				}
				checkSeries(p, e, pkg)
				for _, c := range catalog.Conflicts(pkg.Requirement.Key) {
					if c.Package != pkg.Requirement.Key {
						continue
					}
					if c.Kind == catalog.ConflictMetadata {
						if checkMetadata(p, e, pkg, c) {
							break
						}
						continue
					}
					if checkConflict(p, e, pkg, c) {
						break
					}
					taken = taken || checkTaken(p, e, pkg, c) // one item repairs all
				}
			}
		}
	},
}

// checkSeries reports a package of SDK v1 beside an azureml-core of another series, which it excludes.
func checkSeries(p *Pass, e *schema.Environment, pkg schema.Package) {
	if !catalog.SDKSeries.Has(pkg.Requirement.Key) {
		return // before its version is parsed
	}
	pin, pinned := pkg.Requirement.Pin()
	if !pinned || !always(pkg, ">=1.20,<1.59") {
		return
	}
	core, listed := p.itemNamed(e, "azureml-core")
	series := strings.Join(strings.SplitN(pin.String(), ".", 3)[:2], ".")
	own, err := requirement.ParseConstraint(requirement.Pip, "=="+series+".*")
	if !listed || err != nil || core.Manager != requirement.Pip {
		return
	}
	if versions, err := core.Requirement.Versions(); err != nil || versions.Empty() || versions.Overlaps(own) {
		return
	}
	reportPair(p, e, pkg, core, true, "cannot be installed: it requires azureml-core "+series)
}

// reportPair reports two items that do not work together; refused means that they cannot be installed.
func reportPair(p *Pass, e *schema.Environment, pkg, with schema.Package, refused bool, effect string) {
	severity := finding.Warning
	if refused && p.isBuilt(e) {
		severity = finding.Error
	}
	message := fmt.Sprintf("%s with %s %s", inWords(pkg), inWords(with), effect)
	if !strings.Contains(effect, "; ") { // what to do instead
		message += "; change one of the versions"
	}
	p.reportAs(severity, itemAt(e, pkg.Node, message), nil, itemAt(e, with.Node, "the other one"))
}

// checkConflict reports a package that conflicts with another one, or with Python, if every version that either item
// accepts does.
func checkConflict(p *Pass, e *schema.Environment, pkg schema.Package, c catalog.Conflict) bool {
	with, ok := p.itemNamed(e, c.With)
	if !ok || !always(pkg, c.Versions) || !always(with, c.WithVersions) && (c.With != "python" || !isOneOf(pythonPin(e), c.WithVersions)) {
		return false
	}
	if versions, _ := pkg.Requirement.Versions(); c.Kind == catalog.ConflictOlder && versions.Exact() {
		return false // the effect is about what pip chooses
	}
	refused := c.Kind == catalog.ConflictRefused || c.Kind == catalog.ConflictUnbuilt
	if refused && with.Manager == requirement.Conda && c.With != "python" {
		return false // pip replaces conda's copy
	}
	if _, none := withoutWheel(pkg, p.pythonPin(e)); none && c.With == "python" {
		return false // python/no-wheel says the same
	}
	if c.Kind == catalog.ConflictUnbuilt && (e.Built() || e.Lists("setuptools") || e.Lists("wheel")) {
		return false // older ones may build it
	}
	reportPair(p, e, pkg, with, refused, c.Effect)
	return true
}

// checkMetadata reports a package whose metadata the pip of an environment refuses to read. Without a version, conda
// installs the newest pip that the Python has.
func checkMetadata(p *Pass, e *schema.Environment, pkg schema.Package, c catalog.Conflict) bool {
	pip, listed := p.itemNamed(e, c.With)
	if e.Built() || !always(pkg, c.Versions) || listed && pip.Manager != requirement.Conda {
		return false
	}
	severity := finding.Error
	if !listed || !always(pip, c.WithVersions) {
		severity = finding.Warning
		if !isOneOf(p.pythonPin(e), c.Taken) || listed && !accepts(pip, strings.TrimPrefix(c.WithVersions, ">=")) {
			return false
		}
	}
	p.reportAs(severity, itemAt(e, pkg.Node, inWords(pkg)+" "+c.Effect), nil)
	return true
}

// checkTaken reports a package that does not work with the newest version of one that it needs, if that is what is
// installed: it is not listed, and nothing that is listed may exclude the version.
func checkTaken(p *Pass, e *schema.Environment, pkg schema.Package, c catalog.Conflict) bool {
	python := p.pythonPin(e)
	if c.Taken == "" || e.Built() || !isOneOf(python, c.Taken) || !always(pkg, c.Versions) {
		return false
	}
	if _, none := withoutWheel(pkg, python); none {
		return false // python/no-wheel reports it
	}
	brought := "pip installs"
	if c.With == "setuptools" { // pip of conda-forge requires it, and gets the newest
		if brought = "conda installs"; firstChannel(e) != "conda-forge" {
			return false
		}
	}
	for _, other := range e.Packages {
		r := other.Requirement
		if other.Err != nil || r.Kind != requirement.Package || len(r.Extras) > 0 || r.Flags != "" ||
			ofConda(other) ||
			other.Manager == requirement.Pip && !catalog.Opens(r.Key, c.With) && !isTakenWith(other, c.With) {
			return false
		}
	}
	older := c.With + strings.Replace(c.WithVersions, ">=", "<", 1)
	p.report(itemAt(e, pkg.Node, fmt.Sprintf("%s %s, and %s %s%s because no version is listed; add %s under pip", inWords(pkg), c.Effect, brought, c.With, c.WithVersions, older)), addToPip(e, older))
	return true
}

// ofConda reports whether conda installs an item that is neither Python nor pip: what that brings is not known.
func ofConda(pkg schema.Package) bool {
	return pkg.Manager == requirement.Conda && pkg.Requirement.Key != "python" && pkg.Requirement.Key != "pip"
}

// isTakenWith reports whether an item is one that checkTaken reports for the same package: it leaves its version open.
func isTakenWith(pkg schema.Package, with string) bool {
	return slices.ContainsFunc(catalog.Conflicts(pkg.Requirement.Key), func(c catalog.Conflict) bool {
		return c.Package == pkg.Requirement.Key && c.With == with && c.Taken != "" && always(pkg, c.Versions)
	})
}

// itemNamed returns the item for a package, whichever package manager installs it, but not that of a Python that does
// not exist.
func (p *Pass) itemNamed(e *schema.Environment, name string) (schema.Package, bool) {
	if name == "python" {
		python, ok := e.Python()
		_, wrong := misspeltPython(python)
		return python, ok && !wrong
	}
	i, listed := p.shared.firsts.of(e, func() map[string]int {
		first := make(map[string]int, len(e.Packages))
		for i, pkg := range slices.Backward(e.Packages) {
			if pkg.Err == nil && pkg.Requirement.Marker == "" {
				first[pkg.Requirement.Key] = i
			}
		}
		return first
	})[name]
	if !listed {
		return schema.Package{}, false
	}
	return e.Packages[i], true
}

// always reports whether a specifier allows every version that an item accepts.
func always(pkg schema.Package, specifier string) bool {
	versions, err := pkg.Requirement.Versions()
	meant, bad := requirement.ParseConstraint(requirement.Pip, specifier)
	return err == nil && bad == nil && !versions.Empty() && versions.Within(meant)
}

// isOneOf reports whether a specifier allows a version.
func isOneOf(version, specifier string) bool {
	v, err := requirement.ParseVersion(version)
	meant, bad := requirement.ParseConstraint(requirement.Pip, specifier)
	return err == nil && bad == nil && meant.Allows(v)
}
