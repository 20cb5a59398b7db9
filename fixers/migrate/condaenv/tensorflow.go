package condaenv

import (
	"cmp"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/requirement"
)

// gpuName and cpuName are TensorFlow's packages up to 2.0; from 2.1 on, the latter contains the GPU code too.
const (
	gpuName = "tensorflow-gpu"
	cpuName = "tensorflow"
)

// tensorflow decides about TensorFlow: its version has to fit the Python version and, on a GPU, the image's CUDA.
func (k *cleaner) tensorflow(p schema.Package, retired string) {
	r := p.Requirement
	constraint := strings.TrimSpace(r.Constraint)
	if r.Wheel != nil && r.Name == "" {
		constraint = "==" + r.Wheel.Version
	}
	old := strings.TrimLeft(constraint, "= ")
	pinned := constraint != "" && !strings.ContainsAny(constraint, "<>!~|,")
	if !pinned {
		old = ""
	}
	if k.seen[cpuName] || k.seen[gpuName] {
		k.drop(p, cpuName+" is already listed")
		return
	}
	fitting := k.fittingTensorFlow()
	ofImage := k.in.GPU && k.base.CUDA != ""
	if k.bare && k.in.GPU || ofImage && len(fitting) == 0 {
		k.bringsCUDA(p, old)
		return
	}
	manager := p.Manager
	if ofImage {
		manager = requirement.Pip // conda's builds install another CUDA
	}
	keep := func() {
		name, why := k.tensorflowName(old), retired
		if name == gpuName {
			why = ""
		}
		if name == gpuName && r.Key == cpuName {
			why = "the GPU build"
		}
		k.needsDefaults = k.needsDefaults || name == gpuName && manager == requirement.Conda
		k.put(p, manager, strings.Replace(strings.TrimSpace(r.Raw), r.Name, name, 1), why, "")
	}
	build, isKnown := gpuBuild(old)
	tf1 := k.in.Scripts.UsesTensorFlow1()
	switch {
	case pinned && isKnown && k.python != "" && slices.Contains(build.Pythons, k.python) && (!ofImage || k.loads(build)) && r.Name != "":
		keep()
	case len(fitting) == 0 || !ofImage && !pinned && !tf1 && r.Kind == requirement.Package:
		keep()
	default:
		why := "no pinned or older release runs on Python " + k.python
		if ofImage {
			why = "the image contains CUDA " + k.base.CUDA + ", for which this release was built"
		}
		if tf1 {
			why += "; the scripts use TensorFlow 1 and have to call tf.compat.v1"
		}
		version, _ := k.in.Decide(&account.Question{ID: "tensorflow", Scope: k.scope(), Ask: "Which TensorFlow?", Default: fitting[len(fitting)-1].Version,
			Example: fitting[0].Version, Why: why})
		name := k.tensorflowName(version)
		k.needsDefaults = k.needsDefaults || name == gpuName && manager == requirement.Conda
		k.put(p, manager, versioned(manager, name, version), strings.TrimSuffix(cmp.Or(retired, "does not match the new Python or CUDA version"), "."), "tensorflow")
	}
}

// gpuBuild returns the GPU build of a version, whatever its package is called.
func gpuBuild(version string) (catalog.Build, bool) {
	if b, ok := catalog.FrameworkBuild(gpuName, version); ok {
		return b, true
	}
	return catalog.FrameworkBuild(cpuName, version)
}

// tensorflowName returns the package that has a version for the environment's jobs; "" means the newest version.
func (k *cleaner) tensorflowName(version string) string {
	if k.in.GPU && version != "" && catalog.CompareVersions(version, "2.1") < 0 {
		return gpuName
	}
	return cpuName
}

// versioned returns the requirement for a version and its patch releases.
func versioned(manager requirement.Manager, name, version string) string {
	if manager == requirement.Conda {
		return name + "=" + version
	}
	return name + "==" + version + ".*"
}

