package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/reference"
	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/template"
)

// v2Asked checks the images of v2 jobs for which the user asks for a GPU, or for none.
func v2Asked(p *Pass) {
	seen := map[*document.Node]bool{}
	for _, j := range p.Project.Jobs {
		if j.Dialect != schema.V2 || !j.Target.Container() || !j.Target.Requested() && !j.Target.Declined() {
			continue
		}
		at := askedImage(j)
		if !at.Explicit && j.Target.Requested() {
			askedComponent(p, j)
		}
		if at.File == nil || at.File.Broken() || seen[at.Node] || p.full(at.File.Source) {
			continue
		}
		seen[at.Node] = true
		if j.Target.Requested() {
			askedGPUImage(p, j, at)
		} else {
			askedCPUImage(p, j, at)
		}
	}
}

// askedComponent reports a job whose component is not defined in the project, so that its environment stays unchanged.
func askedComponent(p *Pass, j *schema.Job) {
	at := schema.FieldAt(j.File, j.Node, "component")
	if !at.Explicit {
		at = schema.FieldAt(j.File, j.Node, "trial")
	}
	if j.Runs == nil && at.Explicit && at.Node.IsString() && reference.Parse(at.Text).Kind != reference.Path {
		p.reportAs(finding.Warning, at.Location("this component is not defined here, so its environment is not known and is not changed: make sure that it has CUDA, or run another component"), nil, j.Target.Evidence...)
	}
}

// askedImage returns the field that determines a v2 job's image: the image of its environment, the folder that it is
// built from, or the environment's name.
func askedImage(j *schema.Job) schema.Field {
	env := j.V2.Environment
	switch {
	case env == nil:
		return j.V2.EnvironmentName
	case env.Image.Explicit:
		return env.Image
	}
	return env.Build
}

// askedGPUImage checks the image of a job for which the user asks for a GPU.
func askedGPUImage(p *Pass, j *schema.Job, at schema.Field) {
	unsure := func(format string, args ...any) {
		p.reportAs(finding.Warning, at.Location(fmt.Sprintf(format, args...)), nil, j.Target.Evidence...)
	}
	switch {
	case !at.Explicit || !at.Node.IsString():
	case template.In(at.Text) || strings.Contains(at.Text, "${{"):
		unsure("a program fills this in before the file is used, so it is not changed: make sure that it fills in an environment with CUDA")
	case j.V2.Environment == nil:
		if e, ok := catalog.CuratedByName(at.Text); ok && !e.GPU {
			curatedForGPU(p, j, at, e)
		} else if kind := reference.Parse(at.Text).Kind; !ok && kind != reference.Path && kind != reference.None {
			unsure("this environment is not defined here, so its content is not known and it is not changed: check in the workspace or registry that it has CUDA, or use another environment")
		}
	case !j.V2.Environment.Image.Explicit:
		builtForGPU(p, j, unsure)
	default:
		if image, ok := imageOf(j.Target); ok && !image.GPU {
			cpuImageForGPU(p, j, at)
		}
	}
}

// builtForGPU checks the base image in the Dockerfile of a job for which the user asks for a GPU. Dockerfiles are not
// edited.
func builtForGPU(p *Pass, j *schema.Job, unsure func(format string, args ...any)) {
	base := j.Target.Base()
	image, known := imageOf(j.Target)
	switch {
	case known && image.GPU, base.Explicit && schema.IsGPUImage(base.Text):
	case known:
		p.report(base.Location(fmt.Sprintf("%s is a CPU image, but this is a GPU target, so the framework will not find any GPU libraries: use an image with CUDA, such as %s (amlfix does not change Dockerfiles)",
			base.Text, newestGPUImage())), nil, j.Target.Evidence...)
	default:
		unsure("this image is built by a Dockerfile, which amlfix does not change: make sure that its FROM line names an image with CUDA, such as %s", newestGPUImage())
	}
}

// newestGPUImage returns the GPU image that is the first choice as a replacement.
func newestGPUImage() string {
	for _, image := range gpuImages() {
		return image.Repo
	}
	return ""
}

