package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/requirement"
)

var condaDuplicatePackage = Rule{
	ID:       "conda/duplicate-package",
	Severity: finding.Warning,
	Since:    "2026-11-20",
	Doc:      "An environment lists the same package twice, or both its CPU and its GPU build.",
	Why: `Two versions of a package exclude each other, so the environment cannot be built. If conda and pip both
install a package, one overwrites the files of the other. The CPU and GPU builds of a framework install the same
files, as do builds of CuPy for different versions of CUDA, so the order of installation decides which of them works.
If there are two lists for pip, conda reads only the last one.`,
	Remedy: "With --unsafe, removes the item with the less specific version, otherwise the second item or the CPU build. Check first which version you want.",
	Facts:  []string{"package_variants", "conda_builds", "packages", "misspelt", "namesakes"},
	Bad:    condaProject + "  - scikit-learn\n  - pip:\n    - scikit-learn==0.19.1\n",
	Good:   condaProject + "  - scikit-learn=0.19.1\n  - tensorflow-gpu\n  - pip:\n    - tensorboard\n",
	Check: func(p *Pass) {
		p.perEnvironment(noteDuplicates, environments(p), func(p *Pass, e *schema.Environment) {
			checkTwice(p, e)
			checkPipLists(p, e)
		})
	},
}

// identity is the same for two items that install the same thing. Items that differ only in their extras do as well,
// but adding an extra on its own line is common.
type identity struct {
	manager               requirement.Manager
	name, extras, address string
}

func identify(pkg schema.Package) identity {
	r := pkg.Requirement
	id := identity{manager: pkg.Manager, name: distribution(r), extras: strings.Join(r.Extras, ",")}
	if id.name == "" {
		id.address = r.URL + r.Path
	}
	return id
}

// distributions maps a package manager and the name that Python uses for a package, which conda and pip share, to the
// item that installs it.
type distributions struct {
	added   []*schema.Package
	has     [2]bool // items of a manager
	indexed int     // the number of those that are in items: most environments never look one up
	items   map[distributed]*schema.Package
}

type distributed struct {
	manager requirement.Manager
	name    string
}

// acrossManagers returns the item that installs the same package with the other package manager. It returns false for
// pip, which is often upgraded by pip itself, and for names that may mean something else there.
func (d *distributions) acrossManagers(id identity) (schema.Package, bool) {
	if id.name == "" || id.extras != "" || id.name == "pip" {
		return schema.Package{}, false
	}
	other := requirement.Pip
	if id.manager == requirement.Pip {
		other = requirement.Conda
	}
	if !d.has[other] || !catalog.KnownPackage(id.name) || catalog.Namesake(id.name) { // before the index is made
		return schema.Package{}, false
	}
	pkg, ok := d.index()[distributed{other, pipName(id.manager, id.name)}]
	if !ok {
		return schema.Package{}, false
	}
	return *pkg, true
}

// pipName returns pip's name for a package: torch for conda's pytorch.
func pipName(m requirement.Manager, name string) string {
	if m == requirement.Conda {
		if known, ok := catalog.Misspelt(catalog.Pip, name); ok && known.Kind == "wrong-manager" {
			name = known.Right
		}
	}
	return plain.PackageName(name)
}

// index returns the map, with all items added so far.
func (d *distributions) index() map[distributed]*schema.Package {
	if d.items == nil {
		d.items = make(map[distributed]*schema.Package, len(d.added))
	}
	for _, pkg := range d.added[d.indexed:] {
		name := distribution(pkg.Requirement)
		d.put(pkg, plain.PackageName(name))
		if pkg.Manager == requirement.Conda {
			d.put(pkg, pipName(pkg.Manager, name))
		}
	}
	d.indexed = len(d.added)
	return d.items
}

func (d *distributions) put(pkg *schema.Package, name string) {
	key := distributed{pkg.Manager, name}
	if _, ok := d.items[key]; !ok {
		d.items[key] = pkg
	}
}

// any returns the item that installs a package with either package manager.
func (d *distributions) any(name string) (schema.Package, bool) {
	name = plain.PackageName(name)
	pkg, ok := d.index()[distributed{requirement.Conda, name}]
	if !ok {
		pkg, ok = d.index()[distributed{requirement.Pip, name}]
	}
	if !ok {
		return schema.Package{}, false
	}
	return *pkg, true
}

