package catalog

import (
	"strings"

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
	// SafetySafe means: replacing the name, with its pin kept, gives the GPU build of the same software.
	SafetySafe Safety = "safe"
	// SafetyChoice means: something must be chosen first (a CUDA version, a licence, a build option).
	SafetyChoice Safety = "choice"
	// SafetyReport means: this is the CPU build, and no GPU build can replace it: the row's channel has none of these
	// versions.
	SafetyReport Safety = "report"
	// SafetyNone means: nothing to replace; the row exists to say so.
	SafetyNone Safety = "none"
)

// Unpinned says whether a row applies to a requirement without a version.
type Unpinned string

const (
	// UnpinnedSame means: the row applies as it is.
	UnpinnedSame Unpinned = "same"
	// UnpinnedPin means: the row applies, but the new name needs a pin to be installable.
	UnpinnedPin Unpinned = "pin"
	// UnpinnedNo means: the row does not apply.
	UnpinnedNo Unpinned = "no"
)

// PackageVariant relates the CPU build of a package to its GPU build in one package manager. If several rows of a name
// apply to a requirement, use the first.
type PackageVariant struct {
	ID, Manager string
	// CPU is empty if the package exists only for GPUs.
	CPU string
	// GPU may include an extra (tensorflow[and-cuda]); it is empty if no other name is needed.
	GPU string
	// Versions is a PEP 440 specifier for the package version; empty means every version.
	Versions string
	// Local is the local version label that the row requires (the cpu of torch==1.4.0+cpu).
	Local string
	// Python is a PEP 440 specifier for the interpreter; empty means any.
	Python string
	// Channel is the conda channel that has the GPU build; empty means no particular one.
	Channel string
	Safety  Safety
	// Optional is true if the CPU name is not a mistake in itself, as with keras.
	Optional bool
	// KeepVersion is true if the GPU build has the same version numbers.
	KeepVersion bool
	// GPUOnly is true if the GPU name always means a GPU build.
	GPUOnly  bool
	Unpinned Unpinned
	// Condition and Note are for people: what else must be true, and what to know.
	Condition, Note string
	Origin
}

// variantKey is a name in one package manager.
type variantKey struct{ manager, name string }

var (
	variantRows = &table[PackageVariant]{name: "package_variants"}
	cpuVariants = &groups[variantKey, PackageVariant]{rows: variantRows, keys: func(v *PackageVariant) []variantKey { return v.keys(v.CPU, v.CPU != "") }}
	gpuVariants = &groups[variantKey, PackageVariant]{rows: variantRows, keys: func(v *PackageVariant) []variantKey { return v.keys(v.GPU, v.GPUOnly) }}
)

// keys returns the key of the row under a name, or none.
func (v *PackageVariant) keys(name string, ok bool) []variantKey {
	if !ok {
		return nil
	}
	return []variantKey{{v.Manager, name}}
}

// CPUVariants returns the rows whose CPU build has exactly this name, ignoring case and, for pip, the PEP 503 spelling.
// The name must have no extras, version or markers. If there is no row, nothing is known about the package. Rows must
// not be modified.
func CPUVariants(manager, name string) []*PackageVariant {
	return cpuVariants.list(variantKey{manager, normalName(manager, name)})
}

// GPUVariants returns the rows whose GPU build has exactly this name and is always a GPU build. They must not be
// modified.
func GPUVariants(manager, name string) []*PackageVariant {
	return gpuVariants.list(variantKey{manager, normalName(manager, name)})
}

// Choices returns the rows where somebody has to choose.
func Choices() (rows []PackageVariant) {
	for _, v := range variantRows.all() {
		if v.Safety == SafetyChoice {
			rows = append(rows, v)
		}
	}
	return rows
}

// normalName normalises a package name as its manager does.
func normalName(manager, name string) string {
	if manager == Pip {
		return plain.PackageName(name)
	}
	return strings.ToLower(name)
}

// flavoured is a conda package whose CPU and GPU builds share one name.
type flavoured struct{ Name, GPUPackage, Since string }

var (
	flavouredRows  = &table[flavoured]{name: "conda_builds"}
	flavouredIndex = &index[string, flavoured]{rows: flavouredRows, key: func(f flavoured) string { return f.Name }}
)

// Flavoured reports whether a conda package has CPU and GPU builds under one name, so that only the build string
// distinguishes them. gpu is the package that selects the GPU build; empty if only a build string does.
func Flavoured(name string) (gpu string, ok bool) {
	f, ok := flavouredIndex.find(normalName(Conda, name))
	return f.GPUPackage, ok
}

// BringsAlong returns the first version from which on the GPU package of a conda package only selects that package's
// GPU build, so that both are installed side by side; ok is false if it never does.
func BringsAlong(name, gpu string) (since string, ok bool) {
	f, _ := flavouredIndex.find(normalName(Conda, name))
	return f.Since, f.GPUPackage == normalName(Conda, gpu) && f.Since != ""
}
