package catalog

import (
	"cmp"
	"slices"
	"strings"
)

// Driver is the Linux driver that a CUDA version needs.
type Driver struct {
	// CUDA is a minor version, or a major version if all its minor versions agree.
	CUDA string
	// Min is the driver released with that toolkit. MinCompat is the older driver that still works since CUDA 11.1
	// (minor version compatibility), or empty.
	Min       string `column:"min_driver"`
	MinCompat string `column:"min_driver_compat"`
	Origin
}

var driverRows = &table[Driver]{name: "cuda_drivers"}

var driverIndex = &index[string, Driver]{rows: driverRows, key: func(d Driver) string { return d.CUDA }}

// MinDriver returns the driver that a CUDA version (10.1, 11.0.3) needs on Linux; false if that is not recorded.
func MinDriver(cuda string) (Driver, bool) {
	list := numbers(cuda)
	if d, ok := driverIndex.find(join(list, 2)); ok {
		return d, true
	}
	return driverIndex.find(join(list, 1))
}

// CUDAVersions returns the CUDA versions of the drivers, PyTorch builds, GPU images and GPU packages in the tables,
// oldest first and without duplicates. named extracts the version from a package name such as mxnet-cu90.
func CUDAVersions(named func(pkg string) string) (list []string) {
	for _, d := range driverRows.all() {
		list = append(list, d.CUDA)
	}
	for _, b := range FrameworkBuilds("torch") {
		list = append(list, b.CUDAs...)
	}
	for _, i := range imageRows.all() {
		list = append(list, i.CUDA)
	}
	for _, c := range Choices() {
		list = append(list, named(c.GPU))
	}
	list = slices.DeleteFunc(list, func(v string) bool { return v == "" })
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(CompareVersions(a, b), cmp.Compare(a, b)) })
	return slices.Compact(list)
}

// CUDANeed is the CUDA and cuDNN that a package's pip wheels load from the image. Packages that include CUDA have no
// row.
type CUDANeed struct {
	// Package is the normalised pip name.
	Package string
	// Versions is a PEP 440 specifier; empty means every version.
	Versions string
	// CUDA is a minor version, or a major version if any minor version works. CUDNN may be empty.
	CUDA, CUDNN string
	// CUSolver is true for wheels that load libcusolver, the only library whose version number changed within CUDA 11.
	CUSolver bool
	Origin
}

var (
	needRows  = &table[CUDANeed]{name: "cuda_needs"}
	needIndex = &groups[string, CUDANeed]{rows: needRows, keys: func(n *CUDANeed) []string { return []string{normalName(Pip, n.Package)} }}
)

// CUDANeeds returns what the releases of a pip package need, oldest first; empty if nothing is recorded. For tensorflow
// it starts at 2.1, when that name became the GPU build.
func CUDANeeds(name string) []CUDANeed {
	name = normalName(Pip, name)
	needs := needIndex.find(name)
	if name != "tensorflow" && name != "tensorflow-gpu" {
		return needs
	}
	for _, b := range FrameworkBuilds("tensorflow") {
		// Up to 2.11, tensorflow-gpu remained as an alias.
		alias := name == "tensorflow-gpu" && b.GPUPackage == "tensorflow" && CompareVersions(b.Version, "2.12") < 0
		base, _, _ := strings.Cut(b.GPUPackage, "[")
		if base == name || alias {
			needs = append(needs, CUDANeed{
				Package: name, Versions: "==" + b.Version + ".*", CUDA: b.CUDA, CUDNN: b.CUDNN, CUSolver: true, Origin: b.Origin,
			})
		}
	}
	return needs
}

// HasCUDANeeds reports whether CUDANeeds returns anything, without making it.
func HasCUDANeeds(name string) bool {
	name = normalName(Pip, name)
	return name == "tensorflow" || name == "tensorflow-gpu" || len(needIndex.list(name)) > 0
}

// Fails reports whether an image is known to lack the libraries that the wheels load; see LoadsWith.
func (n CUDANeed) Fails(i Image) bool {
	loads, sure := n.LoadsWith(i.CUDA, i.CUDNN)
	return sure && !loads
}

// LoadsWith reports whether an image with these versions has the libraries that the wheels load; sure is false if a
// version is not known. Up to CUDA 10, library names contain the minor version; from 11 on, only the major version,
// except for libcusolver: CUDA 11.0 has libcusolver.so.10, 11.1 and later have libcusolver.so.11. cuDNN is compared by
// major version.
func (n CUDANeed) LoadsWith(cuda, cudnn string) (loads, sure bool) {
	want, have := numbers(n.CUDA), numbers(cuda)
	if len(want) == 0 || len(have) == 0 {
		return false, false
	}
	if want[0] != have[0] {
		return false, true
	}
	if want[0] < 11 && len(want) > 1 {
		if len(have) < 2 {
			return false, false
		}
		if want[1] != have[1] {
			return false, true
		}
	}
	if n.CUSolver && want[0] == 11 && len(want) > 1 {
		if len(have) < 2 {
			return false, false
		}
		if (want[1] == 0) != (have[1] == 0) {
			return false, true
		}
	}
	wantDNN, haveDNN := numbers(n.CUDNN), numbers(cudnn)
	if len(wantDNN) == 0 {
		return true, true
	}
	if len(haveDNN) == 0 {
		return false, false
	}
	return wantDNN[0] == haveDNN[0], true
}
