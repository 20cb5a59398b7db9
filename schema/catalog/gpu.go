package catalog

import (
	"strings"
)

// GPU is one NVIDIA data centre GPU and the CUDA versions that can drive it.
type GPU struct {
	// Model is the short name, such as K80.
	Model, Architecture string
	// Capability is the compute capability, such as 3.7.
	Capability string
	// FirstCUDA is the oldest CUDA version that supports the architecture.
	FirstCUDA string
	// LastCUDAMajor is the last one that supports it; zero while support continues.
	LastCUDAMajor int
	Origin
}

var (
	gpuRows  = &table[GPU]{name: "gpus"}
	gpuIndex = &index[string, GPU]{rows: gpuRows, key: func(g GPU) string { return g.Model }}
)

// LookupGPU returns the GPU of this model, or whose model is a word of the name that drivers and logs print: K80, Tesla
// K80, NVIDIA A100-SXM4-80GB.
func LookupGPU(name string) (GPU, bool) {
	list := words(name)
	for _, w := range list {
		if g, ok := gpuIndex.find(strings.ToUpper(w)); ok {
			return g, true
		}
	}
	for _, g := range gpuRows.all() { // models of several words
		if m := words(g.Model); len(m) > 1 && strings.Contains(" "+strings.Join(list, " ")+" ", " "+strings.Join(m, " ")+" ") {
			return g, true
		}
	}
	return GPU{}, false
}

// GPUByCapability returns the first GPU of a compute capability, written 3.7 or sm_37.
func GPUByCapability(capability string) (GPU, bool) {
	if sm, ok := strings.CutPrefix(capability, "sm_"); ok && len(sm) > 1 {
		capability = sm[:len(sm)-1] + "." + sm[len(sm)-1:]
	}
	for _, g := range gpuRows.all() {
		if g.Capability == capability {
			return g, true
		}
	}
	return GPU{}, false
}

// RunsCUDA reports whether a CUDA version (8.0) has code for this GPU. Just-in-time compilation of old code for a newer
// GPU does not count. The result is false if cuda is not a version.
func (g GPU) RunsCUDA(cuda string) bool {
	list := numbers(cuda)
	if len(list) == 0 || CompareVersions(cuda, g.FirstCUDA) < 0 {
		return false
	}
	return g.LastCUDAMajor == 0 || list[0] <= g.LastCUDAMajor
}

// CUDAFor returns the first CUDA version whose machine code runs on GPUs of a compute capability such as 7.5, and the
// last major version that still has such code, zero while support continues. Code for a GPU of the same major
// capability and a lower minor one runs too, as NVIDIA guarantees (CUDA C++ Programming Guide, binary compatibility): a
// T4 runs code built for a V100. ok is false if the capability is not recorded.
func CUDAFor(capability string) (first string, lastMajor int, ok bool) {
	want := numbers(capability)
	if len(want) < 2 {
		return "", 0, false
	}
	newest := -1
	for _, g := range gpuRows.all() {
		have := numbers(g.Capability)
		if have[0] != want[0] || have[1] > want[1] {
			continue
		}
		if !ok || CompareVersions(g.FirstCUDA, first) < 0 {
			first = g.FirstCUDA
		}
		if have[1] > newest { // code for the nearest older architecture is dropped last
			newest, lastMajor = have[1], g.LastCUDAMajor
		}
		ok = true
	}
	return first, lastMajor, ok
}

// GPUsFor returns the models that a CUDA version has native code for, oldest first.
func GPUsFor(cuda string) []string {
	return gpusWhere(func(g GPU) bool { return g.RunsCUDA(cuda) })
}

// gpusWhere returns the models of some GPUs.
func gpusWhere(is func(GPU) bool) (models []string) {
	for _, g := range gpuRows.all() {
		if is(g) {
			models = append(models, g.Model)
		}
	}
	return models
}
