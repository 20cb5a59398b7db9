package schema

import (
	"strings"

	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
)

// gpuEvidence returns the places that make a target a GPU target. Names of
// targets, comments and packages never count: they are wishes, or leftovers.
func gpuEvidence(t *Target) (evidence []finding.Location) {
	// the machine that a section describes is not the one of a local run
	sized := t.VMSize.Explicit && t.Name != "local"
	if t.GPUSwitch.Bool && (!sized || !catalog.NoGPU(t.VMSize.Text)) {
		evidence = append(evidence, t.GPUSwitch.Location(t.GPUSwitch.name+" asks for GPUs"))
	}
	if t.Image.Explicit && IsGPUImage(t.Image.Text) {
		evidence = append(evidence, t.Image.Location("this is a GPU image"))
	}
	if sized {
		if vm, ok := catalog.VMSize(t.VMSize.Text); ok && vm.GPU != "" {
			evidence = append(evidence, t.VMSize.Location(sizeHasGPUs(t)))
		}
	}
	if t.requested {
		at := t.Type
		if t.Dialect == SDKv1 {
			at = t.Jobs[0].TargetName
		}
		evidence = append(evidence, at.Location("counted as a GPU target, as asked by --gpu or the settings"))
	}
	return evidence
}

// sizeHasGPUs says so, and who says that this is the size.
func sizeHasGPUs(t *Target) string {
	if t.BySettings {
		return "by the settings its machines are of size " + t.VMSize.Text + ", which has GPUs"
	}
	return "this VM size has GPUs"
}

// IsGPUImage reports whether an image reference names a GPU image: the catalog
// knows it as one, or its repository or tag says "gpu" or "cuda".
func IsGPUImage(reference string) bool {
	// a typo (a space at the end, a doubled colon) does not change
	// what the author meant; another rule reports it
	image, err := requirement.ParseImage(strings.ReplaceAll(strings.TrimSpace(reference), "::", ":"))
	if err != nil {
		return false
	}
	if known, ok := catalog.LookupImage(image.Name(), image.Tag); ok {
		return known.GPU
	}
	return catalog.ImageNameSaysGPU(image.Name(), image.Tag)
}
