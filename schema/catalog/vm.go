package catalog

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

// VM is an Azure virtual machine size that has GPUs or belongs to a series that is being retired.
type VM struct {
	// Size is the full name, such as Standard_NC6.
	Size, Series string
	// GPU is the model (see LookupGPU), or empty. GPUs is how many there are; for a shared card it is a fraction such
	// as 1/6.
	GPU, GPUs string
	// Capability is the compute capability of an NVIDIA GPU, such as 3.7.
	Capability string
	// GPUMemoryGB is the memory of all GPUs together and MemoryGB that of the machine, in GB; 0 if not recorded.
	GPUMemoryGB, MemoryGB int
	// VCPUs is 0 if not recorded.
	VCPUs int
	// CUDA is false for AMD cards and for sizes without a GPU.
	CUDA bool
	// Status is current, preview, announced (retirement is announced) or retired, as of the day that the row was seen.
	// For another day, use PhaseOf(RetiredOn, …).
	Status string
	// RetiredOn is the date (2006-01-02) on which the size was or will be switched off; empty if none was announced.
	RetiredOn string
	// Replacement names the vendor's suggestion: sizes separated by "; ", or series.
	Replacement string
	Note        string
	Origin
}

var vmRows = &table[VM]{name: "vm_sizes", finish: func(_ record, v *VM) {
	gpu, _ := LookupGPU(v.GPU)
	v.Capability = gpu.Capability
}}

var vmIndex = &index[string, VM]{rows: vmRows, key: func(v VM) string { return vmKey(v.Size) }}

// vmSeries is a series of sizes without GPUs that is being retired.
type vmSeries struct {
	Pattern string
	VM
}

var vmSeriesRows = &table[vmSeries]{name: "vm_series", finish: func(_ record, s *vmSeries) { s.GPUs = "0" }}

// vmSeriesOf keeps what seriesOf returns.
var vmSeriesOf = plain.Memo[int]{Longest: 64}

// vmPatterns are the patterns of vmSeriesRows, by their numbers.
var vmPatterns = plain.Once[[]plain.Regexp]{Make: func() []plain.Regexp {
	list := make([]plain.Regexp, len(vmSeriesRows.all()))
	for i, s := range vmSeriesRows.all() {
		list[i].Text = `(?i)^(?:` + s.Pattern + `)$`
	}
	return list
}}

// seriesOf returns the number of a size's series, or -1.
func seriesOf(name string) int {
	for i, s := range vmSeriesRows.all() {
		if s.suits(name) && vmPatterns.Get()[i].Get().MatchString(name) {
			return i
		}
	}
	return -1
}

// suits reports whether the letters at the pattern's start and end are those of a name: few patterns need compiling.
func (s *vmSeries) suits(name string) bool {
	first := strings.IndexAny(s.Pattern+"(", `\([?`)
	if strings.HasPrefix(s.Pattern[first:], "?") {
		first--
	}
	start, end := s.Pattern[:first], s.Pattern[strings.LastIndexAny(s.Pattern, "+?)]")+1:]
	return len(name) >= max(len(start), len(end)) && strings.EqualFold(name[:len(start)], start) && strings.EqualFold(name[len(name)-len(end):], end)
}

// VMSize returns a size by name, from tables vm_sizes and vm_series. Case does not matter, and names of GPU sizes may
// lack the prefix Standard_. A size that is not found may be a CPU size that is not being retired, or may just not be
// recorded.
func VMSize(name string) (VM, bool) {
	if v, ok := vmIndex.find(vmKey(name)); ok {
		return v, ok
	}
	if !strings.Contains(name, "_") {
		return VM{}, false
	}
	series := vmSeriesOf.Of(name, seriesOf)
	if series < 0 {
		return VM{}, false
	}
	v := vmSeriesRows.all()[series].VM
	v.Size = name
	return v, true
}

// Count returns how many GPUs that support CUDA a machine of this size has; a shared card counts as one.
func (v VM) Count() int {
	whole, _, part := strings.Cut(v.GPUs, "/")
	n, err := strconv.Atoi(whole)
	switch {
	case !v.CUDA:
		return 0
	case err != nil || part:
		return 1
	}
	return n
}

// VMSizes returns the recorded names of sizes with GPUs, sorted, for suggestions.
func VMSizes() []string {
	names := namesOf(vmRows.all(), func(v VM) string { return v.Size })
	slices.Sort(names)
	return names
}

func vmKey(name string) string {
	return strings.TrimPrefix(strings.ToLower(name), "standard_")
}

// Replacements returns the sizes, but not the series, that the vendor suggests instead, smallest first.
func (v VM) Replacements() (sizes []string) {
	for r := range strings.SplitSeq(v.Replacement, "; ") {
		if strings.HasPrefix(r, "Standard_") {
			sizes = append(sizes, r)
		}
	}
	return sizes
}

// Successor returns the first of the replacements that has as many GPUs, or the smallest size of its series that has;
// otherwise the first, or "" if there is none. Of a card that was divided into two GPUs, one counts as enough.
func (v VM) Successor() string {
	sizes := v.Replacements()
	for _, name := range sizes {
		instead, _ := VMSize(name)
		if instead.Count() >= v.Count() || v.GPU == "K80" {
			return name
		}
		best := VM{}
		for _, other := range vmRows.all() {
			if other.Series == instead.Series && other.RetiredOn == "" && other.Count() >= v.Count() && (best.Size == "" || other.Count() < best.Count()) {
				best = other
			}
		}
		if best.Size != "" {
			return best.Size
		}
	}
	return cmp.Or(sizes...)
}

// family is a group of sizes whose names begin with the same letters.
type family struct {
	Family string
	GPU    bool
}

var (
	familyRows  = &table[family]{name: "vm_families"}
	familyIndex = &index[string, family]{rows: familyRows, key: func(f family) string { return strings.ToLower(f.Family) }}
)

// NoGPU reports whether the name of a size shows that its family has no GPUs, as Standard_DS3_v2 does; case does not
// matter. It is false for families that are not recorded and for text that is not a size.
func NoGPU(size string) bool {
	name, ok := strings.CutPrefix(strings.ToLower(size), "standard_")
	if !ok || name == "" {
		return false
	}
	f, known := familyIndex.find(name[:1])
	return known && !f.GPU
}
