package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
)

var gpuBaseImage = Rule{
	ID:       "gpu/base-image",
	Severity: finding.Error,
	Since:    "2026-11-20",
	Doc:      "A GPU target uses a base image without GPU libraries.",
	Why: `A CPU image contains neither CUDA nor cuDNN. With nvidiaDocker the container sees the GPU, but the framework
cannot load its GPU libraries: it stops with an import error, or quietly runs on the CPU.`,
	Remedy: "Writes the GPU image of the same version, if one was published. If there is one for each of several CUDA versions, --choose cuda=VERSION selects it. --cpu NAME does the reverse and writes a CPU image in place of a GPU image. In v2, --gpu NAME writes an image that is still built and has the CUDA that the packages load, or a curated environment with CUDA (if several are possible, --choose curated=ENVIRONMENT selects one). Files that other jobs also use, from the conda file to the component, are copied for the GPU job. The image of an environment that several SDK v1 jobs share, and a curated environment of another framework, are written only with --unsafe.",
	Facts:  []string{"images", "repositories", "curated", "vm_sizes", "cuda_needs", "package_variants"},
	Bad: `
-- aml_config/vm.compute --
type: remotedocker
address: vm.example.com
username: me
baseDockerImage: microsoft/mmlspark:plus-0.9.9
nvidiaDocker: true
`,
	Good: `
-- aml_config/vm.compute --
type: remotedocker
address: vm.example.com
username: me
baseDockerImage: microsoft/mmlspark:plus-gpu-0.9.9
nvidiaDocker: true
`,
	Check: func(p *Pass) {
		for _, t := range p.Project.Targets {
			switch {
			case t.Declined():
				checkLeftoverImage(p, t)
			case gpuContainer(t):
				checkBaseImage(p, t)
			}
		}
		v2CPUImage(p)
		curatedOnGPU(p)
		v2Asked(p)
	},
}

func checkBaseImage(p *Pass, t *schema.Target) {
	if !t.Base().Explicit {
		if t.File.Kind == schema.Compute && t.Image.Node.IsNull() && !t.Image.File.Broken() && !misspelt(t.Image, "baseDockerImage") {
			p.report(t.Image.Location("this GPU target names no base image, and the default image has no GPU libraries: set baseDockerImage to a microsoft/mmlspark:plus-gpu image"),
				nil, t.Evidence...)
		}
		return
	}
	known, ok := imageOf(t)
	if !ok || known.GPU || needsNoCUDA(t) {
		return
	}
	related := t.Evidence
	byPackage := t.Dialect == schema.SDKv1 && t.GPUSwitch.Bool && len(t.Evidence) == 1
	if byPackage {
		if at, ok := t.GPUPackage(); ok {
			related = append(slices.Clone(related), at)
		}
	}
	message := t.Base().Text + " is a CPU image, but this is a GPU target, so the framework will not find any GPU libraries"
	fix, twin := gpuImageFix(p, t)
	switch {
	case twin != "":
		message += fmt.Sprintf("; use %s, the GPU image of the same version", twin)
	case fix != nil:
		message += "; use the GPU image with the CUDA version that the packages need"
	default:
		message += "; no GPU image of that version is known: use one of another version"
	}
	if byPackage && (fix == nil || fix.Applicability == finding.Choice) {
		if fix == nil {
			fix = &finding.Fix{Title: fmt.Sprintf("make %q a CPU target, or use a GPU image", t.Name), Applicability: finding.Choice}
		}
		fix.Answers = append(fix.Answers, finding.Answer{Flag: finding.AnswerCPU, Value: t.Name, Title: fmt.Sprintf("keep %q a CPU target", t.Name)})
	}
	if fromDockerfile(t.Base()) {
		fix = nil // nothing is written into a Dockerfile
	}
	p.report(t.Base().Location(message), fix, related...)
}

// needsNoCUDA reports whether all jobs of an SDK v1 target with GPUs bring their own CUDA. Such an image needs no GPU
// libraries, unless the file itself asks for a container with them.
func needsNoCUDA(t *schema.Target) bool {
	if t.Dialect != schema.SDKv1 || t.GPUSwitch.Bool || t.Requested() || len(t.Jobs) == 0 {
		return false
	}
	return !slices.ContainsFunc(t.Jobs, func(j *schema.Job) bool {
		e := j.Installs()
		return e == nil || e.File.Broken() || t.UserManaged.Bool || !slices.ContainsFunc(e.Packages, ownCUDA) ||
			!bringsCUDA(e) && slices.ContainsFunc(e.Packages, func(pkg schema.Package) bool {
				_, ok := askedFor(pkg)
				return ok
			})
	})
}