// gpuImages returns the images that can replace the service's CPU image, best first.
func gpuImages() []catalog.Image {
	return catalog.GPUReplacements("mcr.microsoft.com/azureml/base", "latest")
}

// cpuImageForGPU reports a known CPU image of a job for which the user asks for a GPU.
func cpuImageForGPU(p *Pass, j *schema.Job, at schema.Field) {
	message := at.Text + " is a CPU image, but this is a GPU target, so the framework will not find any GPU libraries"
	fix, text := v2GPUImageFix(p, j.V2.Environment)
	need, hinders := hindering(p.shared.futureNeeds(p.Project, j.Environment))
	switch {
	case text == "" && hinders:
		message += fmt.Sprintf("; no image that is still built has the CUDA %s that %s%s needs: use a newer version of the package", need.CUDA, need.Package, need.Versions)
	case text == "":
		message += "; amlfix knows no GPU image of its kind: choose one"
	case fix == nil:
		message += fmt.Sprintf("; use %s (not repaired, because other jobs use the file too: give the GPU job an environment of its own)", text)
	default:
		message += "; use " + text + otherImages(at.Text, text)
	}
	p.report(at.Location(message), fix, j.Target.Evidence...)
}

// otherImages says which answers select other replacement images.
func otherImages(now, taken string) string {
	image, err := requirement.ParseImage(strings.TrimSpace(now))
	if err != nil {
		return ""
	}
	var words []string
	for _, i := range catalog.GPUReplacements(image.Name(), image.Tag) {
		if !strings.HasPrefix(taken, i.Repo) {
			words = append(words, "--choose "+choiceCUDA+"="+i.CUDA)
		}
	}
	if len(words) == 0 {
		return ""
	}
	return " (other images: " + strings.Join(words, ", ") + ")"
}

// v2GPUImageFix returns the fix that gives a v2 environment the image for its GPU jobs, and the image. fix is nil if
// the image is known but cannot be written; text is empty if no image is known.
func v2GPUImageFix(p *Pass, env *schema.V2Environment) (fix *finding.Fix, text string) {
	change, ok := gpuImageChange(p.Project, p.shared, env)
	if !ok {
		return nil, ""
	}
	return p.carried(env, gpuSide, "use "+change.Value.Text, change), change.Value.Text
}

// carried returns the fix that changes an environment's image for the jobs of one side. If the packages change too and
// other jobs use the environment, one fix does both.
func (p *Pass) carried(env *schema.V2Environment, to side, title string, change finding.Change) *finding.Fix {
	c := newCarrier(p.Project, p.shared, to)
	swapped := func() bool { return len(to.texts(p.Project, env.Conda)) > 0 } // packages too
	if c.shares(env) && env.Conda != nil && p.shared.swaps.of(divided{env.Conda, to.name}, swapped) {
		if fix := p.shared.division(p.Project, env.Conda, to).fix; fix != nil {
			return fix
		}
	}
	if c.environment(env, []finding.Change{change}); c.failed {
		return nil
	}
	if len(c.copies) > 0 {
		title = "give the " + to.name + " job an environment of its own"
	}
	return &finding.Fix{Title: title, Applicability: finding.Safe, Changes: c.changes, Notice: c.notice()}
}

// gpuImageChange returns the change that replaces an environment's CPU image with a GPU image.
func gpuImageChange(project *schema.Project, s *shared, env *schema.V2Environment) (finding.Change, bool) {
	return imageChange(env, func(now requirement.Image) (catalog.Image, bool) { return gpuImageFor(project, s, env.Conda, now) })
}

// cpuImageChange returns the change that replaces an environment's GPU image with a CPU image.
func cpuImageChange(_ *schema.Project, _ *shared, env *schema.V2Environment) (finding.Change, bool) {
	return imageChange(env, func(now requirement.Image) (catalog.Image, bool) { return catalog.CPUReplacement(now.Name(), now.Tag) })
}

