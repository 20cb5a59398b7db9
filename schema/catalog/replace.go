package catalog

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/amlfix/amlfix/schema/plain"
)

// GPUReplacements lists the images that a job of Azure ML v2 gets in place of a CPU
// base image when it is to use a GPU, best first: those of the same kind that are
// still built, or, where they are not, those on the newest system. The first is the
// one that Microsoft itself names in place of older ones, the others follow with
// the newest CUDA first. There are none for images of other kinds, such as those for
// inference without a GPU image of the same kind: what they hold would be missing.
// Images of dated repositories come with the tag latest.
func GPUReplacements(repo, tag string) []Image {
	cpu, ok := findImage(repo, tag)
	if !ok || cpu.GPU {
		return nil
	}
	base, newest := newestBase()
	all := GPUCandidates(repo, tag)
	if list := slices.DeleteFunc(slices.Clone(all), notBuilt); len(list) > 0 && cpu.Repo != base.Repo {
		return list
	}
	if len(all) > 0 || cpu.Successor == base.Repo {
		return slices.Clone(newest)
	}
	return nil
}

// CPUReplacement returns the image that a job of Azure ML v2 gets in place of a GPU
// base image when it is to run without a GPU: that of the same kind, or, where it is
// not built any more, the one on the newest system.
func CPUReplacement(repo, tag string) (Image, bool) {
	gpu, ok := findImage(repo, tag)
	if !ok || !gpu.GPU {
		return Image{}, false
	}
	twin, ok := imageIndex()[gpu.twin]
	if ok && !notBuilt(twin.Image) {
		return pinned(twin), true
	}
	base, newest := newestBase()
	successor := slices.ContainsFunc(newest, func(i Image) bool { return i.Repo == gpu.Successor })
	return base, ok || successor
}

// notBuilt reports an image of which it is not recorded that it gets new builds.
func notBuilt(i Image) bool { return i.Removed || i.Status != "current" }

// newestBase returns the CPU base image on the newest system that is still built,
// and the GPU images of the same kind, in the order of GPUReplacements.
var newestBase = sync.OnceValues(func() (base Image, gpus []Image) {
	named := map[string]bool{} // in place of others
	for _, row := range imageRows() {
		named[row.Successor] = true
	}
	for _, row := range imageRows() {
		if row.Status != "current" || row.GPU || row.key.tag != anyTag || strings.Compare(row.OS, base.OS) <= 0 {
			continue
		}
		if found := slices.DeleteFunc(GPUCandidates(row.Repo, "latest"), notBuilt); len(found) > 0 {
			base, gpus = pinned(row), found
		}
	}
	first := func(i Image) int {
		if named[i.Repo] {
			return 0
		}
		return 1
	}
	plain.SortFunc(gpus, func(a, b Image) int {
		return cmp.Or(cmp.Compare(first(a), first(b)), CompareVersions(b.CUDA, a.CUDA))
	})
	return base, gpus
})
