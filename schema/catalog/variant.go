package catalog

import (
	"slices"
	"strings"
	"sync"

	"github.com/amlfix/amlfix/schema/plain"
)

// The package managers of PackageVariant.Manager.
const (
	Pip   = "pip"
	Conda = "conda"
)

// Safety says what may be done with a PackageVariant without asking.
type Safety string

const (
	// SafetySafe means: replacing the name, with its pin kept, gives the GPU
	// build of the same software.
	SafetySafe Safety = "safe"
	// SafetyChoice means: something must be chosen first (a CUDA version, a
	// licence, a build option).
	SafetyChoice Safety = "choice"
	// SafetyReport means: this is the CPU build, and no GPU build takes its
	// place: the row's channel has none of these versions.
	SafetyReport Safety = "report"
	// SafetyNone means: nothing to replace; the row exists to say so.
	SafetyNone Safety = "none"
)

// Unpinned says how a row meets a requirement without a version.
type Unpinned string

const (
	// UnpinnedSame means: the row holds for it as it is.
	UnpinnedSame Unpinned = "same"
	// UnpinnedPin means: the row holds, but the new name needs a pin to be installable.
	UnpinnedPin Unpinned = "pin"
	// UnpinnedNo means: the row does not hold for it.
	UnpinnedNo Unpinned = "no"
)

// PackageVariant relates the CPU build of a package to its GPU build in one
// package manager. Where several rows of a name hold for a requirement, the
// first is the one to use.
type PackageVariant struct {
	ID, Manager string
	// CPU is empty when the package exists for GPUs only.
	CPU string
	// GPU may carry an extra (tensorflow[and-cuda]); it is empty when no other
	// name is needed.
	GPU string
	// Versions is a PEP 440 specifier for the package version; empty means every version.
	Versions string
	// Local is the local version label the row asks for (the cpu of torch==1.4.0+cpu).
	Local string
	// Python is a PEP 440 specifier for the interpreter; empty means any.
	Python string
	// Channel is the conda channel that has the GPU build; empty means no particular one.
	Channel string
	Safety  Safety
	// Optional is true where the CPU name is no fault in itself, as with keras.
	Optional bool
	// KeepVersion is true where the GPU build has the same version numbers.
	KeepVersion bool
	// GPUOnly is true where the GPU name always means a GPU build.
	GPUOnly  bool
	Unpinned Unpinned
	// Condition and Note are for people: what else must hold, what to know.
	Condition, Note string
	Origin
}

var variantRows = load("package_variants", func(r record) PackageVariant {
	return PackageVariant{
		ID: r.text("id"), Manager: r.text("manager"), CPU: r.text("cpu"), GPU: r.text("gpu"),
		Versions: r.text("versions"), Local: r.text("local"), Python: r.text("python"), Channel: r.text("channel"),
		Safety: Safety(r.text("safety")), Optional: r.yes("optional"), KeepVersion: r.yes("keep_version"),
		GPUOnly: r.yes("gpu_only"), Unpinned: Unpinned(r.text("unpinned")),
		Condition: r.text("condition"), Note: r.text("note"), Origin: r.origin(),
	}
})

// variantKey is a name in one package manager.
type variantKey struct{ manager, name string }

var (
	cpuVariants = variantsBy(func(v PackageVariant) string { return v.CPU })
	gpuVariants = variantsBy(func(v PackageVariant) string {
		if !v.GPUOnly {
			return ""
		}
		return v.GPU
	})
)

// variantsBy groups the rows by the name of one side; rows without it are left out.
func variantsBy(side func(PackageVariant) string) func() map[variantKey][]PackageVariant {
	return sync.OnceValue(func() map[variantKey][]PackageVariant {
		groups := map[variantKey][]PackageVariant{}
		for _, v := range variantRows() {
			if name := side(v); name != "" {
				key := variantKey{v.Manager, name}
				groups[key] = append(groups[key], v)
			}
		}
		return groups
	})
}

// CPUVariants lists the rows whose CPU build has exactly this name (case and,
// for pip, the PEP 503 spelling aside). The name must come without extras,
// version and markers. No row: nothing is known, so say nothing.
func CPUVariants(manager, name string) []PackageVariant {
	return slices.Clone(cpuVariants()[variantKey{manager, normalName(manager, name)}])
}

// GPUVariants lists the rows whose GPU build has exactly this name and is
// nothing but a GPU build.
func GPUVariants(manager, name string) []PackageVariant {
	return slices.Clone(gpuVariants()[variantKey{manager, normalName(manager, name)}])
}

// Choices lists the rows where somebody has to choose.
func Choices() (rows []PackageVariant) {
	for _, v := range variantRows() {
		if v.Safety == SafetyChoice {
			rows = append(rows, v)
		}
	}
	return rows
}

// normalName makes a package name comparable in its manager's way.
func normalName(manager, name string) string {
	if manager == Pip {
		return plain.PackageName(name)
	}
	return strings.ToLower(name)
}

// flavoured is a conda package whose CPU and GPU builds share one name.
type flavoured struct{ name, gpu, since string }

var flavouredRows = load("conda_builds", func(r record) flavoured {
	return flavoured{r.text("name"), r.text("gpu_package"), r.text("since")}
})

var flavouredIndex = index(flavouredRows, func(f flavoured) string { return f.name })

// Flavoured reports whether a conda package has CPU and GPU builds under its
// one name, so that the build string says them apart. gpu is the package that
// asks for the GPU build by name; empty where only a build string does.
func Flavoured(name string) (gpu string, ok bool) {
	f, ok := flavouredIndex()[normalName(Conda, name)]
	return f.gpu, ok
}

// BringsAlong returns the first version from which the GPU package of a conda
// package does nothing but ask for the GPU build of that one, so that both are
// installed side by side; ok is false when it never does.
func BringsAlong(name, gpu string) (since string, ok bool) {
	f := flavouredIndex()[normalName(Conda, name)]
	return f.since, f.gpu == normalName(Conda, gpu) && f.since != ""
}
