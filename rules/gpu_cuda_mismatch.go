package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
)

var gpuCUDAMismatch = Rule{
	ID:       "gpu/cuda-mismatch",
	Severity: finding.Warning,
	Since:    "2026-11-20",
	Doc:      "A pip package needs a different CUDA or cuDNN version from the one in the base image.",
	Why: `The pip wheels of TensorFlow, MXNet, CuPy and ONNX Runtime load the CUDA libraries of the image, and each
release needs a particular version of them. With any other version the import fails ("libcublas.so.9.0: cannot open
shared object file"), or the job runs on the CPU. Without a pin, pip installs the newest release, which old images
cannot support. Conda packages include their own CUDA. In v2, on a machine that is known to have a GPU, a pinned package
that cannot load is an error, or a warning if PyTorch is installed too, because its wheels include CUDA libraries.`,
	Remedy: "With --unsafe, pins the package to the newest releases that work with the image. In v2, --gpu NAME makes TensorFlow install its own CUDA if the image may not have it.",
	Facts:  []string{"cuda_needs", "frameworks", "images", "repositories"},
	Bad:    gpuProject + "  - pip:\n    - tensorflow-gpu==1.8.0\n",
	Good:   gpuProject + "  - pip:\n    - tensorflow-gpu==1.4.1\n",
	Check: func(p *Pass) {
		for _, e := range p.Project.Installations() {
			askedTensorFlow(p, e)
			images := cudaImages(e)
			if len(images) == 0 || bringsCUDA(e) {
				continue
			}
			w := &cudaWorld{Environment: e, images: images, releases: map[string][]release{}}
			for _, pkg := range e.Packages {
				if p.full(e.File.Source) {
					break
				}
				checkCUDA(p, w, pkg)
			}
		}
	},
}

// askedTensorFlow reports TensorFlow in a v2 job for which the user asks for a GPU, if its image is not certain to
// contain the CUDA that TensorFlow loads.
func askedTensorFlow(p *Pass, e *schema.Environment) {
	if !e.OnlyV2() {
		return
	}
	jobs := e.UsedBy(func(t *schema.Target) bool { return t.Requested() && gpuContainer(t) })
	if len(jobs) == 0 {
		return
	}
	for _, pkg := range e.Packages {
		text, ok := withCUDA(e, pkg)
		if !ok || p.full(e.File.Source) {
			continue
		}
		at := itemAt(e, pkg.Node, fmt.Sprintf("%q loads CUDA from the image, which may not have the right version: use %q, which includes it", pkg.Node.Text(), text))
		fix := environmentFix(p, e, gpuSide, &at, fmt.Sprintf("use %q", text), pkg, text)
		p.report(at, fix, whyGPU(jobs)...)
	}
}

// cudaImage is a GPU image whose CUDA version is known, and its users.
type cudaImage struct {
	catalog.Image
	jobs []*schema.Job
}

// cudaImages returns the GPU images that an environment is installed into.
func cudaImages(e *schema.Environment) (images []cudaImage) {
	for _, j := range e.UsedBy(gpuContainer) {
		image, ok := imageOf(j.Target)
		if !ok || !image.GPU || image.CUDA == "" {
			continue
		}
		i := slices.IndexFunc(images, func(other cudaImage) bool { return other.Repo == image.Repo && other.Tag == image.Tag })
		if i < 0 {
			images = append(images, cudaImage{Image: image})
			i = len(images) - 1
		}
		images[i].jobs = append(images[i].jobs, j)
	}
	return images
}

// cudaWorld is an environment, the images it is installed into, and the releases of the packages looked up so far.
type cudaWorld struct {
	*schema.Environment
	images   []cudaImage
	releases map[string][]release
}

