package catalog

import "slices"

// TFBuild is the configuration that one minor release of TensorFlow was built
// and tested with.
type TFBuild struct {
	// Version is a minor version, such as 1.4.
	Version string
	// GPUPackage and CPUPackage are the pip names; GPUPackage may carry an extra.
	GPUPackage, CPUPackage string
	// Pythons are minor versions, such as 3.5.
	Pythons []string
	// CUDA and CUDNN are what the pip wheel loads at run time; conda packages
	// bring their own.
	CUDA, CUDNN string
	// MinDriver is the Linux driver that this CUDA version needs.
	MinDriver string
	Origin
}

// TorchBuild lists the CUDA versions for which PyTorch published a release. Its
// wheels bring CUDA along, so only the driver of the host limits them.
type TorchBuild struct {
	// Version is a minor version, or a patch version where patch releases differ.
	Version string
	// CUDAs are the published variants; PipDefault is the one that PyPI has, if recorded.
	CUDAs      []string
	PipDefault string
	// CondaSelector says how conda picks one: feature (cuda80), cudatoolkit or
	// pytorch-cuda; empty without an official conda package.
	CondaSelector string
	Origin
}

// CNTKBuild is the configuration of one CNTK release. Its GPU wheels bring the
// CUDA libraries along.
type CNTKBuild struct {
	Version string
	// GPUDist is the distribution name of the GPU wheel.
	GPUDist     string
	Flavours    []string
	Pythons     []string
	CUDA, CUDNN string
	// MinDriver is the Linux driver that this CUDA version needs.
	MinDriver string
	// PyPI is true for the releases on PyPI (cntk and cntk-gpu).
	PyPI bool
	Origin
}

var (
	tensorflowRows = load("tensorflow", func(r record) TFBuild {
		driver, _ := MinDriver(r.text("cuda"))
		return TFBuild{
			Version: r.text("version"), GPUPackage: r.text("gpu_package"), CPUPackage: r.text("cpu_package"),
			Pythons: r.list("pythons"), CUDA: r.text("cuda"), CUDNN: r.text("cudnn"), MinDriver: driver.Min, Origin: r.origin(),
		}
	})
	tensorflowIndex = index(tensorflowRows, func(b TFBuild) string { return b.Version })
	torchRows       = load("pytorch", func(r record) TorchBuild {
		return TorchBuild{
			Version: r.text("version"), CUDAs: r.list("cudas"), PipDefault: r.text("pip_default_cuda"),
			CondaSelector: r.text("conda_selector"), Origin: r.origin(),
		}
	})
	torchIndex = index(torchRows, func(b TorchBuild) string { return b.Version })
	cntkRows   = load("cntk", func(r record) CNTKBuild {
		driver, _ := MinDriver(r.text("cuda"))
		return CNTKBuild{
			Version: r.text("version"), GPUDist: r.text("gpu_dist"), Flavours: r.list("flavours"), Pythons: r.list("pythons"),
			CUDA: r.text("cuda"), CUDNN: r.text("cudnn"), MinDriver: driver.Min, PyPI: r.yes("pypi"), Origin: r.origin(),
		}
	})
	cntkIndex = index(cntkRows, func(b CNTKBuild) string { return b.Version })
)

// TensorFlow finds the build of a release by its minor version: 1.4, 1.4.1 and
// 1.4.* are the same build.
func TensorFlow(version string) (TFBuild, bool) {
	b, ok := byVersion(tensorflowIndex(), version)
	b.Pythons = slices.Clone(b.Pythons)
	return b, ok
}

// TensorFlowBuilds lists all builds, oldest first.
func TensorFlowBuilds() []TFBuild {
	builds := slices.Clone(tensorflowRows())
	for i := range builds {
		builds[i].Pythons = slices.Clone(builds[i].Pythons)
	}
	return builds
}

// PyTorch finds the CUDA variants of a release.
func PyTorch(version string) (TorchBuild, bool) {
	b, ok := byVersion(torchIndex(), version)
	b.CUDAs = slices.Clone(b.CUDAs)
	return b, ok
}

// CNTK finds a release; post and development releases count as the release they belong to.
func CNTK(version string) (CNTKBuild, bool) {
	b, ok := byVersion(cntkIndex(), version)
	b.Flavours, b.Pythons = slices.Clone(b.Flavours), slices.Clone(b.Pythons)
	return b, ok
}
