package rules

import (
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
)

// The files of Azure ML v2 are no Jobs and Targets: what several rules ask of
// them is here.

// v2Image returns what the catalog knows of the image that an environment of v2
// names; ok is false when it knows nothing.
func v2Image(e *schema.V2Environment) (known catalog.Image, ok bool) {
	if e == nil || !e.Image.Node.IsString() || e.File.Broken() {
		return catalog.Image{}, false
	}
	image, err := requirement.ParseImage(strings.TrimSpace(e.Image.Text))
	if err != nil || image.Digest != "" {
		return catalog.Image{}, false
	}
	return catalog.LookupImage(image.Name(), image.Tag)
}

// v2Targets returns the environments of v2 in the one form that rules about
// images look at.
func v2Targets(p *Pass) (targets []*schema.Target) {
	for _, e := range p.Project.V2Environments {
		if e.Image.Node.IsString() && !strings.Contains(e.Image.Text, "${{") {
			targets = append(targets, &schema.Target{File: e.File, Image: e.Image})
		}
	}
	return targets
}

// v2Size returns what the catalog knows of the machines of a job of v2; ok is
// false when the files do not say which these are.
func v2Size(size schema.Field) (vm catalog.VM, gpu, ok bool) {
	if !size.Explicit || !size.Node.IsString() {
		return catalog.VM{}, false, false
	}
	if vm, ok := catalog.VMSize(size.Text); ok {
		return vm, vm.CUDA, true
	}
	return catalog.VM{}, false, catalog.NoGPU(size.Text)
}

// v2GPUImage reports a job of v2 with a GPU image on machines without a GPU.
func v2GPUImage(p *Pass) {
	for _, j := range p.Project.V2Jobs {
		image, ok := v2Image(j.Environment)
		_, gpu, known := v2Size(j.Size)
		if !ok || !known || gpu || !image.GPU {
			continue
		}
		p.report(j.Size.Location(fmt.Sprintf("machines of size %s have no GPU, but the job's image is made for one: use a size with a GPU, or a CPU image", j.Size.Text)),
			nil, j.Environment.Image.Location("this is a GPU image"))
	}
}

// v2CPUImage reports a job of v2 on GPU machines whose image has no CUDA, when
// its environment has a package that looks for CUDA there. Others bring their
// own, or need none.
func v2CPUImage(p *Pass) {
	for _, j := range p.Project.V2Jobs {
		image, ok := v2Image(j.Environment)
		vm, gpu, known := v2Size(j.Size)
		if !ok || !known || !gpu || image.GPU || j.Environment.Conda == nil || bringsCUDA(j.Environment.Conda) {
			continue
		}
		for _, pkg := range j.Environment.Conda.Packages {
			asked, ok := askedFor(pkg)
			if !ok || otherPlatform(pkg) || len(catalog.CUDANeeds(asked.name)) == 0 {
				continue
			}
			p.report(j.Environment.Image.Location(fmt.Sprintf(
				"%s is a CPU image, but the job runs on GPU machines (%s) and its %s looks for CUDA in the image: use a GPU image, or a package that includes CUDA",
				j.Environment.Image.Text, vm.Size, asked.text)), nil,
				j.Size.Location("machines with a GPU"), finding.Location{Source: j.Environment.Conda.File.Source, Span: pkg.Node.Span, Message: "it needs CUDA"})
			break
		}
	}
}

// v2Sizes returns the fields in which files of v2 name the size of machines,
// each once.
func v2Sizes(p *Pass) (sizes []schema.Field) {
	for _, c := range p.Project.V2Computes {
		sizes = append(sizes, c.Size)
	}
	for _, j := range p.Project.V2Jobs {
		if j.Size.File == j.File {
			sizes = append(sizes, j.Size)
		}
	}
	return sizes
}

// v2RetiredImages reports images of v2 whose base system nobody maintains any
// more. Those that only get no new builds, or whose system's support ends within a
// year, are noted. For Workbench and SDK v1 that goes without saying.
func v2RetiredImages(p *Pass) {
	for _, t := range v2Targets(p) {
		image, ok := imageOf(t)
		if !ok || image.Removed {
			continue
		}
		var what []string
		severity, asOf := finding.Info, p.Project.AsOf()
		if frozen := image.Status == "deprecated" || image.Status == "replaced"; frozen && catalog.PhaseOf(image.Since, asOf) >= catalog.Ended {
			what = append(what, "this image has had no new builds since "+image.Since)
		}
		switch phase := catalog.PhaseOf(image.Retired, asOf); {
		case phase >= catalog.Ended:
			severity = finding.Warning
			what = append(what, fmt.Sprintf("the operating system of this image, %s, has been out of standard support since %s", image.OS, image.Retired))
		case len(what) == 0 && phase == catalog.Ending:
			what = append(what, fmt.Sprintf("standard support of the operating system of this image, %s, ends in %s", image.OS, image.Retired))
		}
		if len(what) == 0 {
			continue
		}
		advice := "use an image with a later one"
		if image.Successor != "" {
			advice = "use " + image.Successor
		}
		p.reportAs(severity, t.Image.Location(strings.Join(what, ", and ")+": "+advice), nil)
	}
}