func checkCUDA(p *Pass, w *cudaWorld, pkg schema.Package) {
	asked, ok := askedFor(pkg)
	if !ok || otherPlatform(pkg) || len(w.released(asked.name)) == 0 {
		return
	}
	if _, cpu := gpuSwap(p.Project, w.Environment, pkg); cpu || asked.name == "tensorflow" && w.Lists("tensorflow-gpu") {
		return // a CPU build, or one of two builds: other rules report these
	}
	// pip takes the newest of the matching releases
	var taken *release
	for _, r := range w.released(asked.name) {
		if r.versions.Overlaps(asked.versions) {
			asked.open = taken != nil
			taken = &r
		}
	}
	if taken == nil {
		return
	}
	for _, image := range w.images {
		if loads, sure := taken.need.LoadsWith(image.CUDA, image.CUDNN); sure && !loads {
			reportCUDA(p, w, pkg, image, asked, taken.need)
			return
		}
	}
}

// asked is a pip package and its allowed versions.
type asked struct {
	name     string // normalised
	text     string // name and versions, for a message
	versions requirement.Constraint
	open     bool // the allowed releases have different needs
}

// askedFor returns what a pip requirement asks for, or false for other packages, for those with an extra that installs
// CUDA, and for those whose needs are not recorded, as for nearly all.
func askedFor(pkg schema.Package) (asked, bool) {
	r := pkg.Requirement
	if pkg.Err != nil || pkg.Manager != requirement.Pip || r.SingleEquals || slices.Contains(r.Extras, "and-cuda") {
		return asked{}, false
	}
	if r.Wheel != nil {
		if !catalog.HasCUDANeeds(r.Wheel.Key()) {
			return asked{}, false
		}
		versions, err := requirement.ParseConstraint(requirement.Pip, "=="+r.Wheel.Version)
		return asked{name: r.Wheel.Key(), text: r.Wheel.Dist + " " + r.Wheel.Version, versions: versions}, err == nil
	}
	if !catalog.HasCUDANeeds(r.Key) {
		return asked{}, false
	}
	versions, err := r.Versions()
	return asked{name: r.Key, text: r.Name + r.Constraint, versions: versions}, err == nil && r.Kind == requirement.Package
}

// bringsCUDA reports whether the environment installs CUDA libraries itself.
func bringsCUDA(e *schema.Environment) bool {
	return slices.ContainsFunc(e.Together(), schema.Package.HoldsCUDA)
}

// release is a range of a package's releases and what they need.
type release struct {
	need     catalog.CUDANeed
	versions requirement.Constraint
}

// released returns the releases of a package and what they need, oldest first, without those that the environment's
// interpreter cannot install.
func (w *cudaWorld) released(name string) []release {
	list, known := w.releases[name]
	if !known {
		all := catalog.AllWheels(name)
		var served []catalog.PythonWheels
		for _, wheels := range all {
			if pythonAmong(w.Environment, []string{wheels.Python}) {
				served = append(served, wheels)
			}
		}
		for _, need := range catalog.CUDANeeds(name) {
			versions, err := requirement.ParseConstraint(requirement.Pip, need.Versions)
			if err == nil && (len(all) == 0 || slices.ContainsFunc(served, func(p catalog.PythonWheels) bool { return hasOne(p, versions) })) {
				list = append(list, release{need, versions})
			}
		}
		w.releases[name] = list
	}
	return list
}

// pythonAmong reports whether the environment's interpreter, as far as it is known, is one of the minor versions.
func pythonAmong(e *schema.Environment, minors []string) bool {
	python, ok := e.Python()
	if !ok {
		return true
	}
	versions, err := python.Requirement.Versions()
	return err != nil || slices.ContainsFunc(minors, func(minor string) bool {
		family, err := requirement.ParseConstraint(requirement.Pip, "=="+minor+".*")
		return err == nil && versions.Overlaps(family)
	})
}