func checkTwice(p *Pass, e *schema.Environment) {
	seen, distinct := map[identity]*schema.Package{}, e.Distinct()
	named := &distributions{added: make([]*schema.Package, 0, len(e.Packages))}
	both := slices.ContainsFunc(e.Packages, func(pkg schema.Package) bool { return pkg.Manager != e.Packages[0].Manager })
	for i := range e.Packages {
		pkg := &e.Packages[i]
		if p.full(e.File.Source) {
			return
		}
		if pkg.Err != nil || pkg.Requirement.Marker != "" || pkg.Requirement.Kind == requirement.Option {
			continue
		}
		id := identify(*pkg)
		first, ok := schema.Package{}, !distinct && seen[id] != nil
		if ok {
			first = *seen[id]
		} else if both {
			first, ok = named.acrossManagers(id)
		}
		if ok {
			if keep := reportTwice(p, e, first, *pkg); keep.Manager == first.Manager {
				seen[id] = &keep
				named.index()[distributed{keep.Manager, plain.PackageName(id.name)}] = &keep
			}
			continue
		}
		if !distinct {
			seen[id] = pkg
		}
		if id.name != "" {
			named.added, named.has[pkg.Manager] = append(named.added, pkg), true
		}
	}
	var first *schema.Package
	for _, pkg := range named.added {
		if gpu, ok := gpuBuild(e, named, *pkg); ok {
			reportBothBuilds(p, e, *pkg, gpu)
		}
		name := distribution(pkg.Requirement)
		if !strings.HasPrefix(name, "cupy-cuda") {
			continue
		}
		if first == nil {
			first = pkg
		} else if other := distribution(first.Requirement); other != name {
			p.report(itemAt(e, pkg.Node, fmt.Sprintf("%q and %q are builds of CuPy for different versions of CUDA, and overwrite each other's files: keep the one for the CUDA of the image",
				name, other)), nil, itemAt(e, first.Node, "the other build"))
		}
	}
}

// checkPipLists reports a second list for pip: conda keeps only the last one.
func checkPipLists(p *Pass, e *schema.Environment) {
	var first *document.Node
	for _, item := range e.Node.Get("dependencies").List() {
		entry, ok := item.Resolve().Entry("pip")
		if !ok || !entry.Value.Resolve().IsSequence() {
			continue
		}
		if first == nil {
			first = entry.Key
			continue
		}
		p.reportAs(finding.Error, itemAt(e, entry.Key, "this is a second list for pip, and conda reads only the last one: put all packages into one list"),
			nil, itemAt(e, first, "nothing in this list is installed"))
	}
}

// reportTwice reports two items for the same package and returns the one that is kept, so that a third can be compared
// with it.
func reportTwice(p *Pass, e *schema.Environment, first, second schema.Package) (kept schema.Package) {
	if a, b, ok := twoFlavours(first, second); ok {
		if a.Flavour == catalog.FlavourCPU {
			first, second, a, b = second, first, b, a
		}
		p.report(itemAt(e, second.Node, fmt.Sprintf("this is the %s wheel of CNTK, and the %s wheel is listed too: keep the one you want", b.Flavour, a.Flavour)),
			removeItem(e, second.Node, finding.Unsafe, "remove the "+b.Flavour+" wheel"), itemAt(e, first.Node, "the other one"))
		return first
	}
	name := "the same address"
	if d := distribution(second.Requirement); d != "" {
		name = fmt.Sprintf("%q", d)
	}
	message := name + " is listed twice: keep one"
	switch {
	case first.Manager != second.Manager:
		message = fmt.Sprintf("%s is installed by both %s and %s; pip runs last, and %s: keep one", name, first.Manager, second.Manager, whichCopy(first, second))
	case exactness(*first.Requirement) > 0 && exactness(*second.Requirement) > 0 && !sameConstraint(first, second):
		message = name + " is listed twice, with different versions: keep the one you want"
	}
	kept, surplus, title := first, second, "remove the second one"
	if exactness(*second.Requirement) > exactness(*first.Requirement) {
		kept, surplus, title = second, first, "remove the first one, which is less specific"
	}
	severity := finding.Warning
	if len(p.installed().users[e]) > 0 && (exactness(*second.Requirement) == 0 || exactness(*first.Requirement) == 0 && first.Manager == second.Manager || sameConstraint(first, second)) {
		severity = finding.Info // today's solvers see that one copy is enough
	}
	p.reportAs(severity, itemAt(e, second.Node, message), removeItem(e, surplus.Node, finding.Unsafe, title), itemAt(e, first.Node, "the first one"))
	return kept
}