// imageChange returns the change that replaces an environment's image with the one that instead returns.
func imageChange(env *schema.V2Environment, instead func(requirement.Image) (catalog.Image, bool)) (change finding.Change, ok bool) {
	image, err := requirement.ParseImage(strings.TrimSpace(env.Image.Text))
	if err != nil || image.Digest != "" || !env.Image.Explicit || !env.Image.Node.IsString() {
		return change, false
	}
	found, ok := instead(image)
	if !ok {
		return change, false
	}
	text := found.Repo
	if image.Tag != "" {
		text += ":" + found.Tag
	}
	return env.Image.Set(finding.Text(text))
}

// gpuImageFor returns the image that replaces a CPU image: the one that the user chose, or else the first whose CUDA
// the environment's packages can load.
func gpuImageFor(project *schema.Project, s *shared, e *schema.Environment, cpu requirement.Image) (catalog.Image, bool) {
	list := catalog.GPUReplacements(cpu.Name(), cpu.Tag)
	if i := slices.IndexFunc(list, func(i catalog.Image) bool { return i.CUDA == project.Choice(choiceCUDA) }); i >= 0 {
		return list[i], true
	}
	needs := s.futureNeeds(project, e)
	i := slices.IndexFunc(list, func(i catalog.Image) bool {
		return !slices.ContainsFunc(needs, func(n catalog.CUDANeed) bool { return n.Fails(i) })
	})
	if i < 0 {
		return catalog.Image{}, false
	}
	return list[i], true
}

// futureNeeds returns what an environment's packages load from the image once they are replaced with GPU builds.
func (s *shared) futureNeeds(project *schema.Project, e *schema.Environment) []catalog.CUDANeed {
	if e == nil {
		return nil
	}
	return s.needs.of(e, func() (needs []catalog.CUDANeed) {
		if bringsCUDA(e) {
			return nil
		}
		w := &cudaWorld{Environment: e, releases: map[string][]release{}}
		texts := gpuTexts(project, e)
		for i, pkg := range e.Packages {
			if text, ok := texts[i]; ok && pkg.Manager == requirement.Pip {
				r, err := requirement.ParsePip(text)
				pkg.Requirement, pkg.Err = &r, err
			}
			if need, ok := w.loaded(pkg); ok && !otherPlatform(pkg) {
				needs = append(needs, need)
			}
		}
		return needs
	})
}

// loaded returns what the newest release that an item allows loads from the image.
func (w *cudaWorld) loaded(pkg schema.Package) (need catalog.CUDANeed, ok bool) {
	asked, ok := askedFor(pkg)
	if !ok {
		return need, false
	}
	ok = false
	for _, r := range w.released(asked.name) {
		if r.versions.Overlaps(asked.versions) {
			need, ok = r.need, true
		}
	}
	return need, ok
}

// hindering returns the first need that none of the replacement GPU images meets.
func hindering(needs []catalog.CUDANeed) (catalog.CUDANeed, bool) {
	i := slices.IndexFunc(needs, func(need catalog.CUDANeed) bool {
		return !slices.ContainsFunc(gpuImages(), func(i catalog.Image) bool { return !need.Fails(i) })
	})
	if i < 0 {
		return catalog.CUDANeed{}, false
	}
	return needs[i], true
}

// askedCPUImage reports the GPU image of a job that the user wants to run without a GPU, if there is a CPU image of its
// kind. Other GPU images also work there, but are large.
func askedCPUImage(p *Pass, j *schema.Job, at schema.Field) {
	env := j.V2.Environment
	if env == nil || !env.Image.Explicit || !at.Node.IsString() {
		return
	}
	change, ok := cpuImageChange(p.Project, p.shared, env)
	if !ok {
		return
	}
	text := change.Value.Text
	p.report(at.Location(fmt.Sprintf("%s is a GPU image, but --cpu or the settings declare the job to be a CPU job: use %s", at.Text, text)),
		p.carried(env, cpuSide, "use "+text, change))
}