func reportCUDA(p *Pass, w *cudaWorld, pkg schema.Package, image cudaImage, a asked, need catalog.CUDANeed) {
	message := fmt.Sprintf("%q needs %s", a.text, libraries(need.CUDA, need.CUDNN))
	if a.open {
		message = fmt.Sprintf("%q lets pip choose the version, and the newest releases (%s) need %s",
			a.text, need.Versions, libraries(need.CUDA, need.CUDNN))
	}
	message += fmt.Sprintf(", but the image %s:%s contains %s", image.Repo, image.Tag, libraries(image.CUDA, image.CUDNN))
	var fix *finding.Fix
	pin, other := w.newestThatLoads(a), otherName(a.name, image)
	switch {
	case pin != "":
		message += fmt.Sprintf("; %s%s works with it", a.name, pin)
		if r := pkg.Requirement; r.Kind == requirement.Package && !w.Built() {
			if text, ok := r.Repinned(pin); ok {
				fix = setFix(w.File, pkg.Node, "pin it to "+pin, finding.Text(text), finding.Unsafe)
			} else {
				message += notRepaired(r.Bound())
			}
		}
	case other != "":
		message += fmt.Sprintf("; %q is made for it", other)
	default:
		message += "; use an image with the CUDA version that the package needs"
	}
	severity := finding.Warning
	if !a.open && certainlyV2(w.Environment, image.jobs) {
		severity = finding.Error
	}
	p.reportAs(severity, finding.Location{Source: w.File.Source, Span: pkg.Node.Span, Message: message}, fix, whyGPU(image.jobs)...)
}

// certainlyV2 reports whether a package in a v2 environment can find no CUDA but the image's: its jobs run on GPU
// machines, and the environment does not contain PyTorch, whose wheels bring CUDA libraries.
func certainlyV2(e *schema.Environment, jobs []*schema.Job) bool {
	return !slices.ContainsFunc(e.Packages, func(pkg schema.Package) bool { return pkg.Manager == requirement.Pip && pkg.Requirement.Key == "torch" }) &&
		!slices.ContainsFunc(jobs, func(j *schema.Job) bool {
			vm, known := j.Target.Machine()
			return j.Dialect != schema.V2 || !known || !vm.CUDA
		})
}

// libraries names the CUDA and cuDNN versions in words.
func libraries(cuda, cudnn string) string {
	if cudnn == "" {
		return "CUDA " + cuda
	}
	return "CUDA " + cuda + " and cuDNN " + cudnn
}

// newestThatLoads returns the clause that pins a package to its newest releases that load with all images of the
// environment, or "". A program for one major version rarely runs with the next, so those of its own go first.
func (w *cudaWorld) newestThatLoads(a asked) (newest string) {
	for _, candidate := range slices.Backward(w.released(a.name)) {
		if slices.ContainsFunc(w.images, func(image cudaImage) bool {
			loads, sure := candidate.need.LoadsWith(image.CUDA, image.CUDNN)
			return !loads || !sure
		}) {
			continue
		}
		major, _, _ := strings.Cut(candidate.need.Versions, ".")
		if same, err := requirement.ParseConstraint(requirement.Pip, major+".*"); err == nil && a.versions.Within(same) {
			return candidate.need.Versions
		}
		newest = cmp.Or(newest, candidate.need.Versions)
	}
	return newest
}

// otherName returns the package of the same family whose name has the image's CUDA version: mxnet-cu80 for mxnet-cu90,
// cupy-cuda80 for cupy-cuda90.
func otherName(name string, image cudaImage) string {
	stem := strings.TrimRight(name, "0123456789x")
	digits := strings.ReplaceAll(image.CUDA, ".", "")
	if !strings.HasSuffix(stem, "-cu") && !strings.HasSuffix(stem, "-cuda") {
		return ""
	}
	for _, candidate := range []string{stem + digits, stem + strings.SplitN(image.CUDA, ".", 2)[0] + "x"} {
		for _, need := range catalog.CUDANeeds(candidate) {
			if loads, sure := need.LoadsWith(image.CUDA, image.CUDNN); loads && sure && candidate != name {
				return candidate
			}
		}
	}
	return ""
}
