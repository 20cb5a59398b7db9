package catalog

import "slices"

// kernelRow is the GPU code in the builds of a range of releases.
type kernelRow struct {
	Package, CUDA, Since, Until string
	Kernels
}

var kernelRows = &table[kernelRow]{name: "kernels"}

// Kernels are the compute capabilities (8.0) that a build has machine code for. PTX is the capability of the
// intermediate code that a driver can compile for newer GPUs; empty if there is none.
type Kernels struct {
	Capabilities []string
	PTX          string
	Origin
}

// Kernels returns the GPU code in the build, from table kernels; ok is false if nothing is recorded for its CUDA
// version.
func (b Build) Kernels() (k Kernels, ok bool) {
	for _, r := range kernelRows.all() {
		if r.Package == b.Package && r.CUDA == b.CUDA && CompareVersions(r.Since, b.Version) <= 0 && CompareVersions(b.Version, r.Until) <= 0 {
			return r.Kernels, true
		}
	}
	return Kernels{}, false
}

// Reach says how a build runs on a GPU.
type Reach int

const (
	// ReachUnknown means: nothing is recorded.
	ReachUnknown Reach = iota
	// ReachNone means: the build has no code that this GPU can run.
	ReachNone
	// ReachCompiled means: the driver has to compile intermediate code first. CUDA libraries without code for the GPU
	// still fail.
	ReachCompiled
	// ReachNative means: the build has machine code that this GPU can run.
	ReachNative
)

// Runs returns how the build runs on GPUs of a compute capability, such as 8.6. Machine code runs on its own capability
// and on later ones of the same major version. If the build's code is not recorded, its CUDA version still tells which
// GPUs it cannot have code for.
func (b Build) Runs(capability string) Reach {
	want := numbers(capability)
	if len(want) < 2 || b.CUDA == "" {
		return ReachUnknown
	}
	k, ok := b.Kernels()
	if !ok {
		first, last, known := CUDAFor(capability)
		if known && (CompareVersions(b.CUDA, first) < 0 || last != 0 && numbers(b.CUDA)[0] > last) {
			return ReachNone
		}
		return ReachUnknown
	}
	if slices.ContainsFunc(k.Capabilities, func(c string) bool {
		have := numbers(c)
		return have[0] == want[0] && have[1] <= want[1]
	}) {
		return ReachNative
	}
	if k.PTX != "" && CompareVersions(k.PTX, capability) <= 0 {
		return ReachCompiled
	}
	return ReachNone
}
