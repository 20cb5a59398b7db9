package catalog

import "strings"

// VM is one Azure virtual machine size with a GPU.
type VM struct {
	// Size is the full name, such as Standard_NC6.
	Size, Series string
	// GPU is the model (see LookupGPU); GPUs is how many, a fraction for a
	// shared card: 1/6.
	GPU, GPUs string
	// GPUMemoryGB is the memory of all GPUs together, in GB.
	GPUMemoryGB int
	// CUDA is false for AMD cards.
	CUDA bool
	// RetiredOn is the date (2006-01-02) on which the size was or will be
	// switched off, empty if none was announced.
	RetiredOn string
	// Replacement names the vendor's suggestion: sizes separated by "; ", or a series.
	Replacement string
	Note        string
	Origin
}

var vmIndex = index(load("vm_sizes", func(r record) VM {
	return VM{
		Size: r.text("size"), Series: r.text("series"), GPU: r.text("gpu"), GPUs: r.text("gpus"),
		GPUMemoryGB: number(r, "gpu_memory_gb"), CUDA: r.yes("cuda"), RetiredOn: r.text("retired_on"),
		Replacement: r.text("replacement"), Note: r.text("note"), Origin: r.origin(),
	}
}), func(v VM) string { return vmKey(v.Size) })

// VMSize finds a GPU size by name; case does not matter and the prefix
// Standard_ may be missing. A size that is not found may be a CPU size or
// simply not recorded.
func VMSize(name string) (VM, bool) {
	v, ok := vmIndex()[vmKey(name)]
	return v, ok
}

func vmKey(name string) string {
	return strings.TrimPrefix(strings.ToLower(name), "standard_")
}

// family is a letter that the names of sizes begin with.
type family struct {
	letter string
	gpu    bool
}

var familyIndex = index(load("vm_families", func(r record) family {
	return family{letter: r.text("family"), gpu: r.yes("gpu")}
}), func(f family) string { return strings.ToLower(f.letter) })

// NoGPU reports whether the name of a size says that it is of a family without
// GPUs, such as Standard_DS3_v2; case does not matter. It is false for names of
// families that are not recorded, and for what is no name of a size.
func NoGPU(size string) bool {
	name, ok := strings.CutPrefix(strings.ToLower(size), "standard_")
	if !ok || name == "" {
		return false
	}
	f, known := familyIndex()[name[:1]]
	return known && !f.gpu
}
