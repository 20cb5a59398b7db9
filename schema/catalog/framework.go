package catalog

import (
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

// Build is one release of a framework on PyPI: what its wheels need, and which Python versions they are for. Conda
// packages bring their own CUDA.
type Build struct {
	// Package is the PyPI name of the framework: torch, tensorflow, jaxlib.
	Package string
	// Version is a minor version, or a patch version if patch releases differ.
	Version string
	// Released is a day (2006-01-02) or a month; empty if not recorded.
	Released string
	// Pythons are the minor versions with a wheel for Linux on x86-64.
	Pythons []string
	// CUDA is the version that the build was made for, empty if the build has no GPU code or the version is not
	// recorded; CUDNN is its cuDNN. CUDAs lists the published variants if there are several.
	CUDA, CUDNN string
	CUDAs       []string
	// GPU says where a GPU build gets CUDA from.
	GPU GPUSource
	// GPUPackage and CPUPackage are the pip names of the GPU and the CPU build if they differ from Package. GPUPackage
	// may include an extra.
	GPUPackage, CPUPackage string
	// CondaSelector says how conda picks a CUDA version: feature (cuda80), cudatoolkit or pytorch-cuda; empty if there
	// is no official conda package.
	CondaSelector string `column:"selector"`
	Origin
}

// GPUSource says where a build gets the CUDA libraries from.
type GPUSource string

const (
	// GPUIncluded builds include CUDA: only the host's driver matters.
	GPUIncluded GPUSource = "included"
	// GPUFromImage builds load CUDA from the image.
	GPUFromImage GPUSource = "image"
	// GPUFromExtra builds load CUDA from the image, or from packages that an extra adds. GPUPackage names the extra.
	GPUFromExtra GPUSource = "extra"
	// GPUFromPackage means: the build named Package has no GPU code, but GPUPackage does.
	GPUFromPackage GPUSource = "package"
	// GPUOpenCL builds use GPUs through OpenCL, without CUDA.
	GPUOpenCL GPUSource = "opencl"
	// GPUNone builds have no GPU code: the variant +cpu.
	GPUNone GPUSource = "none"
)

// CNTKBuild is one release of CNTK, whose GPU wheels include the libraries of CUDA. Its table knows more.
type CNTKBuild struct {
	Version, CUDA string
	Origin
}

var (
	buildRows  = &table[Build]{name: "frameworks"}
	buildIndex = &index[[2]string, Build]{rows: buildRows, key: func(b Build) [2]string { return [2]string{b.Package, b.Version} }}
	cntkRows   = &table[CNTKBuild]{name: "cntk"}
	cntkIndex  = &index[string, CNTKBuild]{rows: cntkRows, key: func(b CNTKBuild) string { return b.Version }}
)

// frameworkOf returns the framework whose rows a build shares, by the name of the build.
func frameworkOf(build string) string {
	switch build {
	case "pytorch":
		return "torch"
	case "jax":
		return "jaxlib"
	case "tensorflow-gpu", "tensorflow-cpu":
		return "tensorflow"
	case "xgboost-cpu":
		return "xgboost"
	}
	return build
}

// FrameworkBuild returns the build that a pinned pip requirement installs, from table frameworks. A local label selects
// the variant: 2.3.0+cu118 has CUDA 11.8 and 2.3.0+cpu has none; so does the name of a CPU build, such as
// tensorflow-cpu. 1.4, 1.4.1 and 1.4.* are the same build if only 1.4 is recorded. ok is false if the build is not
// recorded.
func FrameworkBuild(pkg, version string) (b Build, ok bool) {
	pkg = normalName(Pip, pkg)
	framework := frameworkOf(pkg)
	version, label, _ := strings.Cut(version, "+")
	if b, ok = byVersion(func(v string) (Build, bool) { return buildIndex.find([2]string{framework, v}) }, version); !ok {
		return Build{}, false
	}
	switch cuda, isCUDA := strings.CutPrefix(label, "cu"); {
	case pkg == "tensorflow-gpu" && CompareVersions(b.Version, "2.12") >= 0:
		return Build{}, false // up to 2.11, this name remained as an alias
	case label == "cpu" || strings.HasSuffix(pkg, "-cpu") || pkg == framework && b.CPUPackage == framework && b.GPU == GPUFromPackage:
		b.CUDA, b.CUDNN, b.GPU = "", "", GPUNone
	case pkg == b.GPUPackage && b.GPU == GPUFromPackage:
		b.GPU = GPUFromImage
	case isCUDA && len(cuda) > 1:
		b.CUDA, b.CUDNN = cuda[:len(cuda)-1]+"."+cuda[len(cuda)-1:], ""
	}
	return b, true
}

// FrameworkBuilds returns the recorded builds of a framework, oldest first.
func FrameworkBuilds(pkg string) (builds []Build) {
	for _, b := range buildRows.all() {
		if b.Package == pkg {
			builds = append(builds, b)
		}
	}
	return builds
}

// NewestBuild returns the newest recorded build of a package, which may be part of a framework (jax).
func NewestBuild(pkg string) (b Build, ok bool) {
	b, ok = newestBuilds.Get()[frameworkOf(normalName(Pip, pkg))]
	return b, ok
}

// newestBuilds maps each framework to its last row.
var newestBuilds = plain.Once[map[string]Build]{Make: func() map[string]Build {
	newest := map[string]Build{}
	for _, b := range buildRows.all() {
		newest[b.Package] = b
	}
	return newest
}}

// CNTK returns the build of a release; post and development releases count as the release they belong to.
func CNTK(version string) (CNTKBuild, bool) {
	return byVersion(cntkIndex.find, version)
}
