package rules

import (
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
)

var condaDuplicatePackage = Rule{
	ID:       "conda/duplicate-package",
	Severity: finding.Warning,
	Doc:      "An environment asks for the same package twice, or for both its CPU and its GPU build.",
	Why: `Two versions of one package exclude each other, and the environment is not built; from conda and from pip the
one overwrites files of the other. The CPU and the GPU build of a framework bring the same files: which of the two
works in the end depends on the order of installation.`,
	Remedy: "With --unsafe the second one is removed, or the CPU build; look first which version you want.",
	Bad:    condaProject + "  - scikit-learn\n  - pip:\n    - scikit-learn==0.19.1\n",
	Good:   condaProject + "  - scikit-learn=0.19.1\n  - tensorflow-gpu\n  - pip:\n    - tensorboard\n",
	Check: func(p *Pass) {
		for _, e := range environments(p) {
			checkTwice(p, e)
		}
	},
}

// identity is what two items that install the same thing have in common. Items
// that differ in their extras do, but adding an extra on a line of its own is
// usual.
type identity struct {
	manager               requirement.Manager
	name, extras, address string
}

func identify(pkg schema.Package) identity {
	r := pkg.Requirement
	id := identity{manager: pkg.Manager, name: distribution(*r), extras: strings.Join(r.Extras, ",")}
	if id.name == "" {
		id.address = r.URL + r.Path
	}
	return id
}

// acrossManagers returns the identity in the other package manager. There is
// none for pip, which is often brought to another version with pip itself, nor
// for names that may mean something else there.
func (id identity) acrossManagers() (identity, bool) {
	if id.name == "pip" || !catalog.KnownPackage(id.name) || catalog.Namesake(id.name) {
		return identity{}, false
	}
	if id.manager == requirement.Pip {
		id.manager = requirement.Conda
	} else {
		id.manager = requirement.Pip
	}
	return id, true
}

func checkTwice(p *Pass, e *schema.Environment) {
	seen, named := map[identity]schema.Package{}, map[string]schema.Package{}
	var names []string
	for _, pkg := range e.Packages {
		if pkg.Err != nil || pkg.Requirement.Marker != "" || pkg.Requirement.Kind == requirement.Option {
			continue
		}
		id := identify(pkg)
		first, ok := seen[id]
		if other, may := id.acrossManagers(); !ok && may {
			first, ok = seen[other]
		}
		if ok {
			reportTwice(p, e, first, pkg)
			continue
		}
		seen[id] = pkg
		if _, known := named[id.name]; !known && id.name != "" {
			named[id.name] = pkg
			names = append(names, id.name)
		}
	}
	for _, name := range names {
		if gpu, ok := gpuBuild(e, named, named[name]); ok {
			reportBothBuilds(p, e, named[name], gpu)
		}
	}
}

func reportTwice(p *Pass, e *schema.Environment, first, second schema.Package) {
	if a, b, ok := twoFlavours(first, second); ok {
		if a.Flavour == catalog.FlavourCPU {
			first, second, a, b = second, first, b, a
		}
		p.report(itemAt(e, second.Node, fmt.Sprintf("this is the %s wheel of CNTK, and the %s wheel is in the list too: keep the one you want", b.Flavour, a.Flavour)),
			removeItem(e, second.Node, finding.Unsafe, "remove the "+b.Flavour+" wheel"), itemAt(e, first.Node, "the other one"))
		return
	}
	name := "the same address"
	if d := distribution(*second.Requirement); d != "" {
		name = fmt.Sprintf("%q", d)
	}
	message := name + " stands in this list twice: keep one"
	switch {
	case first.Manager != second.Manager:
		message = fmt.Sprintf("%s is installed with %s, and once more with %s: keep one", name, first.Manager, second.Manager)
	case strings.TrimSpace(first.Requirement.Constraint) != strings.TrimSpace(second.Requirement.Constraint):
		message = name + " stands in this list twice, with different versions: keep the one you want"
	}
	p.report(itemAt(e, second.Node, message), removeItem(e, second.Node, finding.Unsafe, "remove the second one"), itemAt(e, first.Node, "the first one"))
}

// twoFlavours reports whether two items are known wheels of different flavours.
func twoFlavours(first, second schema.Package) (a, b catalog.Wheel, ok bool) {
	a, known := knownWheel(first)
	b, alsoKnown := knownWheel(second)
	return a, b, known && alsoKnown && a.Flavour != b.Flavour
}

// gpuBuild finds the GPU build of a package among those of an environment.
func gpuBuild(e *schema.Environment, named map[string]schema.Package, cpu schema.Package) (schema.Package, bool) {
	r := cpu.Requirement
	for _, row := range catalog.CPUVariants(manager(cpu), distribution(*r)) {
		name, _, _ := strings.Cut(row.GPU, "[")
		gpu, ok := named[requirement.NormalizeName(name)]
		if !ok || row.Safety == catalog.SafetyNone || row.Optional || !row.GPUOnly {
			continue
		}
		if holds(e, *r, row) || strings.TrimSpace(r.Constraint) == "" && pythonFits(e, row) {
			return gpu, true
		}
	}
	return schema.Package{}, false
}

func reportBothBuilds(p *Pass, e *schema.Environment, cpu, gpu schema.Package) {
	a, b := distribution(*cpu.Requirement), distribution(*gpu.Requirement)
	p.report(itemAt(e, cpu.Node, fmt.Sprintf("%q is the CPU build and %q the GPU build of the same package, and both are installed: keep the one you want", a, b)),
		removeItem(e, cpu.Node, finding.Unsafe, fmt.Sprintf("remove %q, the CPU build", a)), itemAt(e, gpu.Node, "the GPU build"))
}