// sameConstraint reports whether two items ask for the same versions.
func sameConstraint(a, b schema.Package) bool {
	return strings.TrimLeft(strings.TrimSpace(a.Requirement.Constraint), "=") == strings.TrimLeft(strings.TrimSpace(b.Requirement.Constraint), "=")
}

// whichCopy says what pip does with the copy of a package that conda has installed.
func whichCopy(first, second schema.Package) string {
	a, err := first.Requirement.Versions()
	b, bad := second.Requirement.Versions()
	if err == nil && bad == nil && !a.Overlaps(b) {
		return "replaces conda's copy"
	}
	return "replaces conda's copy if that does not fit"
}

// exactness ranks requirements by how specific they are: a name only, a range of versions, a version, a full version,
// and a version bound to one build.
func exactness(r requirement.Requirement) int {
	versions, err := r.Versions()
	_, pinned := versions.Pin()
	switch {
	case r.Bound() != "":
		return 4
	case err == nil && versions.Exact():
		return 3
	case err == nil && pinned:
		return 2
	case strings.TrimSpace(r.Constraint) != "":
		return 1
	}
	return 0
}

// twoFlavours reports whether two items are known wheels of different flavours.
func twoFlavours(first, second schema.Package) (a, b catalog.Wheel, ok bool) {
	a, known := knownWheel(first)
	b, alsoKnown := knownWheel(second)
	return a, b, known && alsoKnown && a.Flavour != b.Flavour
}

// gpuBuild returns the item of an environment that is the GPU build of a package.
func gpuBuild(e *schema.Environment, named *distributions, cpu schema.Package) (schema.Package, bool) {
	r := cpu.Requirement
	for _, row := range catalog.CPUVariants(manager(cpu), distribution(r)) {
		if row.Safety == catalog.SafetyNone || row.Optional || !row.GPUOnly {
			continue
		}
		gpu, ok := named.any(row.GPU)
		if !ok || broughtAlong(e, cpu, gpu) {
			continue
		}
		if holds(e, *r, row) || strings.TrimSpace(r.Constraint) == "" && pythonFits(e, row) {
			return gpu, true
		}
	}
	return schema.Package{}, false
}

// broughtAlong reports whether the GPU package only selects the GPU build of the other one, as conda's tensorflow-gpu
// does since 1.8: exported environments list both of them.
func broughtAlong(e *schema.Environment, cpu, gpu schema.Package) bool {
	since, ok := catalog.BringsAlong(cpu.Requirement.Name, gpu.Requirement.Name)
	if !ok || cpu.Manager != requirement.Conda || gpu.Manager != requirement.Conda || cpu.Requirement.Flavour().Kind == requirement.CPU {
		return false
	}
	a, err1 := cpu.Requirement.Versions()
	b, err2 := gpu.Requirement.Versions()
	later, err3 := requirement.ParseConstraint(requirement.Conda, ">="+since)
	if err1 != nil || err2 != nil || err3 != nil || !a.Overlaps(b) {
		return false
	}
	_, pinned := a.Pin()
	return pinned && a.Within(later) || e.Lists(cpu.Requirement.Name+"-base") || cpu.Requirement.Flavour().Kind == requirement.GPU
}

func reportBothBuilds(p *Pass, e *schema.Environment, cpu, gpu schema.Package) {
	a, b := distribution(cpu.Requirement), distribution(gpu.Requirement)
	message := fmt.Sprintf("%q is the CPU build and %q is the GPU build of the same package, and both would be installed: keep the one you want", a, b)
	if since, ok := catalog.BringsAlong(a, b); ok && cpu.Manager == requirement.Conda && gpu.Manager == requirement.Conda {
		message = fmt.Sprintf("%q and %q are two builds of one package (from %s on, the second installs the first in its GPU build): keep the one you want", a, b, since)
	}
	if wheel, ok := knownWheel(cpu); ok && wheel.Flavour != catalog.FlavourCPU {
		p.report(itemAt(e, cpu.Node, fmt.Sprintf("this wheel and %q are both GPU builds of %s, and both would be installed: keep the one you want", b, a)), nil, itemAt(e, gpu.Node, "the other one"))
		return
	}
	p.report(itemAt(e, cpu.Node, message),
		removeItem(e, cpu.Node, finding.Unsafe, fmt.Sprintf("remove %q, the CPU build", a)), itemAt(e, gpu.Node, "the GPU build"))
}
