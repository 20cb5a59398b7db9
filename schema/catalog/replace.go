package catalog

import (
	"cmp"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

// GPUReplacements returns the images that can replace the CPU base image of an Azure ML v2 job so that it uses a GPU,
// best first: those of the same kind that are still built or, if there are none, those on the newest system. The first
// is the one that Microsoft itself names as the replacement of older ones; the others follow, newest CUDA first. The
// list is empty for other kinds of images, such as inference images that have no GPU image of the same kind: their
// contents would be missing. Images of repositories with dated tags get the tag latest.
func GPUReplacements(repo, tag string) []Image {
	cpu, ok := findImage(repo, tag)
	if !ok || cpu.GPU {
		return nil
	}
	newest := newestBase.Get()
	all := GPUCandidates(repo, tag)
	if list := slices.DeleteFunc(slices.Clone(all), notBuilt); len(list) > 0 && cpu.Repo != newest.base.Repo {
		return list
	}
	if len(all) > 0 || cpu.Successor == newest.base.Repo {
		return slices.Clone(newest.gpus)
	}
	return nil
}

// CPUReplacement returns the image that can replace the GPU base image of an Azure ML v2 job so that it runs without a
// GPU: the one of the same kind or, if that is no longer built, the one on the newest system.
func CPUReplacement(repo, tag string) (Image, bool) {
	gpu, ok := findImage(repo, tag)
	if !ok || !gpu.GPU {
		return Image{}, false
	}
	twin := imageAt(gpu.twin)
	if twin != nil && !notBuilt(twin.Image) {
		return pinned(*twin), true
	}
	newest := newestBase.Get()
	successor := slices.ContainsFunc(newest.gpus, func(i Image) bool { return i.Repo == gpu.Successor })
	return newest.base, twin != nil || successor
}

// notBuilt reports whether an image is not recorded as getting new builds.
func notBuilt(i Image) bool { return i.Removed || i.Status != "current" }

// newestBase returns the CPU base image on the newest system that is still built, and the GPU images of the same kind,
// in the order of GPUReplacements.
var newestBase = plain.Once[newestImages]{Make: func() (newest newestImages) {
	named := map[string]bool{} // as the replacement of others
	for _, row := range imageRows.all() {
		named[row.Successor] = true
	}
	for _, row := range imageRows.all() {
		if row.Status != "current" || row.GPU || row.key.tag != anyTag || strings.Compare(row.OS, newest.base.OS) <= 0 {
			continue
		}
		if found := slices.DeleteFunc(GPUCandidates(row.Repo, "latest"), notBuilt); len(found) > 0 {
			newest.base, newest.gpus = pinned(row), found
		}
	}
	first := func(i Image) int {
		if named[i.Repo] {
			return 0
		}
		return 1
	}
	plain.SortFunc(newest.gpus, func(a, b Image) int {
		return cmp.Or(cmp.Compare(first(a), first(b)), CompareVersions(b.CUDA, a.CUDA))
	})
	return newest
}}

type newestImages struct {
	base Image
	gpus []Image
}
