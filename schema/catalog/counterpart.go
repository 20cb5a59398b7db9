package catalog

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

// GPUCounterparts returns the curated environments with CUDA that can replace one without: its successor, or the one of
// the same name with "-gpu". If neither has CUDA, it returns all successors of other environments that are for
// inference or for training with one framework; a person has to choose. All of them are still built. The list is empty
// if name is not a curated environment or already has CUDA.
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
	for _, row := range curatedRows.all() {
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

// GPUChoices returns, sorted, every name that GPUCounterparts can offer as a choice.
func GPUChoices() []string { return gpuChoices.Get() }

var gpuChoices = plain.Once[[]string]{Make: func() (names []string) {
	for _, row := range curatedRows.all() {
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
}}
