package rules

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
)

var pythonNoWheel = Rule{
	ID:       "python/no-wheel",
	Severity: finding.Warning,
	Since:    "2026-11-22",
	Doc:      "No release of a package that the environment accepts can be installed for its Python version without a compiler.",
	Why: `pip then looks for the package's source and compiles it, which takes a long time and usually fails in an image
without compilers. If there is no source for this Python version, as with TensorFlow and PyTorch, or the release rejects
it, pip reports "no matching distribution" and the environment is not built: an error in v2. Only packages whose files
are listed in the catalog are checked, and none if the environment uses another index.

Some packages have no wheel for any Python, and need more for their build than a compiler: flash-attn and torch-scatter
import torch, which pip hides from builds. They are reported if conda installs only Python and pip, in an image of Azure
ML.`,
	Facts: []string{"python_wheels", "source_only"},
	Bad:   v2Training + "  - pip=24.0\n  - pip:\n      - tensorflow==2.8.0\n",
	Good:  v2Training + "  - pip=24.0\n  - pip:\n      - tensorflow==2.15.0\n",
	Check: func(p *Pass) {
		for _, e := range installations(p) {
			python := p.pythonPin(e)
			if python == "" || ofWorkbench(p, e) && !slices.ContainsFunc(e.Packages, isSDKv1) || searchesElsewhere(e) || pythonOwner(e) == nil {
				continue
			}
			for _, pkg := range e.Packages {
				if row, gone := goneFrom(pkg, e.Built()); gone && row.Status == "stub" {
					continue // pip/gone reports it
				}
				if wheels, ok := withoutWheel(pkg, python); ok {
					reportNoWheel(p, e, pkg, wheels)
				}
				reportSource(p, e, pkg)
			}
		}
	},
}

// searchesElsewhere reports whether pip also looks for packages in places other than the catalog's.
func searchesElsewhere(e *schema.Environment) bool {
	return e.Built() && bytes.Contains(e.File.Source.Text, []byte("INDEX")) || slices.ContainsFunc(e.Packages, func(pkg schema.Package) bool {
		switch pkg.Requirement.Option {
		case "-i", "--index-url", "--extra-index-url", "-f", "--find-links", "--no-index":
			return true
		}
		return false
	})
}

// withoutWheel returns the wheels that a pip package has for a Python version, and whether none of them is a release
// that the item accepts.
func withoutWheel(pkg schema.Package, python string) (catalog.PythonWheels, bool) {
	r := pkg.Requirement
	if pkg.Err != nil || pkg.Manager != requirement.Pip || r.Kind != requirement.Package || r.Marker != "" || r.SingleEquals {
		return catalog.PythonWheels{}, false
	}
	versions, err := r.Versions()
	wheels, ok := catalog.WheelsFor(r.Key, python)
	if err != nil || !ok || versions.Empty() {
		return catalog.PythonWheels{}, false
	}
	if pin, ok := versions.Pin(); ok && versions.Exact() {
		return wheels, catalog.WheelFor(r.Key, pin.String(), python) == catalog.No
	}
	// releases newer than the table may have wheels that no older one has
	known, err := requirement.ParseConstraint(requirement.Pip, "<="+wheels.Latest)
	if err != nil || !versions.Within(known) {
		return catalog.PythonWheels{}, false
	}
	return wheels, !hasOne(wheels, versions) && slices.ContainsFunc(catalog.AllWheels(r.Key), func(w catalog.PythonWheels) bool {
		return hasOne(w, versions) || compiles(pkg, w)
	}) // where no Python has a release, pip takes a pre-release, which the table does not list
}

// hasOne reports whether one of the releases with wheels is allowed.
func hasOne(wheels catalog.PythonWheels, versions requirement.Constraint) bool {
	if wheels.Last == "" {
		return false
	}
	built, err := requirement.ParseConstraint(requirement.Pip, ">="+wheels.First+",<="+wheels.Last)
	return err != nil || versions.Overlaps(built)
}

// reportSource reports a package that is published only as source, if its build needs what neither the image nor conda
// brings.
func reportSource(p *Pass, e *schema.Environment, pkg schema.Package) {
	r := pkg.Requirement
	if pkg.Err != nil || pkg.Manager != requirement.Pip || r.Kind != requirement.Package || r.Marker != "" || e.Built() {
		return
	}
	source, ok := catalog.SourceOnly(r.Key)
	if !ok || source.Needs == "" {
		return
	}
	users := p.installed().users[e]
	if len(users) == 0 || slices.ContainsFunc(e.Packages, ofConda) || slices.ContainsFunc(users, func(u *schema.V2Environment) bool {
		return !strings.HasPrefix(u.Base().Text, "mcr.microsoft.com/azureml/")
	}) {
		return
	}
	p.report(itemAt(e, pkg.Node, fmt.Sprintf("%s is published only as source, whose build needs %s: %s", inWords(pkg), source.Needs, source.Instead)), nil)
}

// pythonOwner returns the environment, or the earlier part of its Dockerfile, that installs Python; nil if a later part
// does.
func pythonOwner(e *schema.Environment) *schema.Environment {
	python, _ := e.Python()
	for _, part := range e.Parts() {
		if slices.ContainsFunc(part.Packages, func(pkg schema.Package) bool { return pkg.Node == python.Node }) {
			return part
		}
		if part == e {
			break
		}
	}
	return nil
}

func reportNoWheel(p *Pass, e *schema.Environment, pkg schema.Package, wheels catalog.PythonWheels) {
	advice := "another Python"
	switch {
	case wheels.Last == "":
	case wheels.First == wheels.Last:
		advice = wheels.Last + ", or another Python"
	default:
		advice = fmt.Sprintf("a release from %s to %s, or another Python", wheels.First, wheels.Last)
	}
	if pin, pinned := pkg.Requirement.Pin(); pinned {
		if from, to, missing := wheels.Gap(pin); missing && from == to {
			advice = fmt.Sprintf("another release up to %s, or another Python", wheels.Last)
		} else if missing {
			advice = fmt.Sprintf("a release before %s or after %s, up to %s, or another Python", from, to, wheels.Last)
		}
	}
	severity, effect := finding.Warning, "has no wheel for Python "+wheels.Python+", so pip would have to compile it"
	if !compiles(pkg, wheels) {
		effect = "has no release for Python " + wheels.Python + ", so pip finds nothing to install"
		if p.isBuilt(e) {
			severity = finding.Error
		}
	}
	python, _ := e.Python()
	p.reportAs(severity, itemAt(e, pkg.Node, fmt.Sprintf("%s %s: use %s", shown(pkg.Requirement.Raw), effect, advice)),
		nil, itemAt(pythonOwner(e), python.Node, "the environment's Python"))
}

// compiles reports whether pip finds sources to compile instead of a wheel.
func compiles(pkg schema.Package, wheels catalog.PythonWheels) bool {
	versions, err := pkg.Requirement.Versions()
	if err != nil || wheels.Compiled == "" {
		return false
	}
	built, err := requirement.ParseConstraint(requirement.Pip, "<="+wheels.Compiled)
	return err == nil && versions.Overlaps(built)
}
