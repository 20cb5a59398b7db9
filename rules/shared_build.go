package rules

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/requirement"
)

// machine is a kind of machine with GPUs that CUDA knows, and the jobs that run on it.
type machine struct {
	catalog.VM
	jobs []*schema.Job
}

// gpuMachines returns the machines whose GPUs jobs with an environment use, one for
// each GPU.
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

// candidates are the builds of a framework that an item lets its package manager
// take, oldest first; it takes the last.
type candidates struct {
	builds []catalog.Build
	// exact reports that the item names one version.
	exact bool
}

// candidatesOf returns the builds of PyTorch or TensorFlow that an item accepts; none
// where that, or the CUDA that they are for, is not known.
func candidatesOf(e *schema.Environment, index pipIndex, pkg schema.Package) candidates {
	r := pkg.Requirement
	if pkg.Err != nil || r.Kind != requirement.Package || r.SingleEquals || r.Marker != "" {
		return candidates{}
	}
	versions, err := r.Versions()
	if err != nil {
		return candidates{}
	}
	switch {
	case pkg.Manager == requirement.Conda && r.Key == "pytorch":
		return condaTorch(e, *r, versions)
	case pkg.Manager == requirement.Pip && (r.Key == "torch" || r.Key == "tensorflow" || r.Key == "tensorflow-gpu"):
		// a label of the item's own says it all, wherever the build comes from
		if pin, ok := versions.Pin(); index.known || ok && pin.Local() != "" {
			return pipBuilds(e, index, r.Key, versions)
		}
	}
	return candidates{}
}

// pipBuilds returns the builds that pip may take from PyPI and the places that the
// environment names.
func pipBuilds(e *schema.Environment, index pipIndex, name string, versions requirement.Constraint) candidates {
	label := ""
	if place, ok := index.of(name); ok {
		label = place.Label
	}
	if pin, ok := versions.Pin(); ok && versions.Exact() {
		if b, known := labelledBuild(name, pin.String(), label); known {
			return candidates{[]catalog.Build{b}, true}
		}
		return candidates{}
	}
	var found candidates
	python := pythonPin(e)
	for _, b := range catalog.FrameworkBuilds(strings.TrimSuffix(name, "-gpu")) {
		v, err := requirement.ParseVersion(b.Version)
		if err != nil || !versions.Allows(v) || !servesPython(b, python) {
			continue
		}
		if labelled, known := labelledBuild(name, b.Version, label); known {
			found.builds = append(found.builds, labelled)
		}
	}
	return found
}

// labelledBuild returns the build of a version that pip takes where a place has builds
// with that label. A version that has no such build comes from PyPI.
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

// servesPython reports whether a build has a wheel for a Python, as far as both are
// known.
func servesPython(b catalog.Build, python string) bool {
	return python == "" || len(b.Pythons) == 0 || slices.ContainsFunc(b.Pythons, func(minor string) bool {
		return python == minor || strings.HasPrefix(python, minor+".")
	})
}

// condaCUDA are the conda packages whose version is that of the CUDA that is installed.
var condaCUDA = []string{"pytorch-cuda", "cudatoolkit", "cuda-version"}

// condaTorch returns the build of a pinned PyTorch of conda, where its build string
// or another package says for which CUDA it is.
func condaTorch(e *schema.Environment, r requirement.Requirement, versions requirement.Constraint) candidates {
	pin, ok := versions.Pin()
	cuda := r.Flavour().CUDA
	for _, pkg := range e.Packages {
		if cuda != "" || pkg.Err != nil || pkg.Manager != requirement.Conda || !slices.Contains(condaCUDA, pkg.Requirement.Key) {
			continue
		}
		if v, err := pkg.Requirement.Versions(); err == nil {
			if p, exact := v.Pin(); exact {
				cuda = p.String()
			}
		}
	}
	numbers := strings.Split(cuda, ".")
	if !ok || len(numbers) < 2 || r.Flavour().Kind == requirement.CPU {
		return candidates{}
	}
	b, known := catalog.FrameworkBuild("torch", pin.String()+"+cu"+numbers[0]+numbers[1])
	if !known {
		return candidates{}
	}
	if channels, _ := e.Channels(); !channels["pytorch"] && r.ChannelName() != "pytorch" {
		b.Package = "" // other channels build it for other GPUs: its CUDA alone decides
	}
	return candidates{[]catalog.Build{b}, true}
}