// ownCUDA reports whether a package includes CUDA or is part of it. PyTorch's wheels never use the image's CUDA,
// whatever they are built for.
func ownCUDA(pkg schema.Package) bool {
	r := pkg.Requirement
	switch {
	case pkg.Err != nil:
		return false
	case pkg.Manager == requirement.Pip && r.Key == "torch":
		return true
	}
	return pkg.HoldsCUDA() || r.Flavour().Kind == requirement.GPU || slices.Contains(r.Extras, "and-cuda") || slices.ContainsFunc(r.Extras, func(extra string) bool { return strings.HasPrefix(extra, "cuda") })
}

// gpuImageFix returns the fix that replaces a target's CPU image with twin, its GPU image. If several CUDA versions
// compete, the user has to choose and twin is "", as it is if there is none.
func gpuImageFix(p *Pass, t *schema.Target) (fix *finding.Fix, twin string) {
	image, err := requirement.ParseImage(strings.TrimSpace(t.Base().Text))
	if err != nil {
		return nil, ""
	}
	if found, ok := catalog.GPUTwin(image.Name(), image.Tag); ok {
		return imageFix(t, twinText(image, found)), twinText(image, found)
	}
	fix = &finding.Fix{Title: "choose the CUDA version of the GPU image", Applicability: finding.Choice}
	for _, candidate := range catalog.GPUCandidates(image.Name(), image.Tag) {
		if candidate.CUDA == "" || slices.ContainsFunc(fix.Answers, func(a finding.Answer) bool { return a.Value == candidate.CUDA }) {
			continue // the first image with a CUDA version is the vendor's default
		}
		if p.Project.Choice(choiceCUDA) == candidate.CUDA {
			return imageFix(t, twinText(image, candidate)), twinText(image, candidate)
		}
		fix.Answers = append(fix.Answers, finding.Answer{Flag: finding.AnswerChoose, Key: choiceCUDA, Value: candidate.CUDA, Title: "use " + twinText(image, candidate)})
	}
	if len(fix.Answers) == 0 {
		return nil, ""
	}
	return fix, ""
}

// checkLeftoverImage reports the GPU image of a target that the user turns into a CPU target.
func checkLeftoverImage(p *Pass, t *schema.Target) {
	if !t.Contained() || !t.Image.Explicit || builtImage(t) || !schema.IsGPUImage(t.Image.Text) {
		return
	}
	message := t.Image.Text + " is a GPU image, but " + declined(t) + ": name a CPU image"
	var fix *finding.Fix
	if image, err := requirement.ParseImage(strings.TrimSpace(t.Image.Text)); err == nil {
		if twin, ok := catalog.CPUTwin(image.Name(), image.Tag); ok {
			fix = imageFix(t, twinText(image, twin))
			message += ", such as " + twinText(image, twin)
		}
	}
	p.report(t.Image.Location(message), fix)
}

// declined says what makes a target a CPU target.
func declined(t *schema.Target) string {
	return t.Name + " is a CPU target according to --cpu or the settings"
}

// imageFix returns the fix that changes a target's image. It is not safe if SDK v1 jobs share the image through an
// environment file, because it then changes for all of them.
func imageFix(t *schema.Target, text string) *finding.Fix {
	how := finding.Safe
	if t.Image.File != t.File {
		how = finding.Unsafe
	}
	return t.Image.Fix(finding.Text(text), how, "use "+text)
}

// twinText returns the reference that replaces image with twin. If both are tags of one repository, it keeps the
// author's spelling of the name.
func twinText(image requirement.Image, twin catalog.Image) string {
	if own, ok := catalog.LookupImage(image.Name(), image.Tag); ok && own.Repo == twin.Repo {
		return withTag(image, twin.Tag)
	}
	return twin.Repo + ":" + twin.Tag
}

// withTag returns an image reference with another tag.
func withTag(image requirement.Image, tag string) string { return image.Written() + ":" + tag }
