package schema

import (
	"strings"

	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
)

// gpuEvidence returns the places that make a target a GPU target. Names of targets, comments and packages never count:
// they are intentions, or leftovers. Nor does gpuSupport of SDK v1 alone, which templates contain, unless a package is
// made for GPUs.
func gpuEvidence(t *Target) (evidence []finding.Location) {
	// the machine that a section describes is not used by a local run
	sized := t.VMSize.Explicit && t.Name != "local"
	bySwitch := t.GPUSwitch.Bool && (!sized || !catalog.NoGPU(t.VMSize.Text))
	if bySwitch {
		evidence = append(evidence, t.GPUSwitch.Location(t.GPUSwitch.name()+" asks for GPUs"))
	}
	if base := t.Base(); base.Explicit && IsGPUImage(base.Text) {
		evidence = append(evidence, base.Location("this is a GPU image"))
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
		evidence = append(evidence, askedEvidence(at)...)
	}
	if bySwitch && t.Dialect == SDKv1 && len(evidence) == 1 {
		if _, wanted := t.GPUPackage(); !wanted {
			return nil
		}
	}
	return evidence
}

// GPUPackage returns the place of the first package made for GPUs that the service installs for a target's jobs.
func (t *Target) GPUPackage() (at finding.Location, ok bool) {
	for _, j := range t.Jobs {
		e := j.Installs()
		if e == nil || e.File.Broken() || t.UserManaged.Bool && !e.Built() {
			continue
		}
		for _, part := range e.Parts() {
			for _, p := range part.Packages {
				if p.madeForGPU() {
					return finding.Location{Source: part.File.Source, Span: p.Node.Span, Message: "this package is built for GPUs"}, true
				}
			}
		}
	}
	return finding.Location{}, false
}

// HoldsCUDA reports whether a package contains CUDA libraries.
func (p Package) HoldsCUDA() bool {
	if p.Err != nil {
		return false
	}
	switch name := p.Requirement.Key; name {
	case "cudatoolkit", "cudnn", "cuda-toolkit", "pytorch-cuda":
		return true
	default:
		return strings.HasPrefix(name, "nvidia-")
	}
}

// madeForGPU reports whether requiring the package means wanting a GPU: it is named as the GPU build of a framework,
// its build string or version label says CUDA, or it is a part of CUDA. Packages for other systems do not count.
func (p Package) madeForGPU() bool {
	r := p.Requirement
	if p.Err != nil || r.SingleEquals || strings.Contains(r.Marker, "platform") || strings.Contains(r.Marker, "os_name") {
		return false
	}
	if p.HoldsCUDA() || r.Flavour().Kind == requirement.GPU || p.labelledCUDA() {
		return true
	}
	manager, name := catalog.Pip, r.Key
	switch {
	case r.Kind == requirement.Package && p.Manager == requirement.Conda:
		manager = catalog.Conda
	case r.Kind == requirement.Package:
	case r.Wheel != nil:
		if cntk, ok := catalog.ParseCNTKURL(r.URL); ok {
			return cntk.Flavour != catalog.FlavourCPU
		}
		name = r.Wheel.Key()
	default:
		return false
	}
	return len(catalog.GPUVariants(manager, name)) > 0
}

// labelledCUDA reports whether a package is a build of PyTorch whose version label names a CUDA version.
func (p Package) labelledCUDA() bool {
	if p.Manager != requirement.Pip {
		return false
	}
	pin, ok := p.Requirement.Pin()
	return ok && strings.HasPrefix(pin.Local(), "cu")
}

// sizeHasGPUs is the evidence that a size has GPUs, and says who named the size.
func sizeHasGPUs(t *Target) string {
	if t.BySettings {
		return "according to the settings, its machines are of size " + t.VMSize.Text + ", which has GPUs"
	}
	return "this VM size has GPUs"
}

// IsGPUImage reports whether an image reference names a GPU image: the catalog lists it as one, or its repository or
// tag contains "gpu" or "cuda".
func IsGPUImage(reference string) bool {
	// a typo (a trailing space, a doubled colon) does not change what the author meant; another rule reports it
	image, err := requirement.ParseImage(strings.ReplaceAll(strings.TrimSpace(reference), "::", ":"))
	if err != nil {
		return false
	}
	if known, ok := catalog.LookupImage(image.Name(), image.Tag); ok {
		return known.GPU
	}
	return catalog.ImageNameSaysGPU(image.Name(), image.Tag)
}
