package rules

import (
	"path"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
)

// side is what the environments of some targets should be for: GPUs or the CPU.
type side struct {
	name   string // in messages
	suffix string // of the name of a conda file written for it
	// on selects the targets whose jobs get this side's packages; against selects those that need the packages as they
	// are. A file that a job on a target of spoils uses is not reused for this side.
	on              func(*schema.Target) bool
	against, spoils need
	// texts returns the new texts of the packages to replace, by their index in the environment.
	texts func(*schema.Project, *schema.Environment) map[int]string
	// image returns the change that gives a v2 environment an image for this side.
	image func(*schema.Project, *shared, *schema.V2Environment) (finding.Change, bool)
	// suits reports whether a conda file's name suggests this side, or at least does not contradict it.
	suits func(base string) bool
}

// need is something that targets need and a repair for others could take away.
type need int

const (
	noGPU      need = iota // or no certain GPU
	noGPUImage             // certainly
	someGPU
)

var needs = []func(*schema.Target) bool{
	noGPU:      func(t *schema.Target) bool { return !t.GPU() },
	noGPUImage: cpuContainer,
	someGPU:    (*schema.Target).GPU,
}

// by returns the jobs with an environment that have a need.
func (n need) by(e *schema.Environment) []*schema.Job { return e.UsedBy(needs[n]) }

// elsewhere returns the run configuration of such a job in another project, or the file of such a v2 environment, or
// "".
func (n need) elsewhere(p *schema.Project, e *schema.Environment) string {
	return p.UsedElsewhere(e, int(n))
}

// NewSharing returns what the projects of one call must know about each other; roots and seen are those of
// schema.NewSharing.
func NewSharing(roots []schema.Root, seen []string) *schema.Sharing {
	return schema.NewSharing(roots, seen, needs)
}

var gpuSide = side{name: "GPU", suffix: "_gpu", on: gpuContainer, texts: gpuTexts, image: gpuImageChange,
	against: noGPU,
	spoils:  noGPUImage, // it does not matter that a target is not certainly a GPU target
	suits:   func(base string) bool { return strings.Contains(base, "gpu") },
}

var cpuSide = side{name: "CPU", suffix: "_cpu", texts: cpuTexts, image: cpuImageChange,
	on:      func(t *schema.Target) bool { return t.Declined() && cpuContainer(t) },
	against: someGPU,
	spoils:  someGPU,
	suits:   func(base string) bool { return !strings.Contains(base, "gpu") },
}

// gpuTexts returns what replaces the CPU builds of an environment on GPU targets.
func gpuTexts(project *schema.Project, e *schema.Environment) map[int]string {
	texts := openIndexes(e)
	for i, pkg := range e.Packages {
		if s, ok := gpuSwap(project, e, pkg); ok && s.text != "" {
			texts[i] = s.text
			indexes(e, pkg, s.text, texts)
		} else if text, ok := withCUDA(e, pkg); ok {
			texts[i] = text
		}
		if wheel, ok := knownWheel(pkg); ok && wheel.Flavour == catalog.FlavourCPU {
			if gpu, ok := gpuWheel(project, e, wheel); ok && !gpu.undecided {
				if text, free := atWheel(*pkg.Requirement, gpu.Wheel); free {
					texts[i] = text
				}
			}
		}
	}
	return texts
}

// cpuTexts returns what replaces the GPU builds of an environment on CPU targets.
func cpuTexts(_ *schema.Project, e *schema.Environment) map[int]string {
	texts := map[int]string{}
	for i, pkg := range e.Packages {
		if b, ok := isGPUBuild(e, pkg); ok && b.text != "" {
			texts[i] = b.text
		}
	}
	return texts
}

// copyOf returns the path of the conda file that is created for this side next to another: next to "x_gpu.yml" that is
// "x.yml", unless it exists.
func (s side) copyOf(project *schema.Project, rel string) string {
	ext := path.Ext(rel)
	stem := strings.TrimSuffix(rel, ext)
	if plain, ok := strings.CutSuffix(stem, gpuSide.suffix); ok && s.suffix != gpuSide.suffix && !project.Exists(plain+ext) {
		return plain + ext
	}
	return stem + s.suffix + ext
}
