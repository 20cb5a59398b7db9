package catalog

import (
	"slices"
	"strings"
	"sync"
)

// GPUCounterparts lists the curated environments with CUDA that may take the place of
// one without: its successor, or that of the same name with "-gpu". Where neither is
// one with CUDA, those for inference or for training with one framework that
// others were replaced by: which of these is meant a person must say. All are still
// built. It is empty for what is no curated environment, or has CUDA.
func GPUCounterparts(name string) (list []CuratedEnvironment) {
	e, ok := Curated(name)
	if !ok || e.GPU {
		return nil
	}
	base := e.Name
	if e.Successor != "" {
		base = e.Successor
	}
	for _, other := range []string{base, base + "-gpu"} {
		if c, ok := Curated(other); ok && c.GPU && c.Status == "current" {
			return []CuratedEnvironment{c}
		}
	}
	inference := strings.Contains(e.Name, "inference")
	for _, row := range curatedRows() {
		c, ok := Curated(row.Successor)
		if !ok || !c.GPU || c.Status != "current" || c.Successor != "" || slices.ContainsFunc(list, func(have CuratedEnvironment) bool { return have.Name == c.Name }) {
			continue
		}
		if inference == strings.Contains(c.Name, "inference") && (inference || len(c.Packages) == 1) {
			list = append(list, c)
		}
	}
	return list
}

// GPUChoices lists the names that GPUCounterparts ever gives a choice of, sorted.
func GPUChoices() []string { return slices.Clone(gpuChoices()) }

var gpuChoices = sync.OnceValue(func() (names []string) {
	for _, row := range curatedRows() {
		list := GPUCounterparts(row.Name)
		if len(list) < 2 {
			continue
		}
		for _, c := range list {
			names = append(names, c.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
})
