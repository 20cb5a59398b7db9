package rules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/requirement"
)

// machine is a kind of machine with GPUs that support CUDA, and the jobs that run on it.
type machine struct {
	catalog.VM
	jobs []*schema.Job
}

// gpuMachines returns the machines whose GPUs an environment's jobs use, one per GPU model.
func gpuMachines(e *schema.Environment) (list []machine) {
	for _, j := range e.UsedBy(gpuContainer) {
		vm, ok := j.Target.Machine()
		if !ok || vm.Capability == "" {
			continue
		}
		i := slices.IndexFunc(list, func(m machine) bool { return m.GPU == vm.GPU })
		if i < 0 {
			i, list = len(list), append(list, machine{VM: vm})
		}
		list[i].jobs = append(list[i].jobs, j)
	}
	return list
}

// candidates are the builds of a framework that satisfy an item, oldest first; the package manager installs the last.
type candidates struct {
	builds []*catalog.Build
	// exact reports whether the item names a single version.
	exact bool
}

// builder finds the builds that the items of an environment accept.
type builder struct {
	e       *schema.Environment
	indexes map[int]pipIndex
	python  string
	cuda    string                 // the version that conda installs, see pinnedCUDA
	lists   map[string][]versioned // see list
}

// versioned is a build with its version.
type versioned struct {
	requirement.Version
	catalog.Build
}

// candidatesOf returns the builds of PyTorch or TensorFlow that an item accepts; none if they, or the CUDA they are
// for, are not known.
func (b *builder) candidatesOf(pkg schema.Package) candidates {
	r := pkg.Requirement
	torch := pkg.Manager == requirement.Conda && r.Key == "pytorch"
	if pkg.Err != nil || r.Kind != requirement.Package || r.SingleEquals || r.Marker != "" ||
		!torch && (pkg.Manager != requirement.Pip || r.Key != "torch" && r.Key != "tensorflow" && r.Key != "tensorflow-gpu") {
		return candidates{}
	}
	versions, err := r.Versions()
	if err != nil {
		return candidates{}
	}
	if torch {
		return b.condaTorch(*r, versions)
	}
	// a label in the item determines the build, wherever it comes from
	if pin, ok := versions.Pin(); !b.indexes[pkg.Command].unknown || ok && pin.Local() != "" {
		return b.pipBuilds(b.indexes[pkg.Command], r.Key, versions)
	}
	return candidates{}
}

// pipBuilds returns the builds that pip may install from PyPI and the indexes that the environment names.
func (b *builder) pipBuilds(index pipIndex, name string, versions requirement.Constraint) candidates {
	place, _ := index.of(name)
	if pin, ok := versions.Pin(); ok && versions.Exact() {
		if build, known := labelledBuild(name, pin.String(), place.Label); known {
			return candidates{[]*catalog.Build{&build}, true}
		}
		return candidates{}
	}
	var found candidates
	list := b.list(name, place.Label)
	for i := range list {
		if versions.Allows(list[i].Version) {
			found.builds = append(found.builds, &list[i].Build)
		}
	}
	return found
}

// list returns the builds that the environment's Python can install, cached by name and label.
func (b *builder) list(name, label string) []versioned {
	key := name + " " + label
	if list, known := b.lists[key]; known {
		return list
	}
	var list []versioned
	for _, build := range catalog.FrameworkBuilds(strings.TrimSuffix(name, "-gpu")) {
		v, err := requirement.ParseVersion(build.Version)
		if err != nil || !servesPython(build, b.python) {
			continue
		}
		if labelled, known := labelledBuild(name, build.Version, label); known {
			list = append(list, versioned{v, labelled})
		}
	}
	b.lists[key] = list
	return list
}

// labelledBuild returns the build of a version that pip takes from an index whose builds have that label. A version
// without such a build comes from PyPI.
func labelledBuild(name, version, label string) (catalog.Build, bool) {
	b, ok := catalog.FrameworkBuild(name, version)
	if !ok || label == "" || strings.Contains(version, "+") {
		return b, ok
	}
	labelled, ok := catalog.FrameworkBuild(name, version+"+"+label)
	if ok && (labelled.GPU == catalog.GPUNone || slices.Contains(b.CUDAs, labelled.CUDA)) {
		return labelled, true
	}
	return b, true
}

// servesPython reports whether a build has a wheel for a Python version, as far as both are known.
func servesPython(b catalog.Build, python string) bool {
	return python == "" || len(b.Pythons) == 0 || slices.ContainsFunc(b.Pythons, func(minor string) bool {
		return python == minor || strings.HasPrefix(python, minor+".")
	})
}

// condaTorch returns the build of conda's PyTorch at a pinned version, if its build string or another package says
// which CUDA it is for.
func (b *builder) condaTorch(r requirement.Requirement, versions requirement.Constraint) candidates {
	pin, ok := versions.Pin()
	cuda := cmp.Or(r.Flavour().CUDA, b.cuda)
	numbers := strings.Split(cuda, ".")
	if !ok || len(numbers) < 2 || r.Flavour().Kind == requirement.CPU {
		return candidates{}
	}
	build, known := catalog.FrameworkBuild("torch", pin.String()+"+cu"+numbers[0]+numbers[1])
	if !known {
		return candidates{}
	}
	if channels, _ := b.e.Channels(); !channels["pytorch"] && r.ChannelName() != "pytorch" {
		build.Package = "" // other channels build it for other GPUs: only its CUDA matters
	}
	return candidates{[]*catalog.Build{&build}, true}
}

// pinnedCUDA returns the CUDA version that an environment installs with conda, or "" if it does not say which.
func pinnedCUDA(e *schema.Environment) string {
	for _, pkg := range e.Packages {
		if pkg.Err != nil || pkg.Manager != requirement.Conda || !catalog.CondaCUDA.Has(pkg.Requirement.Key) {
			continue
		}
		if pin, ok := pkg.Requirement.Pin(); ok {
			return pin.String()
		}
	}
	return ""
}
