package rules

import (
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
)

// v2Machines returns the targets of v2 jobs whose machine and image are both known, without duplicates, in the order of
// their jobs.
func v2Machines(p *Pass) (targets []*schema.Target) {
	seen := map[*schema.Target]bool{}
	for _, j := range p.Project.Jobs {
		t := j.Target
		if j.Dialect != schema.V2 || seen[t] {
			continue
		}
		if seen[t] = true; t.VMSize.Explicit && t.VMSize.Node.IsString() && t.Base().Node.IsString() && !t.Base().File.Broken() {
			targets = append(targets, t)
		}
	}
	return targets
}

// v2Images returns the v2 environments as targets, which is what rules about images check.
func v2Images(p *Pass) []*schema.Target {
	if p.shared.images == nil {
		for _, e := range p.Project.V2Environments {
			if image := e.Base(); image.Node.IsString() && !strings.Contains(image.Text, "${{") {
				p.shared.images = append(p.shared.images, &schema.Target{Dialect: schema.V2, File: e.File, Image: image})
			}
		}
	}
	return p.shared.images
}

// v2GPUImage reports v2 jobs with a GPU image on machines without a GPU.
func v2GPUImage(p *Pass) {
	for _, t := range v2Machines(p) {
		image, ok := imageOf(t)
		vm, known := catalog.VMSize(t.VMSize.Text)
		if !ok || !image.GPU || vm.CUDA || !known && !catalog.NoGPU(t.VMSize.Text) {
			continue
		}
		gpu := "GPU"
		if vm.GPU != "" { // of AMD
			gpu = "NVIDIA GPU"
		}
		p.report(t.VMSize.Location(fmt.Sprintf("machines of size %s have no %s, but the job's image is a GPU image: use a size with a GPU, or a CPU image", t.VMSize.Text, gpu)),
			nil, runsOn(t.Jobs[0]), t.Base().Location("this is a GPU image"))
	}
}

// v2CPUImage reports v2 jobs on GPU machines whose image has no CUDA, if their environment has a package that loads
// CUDA from the image. Other packages bring their own, or need none.
func v2CPUImage(p *Pass) {
	needs := map[*schema.Environment]*listed{} // one of its packages
	for _, t := range v2Machines(p) {
		image, ok := imageOf(t)
		e := t.Jobs[0].Installs()
		if !ok || !t.GPU() || t.Requested() || image.GPU || e == nil || p.full(t.Base().File.Source) {
			continue
		}
		if _, known := needs[e]; !known {
			needs[e] = needsImageCUDA(e)
		}
		if needs[e] == nil {
			continue
		}
		asked, _ := askedFor(needs[e].Package)
		at := t.Base().Location(fmt.Sprintf(
			"%s is a CPU image, but the job runs on GPU machines (%s) and its %s looks for CUDA in the image",
			t.Base().Text, t.VMSize.Text, asked.text))
		fix := v2CUDAFix(p, t, &needs[e].Package, &at)
		p.report(at, fix,
			runsOn(t.Jobs[0]), t.VMSize.Location("machines with a GPU"), needs[e].at(e, "it needs CUDA"))
	}
}

// v2CUDAFix returns the fix that gives a v2 job the CUDA that a package loads: with the package if possible, or else
// with the image. It adds the advice to the finding's message. Whether to use an image with another base system is left
// to a person, and so is all if the environment's Python cannot install the package.
func v2CUDAFix(p *Pass, t *schema.Target, pkg *schema.Package, at *finding.Location) *finding.Fix {
	const either = ": use a GPU image, or a package that includes CUDA"
	j := t.Jobs[0]
	w := &cudaWorld{Environment: j.Installs(), releases: map[string][]release{}}
	if _, installed := w.loaded(*pkg); !installed || j.Installs().Built() {
		at.Message += either
		return nil
	}
	if text, ok := withCUDA(j.Environment, *pkg); ok {
		at.Message += fmt.Sprintf("%s, such as %q", either, text)
		return environmentFix(p, j.Environment, gpuSide, at, fmt.Sprintf("use %q", text), *pkg, text)
	}
	fix, text := v2GPUImageFix(p, j.V2.Environment)
	if text == "" {
		at.Message += either
		return nil
	}
	at.Message += ": use a package that includes CUDA, or a GPU image, such as " + text
	if fix != nil {
		if to, err := requirement.ParseImage(text); err == nil {
			now, _ := imageOf(t)
			if then, _ := catalog.LookupImage(to.Name(), to.Tag); then.OS != now.OS {
				changed := *fix
				changed.Applicability, fix = finding.Unsafe, &changed
			}
		}
	}
	return fix
}

// needsImageCUDA returns the first package of an environment that loads CUDA from the image, or nil if there is none or
// another package installs CUDA.
func needsImageCUDA(e *schema.Environment) *listed {
	if bringsCUDA(e) {
		return nil
	}
	for _, part := range e.Parts() {
		for _, pkg := range part.Packages {
			if _, ok := askedFor(pkg); ok && !otherPlatform(pkg) {
				return &listed{pkg, part.File.Source}
			}
		}
	}
	return nil
}

// v2Sizes returns the fields in which v2 files name a machine size, which jobs may share, but not those of serverless
// Spark: it accepts only the sizes that the client lists.
func v2Sizes(p *Pass) (sizes []schema.Field) {
	for _, c := range p.Project.V2Computes {
		sizes = append(sizes, c.Size)
	}
	for _, j := range p.Project.Jobs {
		t := j.Target
		switch {
		case j.Dialect != schema.V2 || j.Type == "spark" || j.Runs != nil && j.Runs.Type == "spark":
		case len(t.Sizes) > 0 && t.Sizes[0].File == j.File:
			sizes = append(sizes, t.Sizes...)
		case t.VMSize.Explicit && t.VMSize.File == j.File:
			sizes = append(sizes, t.VMSize)
		}
	}
	return sizes
}
