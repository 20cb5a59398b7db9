package catalog

import (
	"math"
	"strconv"
	"strings"
)

// accelerator is a GPU under SkyPilot's name for it.
type accelerator struct {
	Model       string
	MemoryGB    int
	Accelerator string
}

var acceleratorRows = &table[accelerator]{name: "skypilot_gpus"}

// Accelerator returns the GPUs of a machine of this size as SkyPilot writes them: V100-32GB and 8. The count of a
// shared card is a fraction such as 0.167. ok is false if the size has no GPU, or none with a recorded SkyPilot name.
func (v VM) Accelerator() (name, count string, ok bool) {
	whole, parts, shared := strings.Cut(v.GPUs, "/")
	n, err := strconv.ParseFloat(whole, 64)
	if err != nil || n == 0 || v.GPU == "" {
		return "", "", false
	}
	if shared {
		divisor, err := strconv.ParseFloat(parts, 64)
		if err != nil || divisor == 0 {
			return "", "", false
		}
		n /= divisor
	}
	each := int(math.Round(float64(v.GPUMemoryGB) / n))
	for _, a := range acceleratorRows.all() {
		if a.Model == v.GPU && a.MemoryGB == each {
			return a.Accelerator, strconv.FormatFloat(math.Round(n*1000)/1000, 'f', -1, 64), true
		}
	}
	return "", "", false
}

// machine is a size without GPUs.
type machine struct{ Size, VCPUs, MemoryGB string }

var machineIndex = &index[string, machine]{rows: &table[machine]{name: "vm_cpus"}, key: func(m machine) string { return strings.ToLower(m.Size) }}

// MachineSize returns the cores and the memory, in GB, of a size without GPUs; case does not matter. ok is false for a
// size that is not recorded.
func MachineSize(size string) (vcpus, memoryGB string, ok bool) {
	m, ok := machineIndex.find(strings.ToLower(size))
	return m.VCPUs, m.MemoryGB, ok
}