// bringsCUDA installs a TensorFlow whose packages include CUDA, because the image has none, or none that a release for
// this Python version loads. Together with CNTK, it has CNTK's CUDA version, so that one driver and one kind of GPU
// work for both. old is the pinned version, or "".
func (k *cleaner) bringsCUDA(p schema.Package, old string) {
	var able []catalog.Build
	for _, b := range catalog.FrameworkBuilds(cpuName) {
		if slices.Contains(b.Pythons, k.python) && (b.GPUPackage == gpuName || strings.Contains(b.GPUPackage, "[")) {
			able = append(able, b)
		}
	}
	if len(able) == 0 {
		k.decideItem(p, "tensorflow", "Which TensorFlow?", "no release for Python "+k.python+" is known to include CUDA, and the image has none that matches", "")
		return
	}
	why := "the image contains CUDA " + k.base.CUDA + ", which no release for Python " + k.python + " is known to load"
	if k.bare {
		why = "the CNTK container has no CUDA"
	}
	take, same := able[len(able)-1], false
	cntk, _ := catalog.CNTK(catalog.MigrationDefault("cntk-version").Value)
	pinned, isKnown := gpuBuild(old)
	for _, b := range able {
		switch {
		case isKnown && b.Version == pinned.Version && (!k.cntk || b.CUDA == cntk.CUDA):
			take, same = b, true
		case !same && (!isKnown || major(b.Version) == major(old)) && (!k.cntk || b.CUDA == cntk.CUDA):
			take = b
		}
	}
	version := take.Version
	if same {
		version = old
	}
	why += ", so a build that includes CUDA is used: " + take.Version + " brings CUDA " + take.CUDA
	if k.cntk {
		why += "; CNTK " + cntk.Version + " brings CUDA " + cntk.CUDA
	}
	if isKnown && pinned.Version != take.Version {
		why += "; " + k.place(p) + " asks for " + old + ", which was built for CUDA " + pinned.CUDA
	}
	if k.in.Scripts.UsesTensorFlow1() && major(take.Version) != "1" {
		why += "; the scripts use TensorFlow 1 and have to call tf.compat.v1"
	}
	example := version
	if slices.ContainsFunc(able, func(b catalog.Build) bool { return isKnown && b.Version == pinned.Version }) {
		example = old
	}
	version, _ = k.in.Decide(&account.Question{ID: "tensorflow", Scope: k.scope(), Ask: "Which TensorFlow?", Default: version, Example: example, Why: why})
	was := "does not include CUDA, or includes a different version"
	if p.Requirement.Key == cpuName && k.tensorflowName(cmp.Or(old, version)) == gpuName {
		was = "the CPU build"
	}
	if k.tensorflowName(version) == gpuName {
		k.needsDefaults = true
		k.put(p, requirement.Conda, versioned(requirement.Conda, gpuName, version), was, "tensorflow")
		return
	}
	k.put(p, requirement.Pip, versioned(requirement.Pip, cpuName+"[and-cuda]", version), was, "tensorflow")
}

// major returns the first number of a version.
func major(version string) string {
	first, _, _ := strings.Cut(version, ".")
	return first
}

// fittingTensorFlow returns the releases that fit the Python version and the image, oldest first. For a CPU, these are
// the ones that the GPU image supports too, so that both stay equal, or all if it supports none: a GPU then gets a
// build that includes CUDA.
func (k *cleaner) fittingTensorFlow() (list []catalog.Build) {
	var all []catalog.Build
	for _, b := range catalog.FrameworkBuilds(cpuName) {
		if slices.Contains(b.Pythons, k.python) {
			all = append(all, b)
		}
	}
	for _, b := range all {
		if k.loads(b) {
			list = append(list, b)
		}
	}
	if len(list) == 0 && (!k.in.GPU || k.base.CUDA == "") {
		return all
	}
	return list
}

// loads reports whether a release was built for the image's CUDA.
func (k *cleaner) loads(b catalog.Build) bool {
	base := k.base
	if base.CUDA == "" {
		base = k.in.GPUBase
	}
	loads, sure := catalog.CUDANeed{CUDA: b.CUDA, CUDNN: b.CUDNN, CUSolver: true}.LoadsWith(base.CUDA, base.CUDNN)
	return loads && sure && minor(b.CUDA) == minor(base.CUDA)
}
