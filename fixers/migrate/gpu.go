package migrate

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
)

// askGPU asks about a target with only one indication of a GPU: the image, in containers that had no access to one, or
// gpuSupport, next to an image and packages for CPUs. SDK v1 has ignored that key since autumn 2019.
func (m *Migration) askGPU(j *Job) {
	t := j.Source.Target
	if alone := t.Dialect == schema.SDKv1 && t.GPUSwitch.Bool; t.Requested() || t.Declined() || !j.GPU && !alone {
		return
	}
	q := account.Question{ID: "gpu", Scope: j.Name, Ask: "Does the job use a GPU?", Choices: []string{"yes", "no"}}
	switch {
	case t.Dialect == schema.Workbench && !t.GPUSwitch.Bool:
		q.Default = "yes"
		q.Why = account.Place(t.Image) + " uses a GPU image, but nvidiaDocker is not true, so the old job never got a GPU"
	case t.Dialect == schema.SDKv1 && onlySwitch(j.Source):
		q.Default = "no"
		q.Why = account.Place(t.GPUSwitch) + " asks for one, which SDK v1 has ignored since autumn 2019; no image, package or VM size in the files is for GPUs"
	default:
		return
	}
	answer, _ := m.Decide(&q)
	j.GPU = answer == "yes"
	m.Ledger.Decide(j.Name, "GPU: "+answer, "gpu", t.GPUSwitch)
}

// onlySwitch reports whether gpuSupport is the only indication of a GPU.
func onlySwitch(s *schema.Job) bool {
	t := s.Target
	if !t.GPUSwitch.Bool || t.Image.Explicit && schema.IsGPUImage(t.Image.Text) {
		return false
	}
	if vm, ok := catalog.VMSize(t.VMSize.Text); ok && vm.GPU != "" {
		return false
	}
	if strings.Contains(s.SDK.Dockerfile.Text, "cuda") || strings.Contains(s.SDK.Dockerfile.Text, "gpu") {
		return false
	}
	return s.Environment == nil || !slices.ContainsFunc(s.Environment.Packages, forGPU)
}

// forGPU reports whether a package is a GPU build or includes CUDA.
func forGPU(p schema.Package) bool {
	if p.Err != nil {
		return false
	}
	name := p.Requirement.Key
	if w := p.Requirement.Wheel; w != nil && name == "" {
		name = w.Key()
	}
	switch {
	case strings.HasPrefix(name, "cuda"), strings.HasPrefix(name, "nvidia-"), strings.HasPrefix(name, "cupy"), name == "cudnn", name == "pytorch-cuda":
		return true
	}
	return len(catalog.GPUVariants(p.Manager.String(), name)) > 0 || strings.Contains(p.Requirement.Constraint, "+cu") || strings.Contains(p.Requirement.Build, "cuda") || strings.Contains(p.Requirement.Build, "gpu")
}
