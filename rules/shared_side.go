package rules

import (
	"path"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
)

// side is what the environments of some targets are to be: for GPUs, or without.
type side struct {
	name   string // in messages
	suffix string // of the name of a conda file written for it
	// on selects the jobs that get the packages of this side; against those that
	// need the packages as they are. A file that a job on a target of spoils uses
	// is not taken for this side.
	on              func(*schema.Target) bool
	against, spoils need
	// texts are the new texts of the packages that are to be replaced, by their
	// index in the environment.
	texts func(*schema.Project, *schema.Environment) map[int]string
	// image is the change that gives an environment of v2 an image of this side.
	image func(*schema.Project, *shared, *schema.V2Environment) (finding.Change, bool)
	// suits reports whether a conda file's name speaks for this side, or at least
	// not against it.
	suits func(base string) bool
}

// need is what targets need that a repair for others could take from them.
type need int

const (
	noGPU      need = iota // or none that is sure
	noGPUImage             // surely
	someGPU
)

var needs = []func(*schema.Target) bool{
	noGPU:      func(t *schema.Target) bool { return !t.GPU() },
	noGPUImage: cpuContainer,
	someGPU:    (*schema.Target).GPU,
}

// by returns the jobs with an environment that have a need.
func (n need) by(e *schema.Environment) []*schema.Job { return e.UsedBy(needs[n]) }

// elsewhere returns the run configuration of such a job of another project, or the
// file of such an environment of v2, or "".
func (n need) elsewhere(p *schema.Project, e *schema.Environment) string {
	return p.UsedElsewhere(e, int(n))
}

// NewSharing returns what the projects of one call must know of each other; see
// schema.NewSharing.
func NewSharing(roots []schema.Root, seen []string) *schema.Sharing {
	return schema.NewSharing(roots, seen, needs)
}

var gpuSide = side{name: "GPU", suffix: "_gpu", on: gpuContainer, texts: gpuTexts, image: gpuImageChange,
	against: noGPU,
	spoils:  noGPUImage, // that a target is not surely a GPU target is no reason
	suits:   func(base string) bool { return strings.Contains(base, "gpu") },
}

var cpuSide = side{name: "CPU", suffix: "_cpu", texts: cpuTexts, image: cpuImageChange,
	on:      func(t *schema.Target) bool { return t.Declined() && cpuContainer(t) },
	against: someGPU,
	spoils:  someGPU,
	suits:   func(base string) bool { return !strings.Contains(base, "gpu") },
}

// gpuTexts returns what the CPU builds of an environment become on GPU targets.
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

// cpuTexts returns what the GPU builds of an environment become on CPU targets.
func cpuTexts(_ *schema.Project, e *schema.Environment) map[int]string {
	texts := map[int]string{}
	for i, pkg := range e.Packages {
		if b, ok := isGPUBuild(e, pkg); ok && b.text != "" {
			texts[i] = b.text
		}
	}
	return texts
}

// copyOf returns the path of the conda file that is written for this side beside
// another: beside "x_gpu.yml" that is "x.yml", if there is none yet.
func (s side) copyOf(project *schema.Project, rel string) string {
	ext := path.Ext(rel)
	stem := strings.TrimSuffix(rel, ext)
	if plain, ok := strings.CutSuffix(stem, gpuSide.suffix); ok && s.suffix != gpuSide.suffix && !project.Exists(plain+ext) {
		return plain + ext
	}
	return stem + s.suffix + ext
}
