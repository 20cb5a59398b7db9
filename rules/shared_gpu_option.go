package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/requirement"
)

// option is one of several GPU builds, with the answer that selects it.
type option struct {
	finding.Answer
	text  string        // the item that installs it
	build catalog.Build // PyTorch's build for that CUDA; empty for other packages
	plain bool          // pip installs it by default
	conda bool          // it is a conda package
	sure  bool          // an extra installs CUDA, so that nothing else matters
}

// options returns the GPU builds that a row of the catalog offers for a requirement, if a name, a version label or one
// package is enough to select them.
func options(e *schema.Environment, r requirement.Requirement, row *catalog.PackageVariant) []option {
	renamed, ok := r.Renamed(row.GPU)
	switch cuda := cudaOf(row.GPU); {
	case !ok:
		return nil // a hash or a build string matches only the CPU build
	case row.Local != "":
		return labelled(e, r)
	case row.CPU == "cpuonly":
		return cudaPackages(e, row)
	case !row.KeepVersion && strings.TrimSpace(r.Constraint) != "":
		return nil // the right version of the other package is not known
	case strings.Contains(row.Condition, "also needs"):
		return nil // replacing one package is not enough
	case strings.Contains(row.GPU, "[") && len(r.Extras) > 0:
		return nil
	case cuda != "":
		return []option{{Answer: choose(choiceCUDA, cuda, fmt.Sprintf("use %q", row.GPU)), text: renamed, sure: strings.Contains(row.GPU, "[")}}
	default:
		return []option{{Answer: choose(row.CPU, row.GPU, fmt.Sprintf("use %q", row.GPU)), text: renamed, sure: strings.Contains(row.GPU, "[")}}
	}
}

// labelled returns the builds of a PyTorch version that has the label "+cpu": one with the label of each CUDA version,
// and no label for the default build. The packages around torch follow torch's version.
func labelled(e *schema.Environment, r requirement.Requirement) (list []option) {
	pin, pinned := r.Pin()
	build, known := torchBuild(e, requirement.Pip)
	if !pinned || !known {
		return nil
	}
	label := "+" + pin.Local()
	for _, cuda := range build.CUDAs {
		to := "+cu" + strings.ReplaceAll(cuda, ".", "")
		if cuda == build.CUDA {
			to = ""
		}
		text := strings.Replace(r.Raw, label, to, 1)
		list = append(list, option{Answer: choose(choiceCUDA, cuda, fmt.Sprintf("use %q", text)), text: text, build: withCUDAVersion(build, cuda), plain: to == ""})
	}
	return list
}

// withCUDAVersion returns the variant of a build for another CUDA.
func withCUDAVersion(b catalog.Build, cuda string) catalog.Build {
	b.CUDA = cuda
	return b
}

// cudaPackages returns the packages that can replace cpuonly: the CUDA libraries in the versions that the environment's
// PyTorch was built for.
func cudaPackages(e *schema.Environment, row *catalog.PackageVariant) (list []option) {
	build, known := torchBuild(e, requirement.Conda)
	if !known && e.OnlyV2() {
		build, known = newestCondaTorch(e)
	}
	if !known || build.CondaSelector != row.GPU {
		return nil
	}
	for _, cuda := range build.CUDAs {
		text := row.GPU + "=" + cuda
		list = append(list, option{Answer: choose(choiceCUDA, cuda, fmt.Sprintf("use %q", text)), text: text, build: withCUDAVersion(build, cuda), conda: true})
	}
	return list
}

// newestCondaTorch returns the newest PyTorch whose CUDA a package selects, for an environment that lists PyTorch
// without a version.
func newestCondaTorch(e *schema.Environment) (newest catalog.Build, ok bool) {
	if !slices.ContainsFunc(e.Packages, func(pkg schema.Package) bool {
		return pkg.Err == nil && pkg.Manager == requirement.Conda && pkg.Requirement.Key == "pytorch" && strings.TrimSpace(pkg.Requirement.Constraint) == ""
	}) {
		return newest, false
	}
	for _, b := range catalog.FrameworkBuilds("torch") {
		if b.CondaSelector != "" && pythonAmong(e, b.Pythons) {
			newest, ok = b, true
		}
	}
	return newest, ok
}

// forgeFirst reports whether conda searches conda-forge before PyTorch's channel, whose CUDA packages have no effect on
// conda-forge's builds.
func forgeFirst(e *schema.Environment) bool {
	for _, item := range e.Node.Get("channels").List() {
		switch requirement.ChannelName(item.Text()) {
		case "pytorch":
			return false
		case "conda-forge":
			return true
		}
	}
	return false
}

// torchBuild returns what is known about the PyTorch version that an environment pins with a package manager.
func torchBuild(e *schema.Environment, manager requirement.Manager) (catalog.Build, bool) {
	for _, pkg := range e.Packages {
		if pkg.Err != nil || pkg.Manager != manager || pkg.Requirement.Key != "torch" && pkg.Requirement.Key != "pytorch" {
			continue
		}
		if pin, ok := pkg.Requirement.Pin(); ok {
			public, _, _ := strings.Cut(pin.String(), "+")
			return catalog.FrameworkBuild("torch", public)
		}
	}
	return catalog.Build{}, false
}

var cudaName = plain.Regexp{Text: `cu(?:da)?(\d+)(?:\.(\d))?`}

// cudaOf returns the CUDA version in the name of a GPU build, or "": 9.0 in mxnet-cu90 and caffe2-cuda9.0-cudnn7, 12 in
// jax[cuda12].
func cudaOf(name string) string {
	m := cudaName.Get().FindStringSubmatch(name)
	switch {
	case m == nil:
		return ""
	case m[2] != "":
		return m[1] + "." + m[2]
	case len(m[1]) > 1 && m[1][0] != '1' || len(m[1]) > 2:
		return m[1][:len(m[1])-1] + "." + m[1][len(m[1])-1:]
	}
	return m[1]
}

// fittingFirst sorts answers by CUDA version, moves the one that fits the image, or its GPU replacement, to the front,
// and says so in its title.
func fittingFirst(e *schema.Environment, answers []finding.Answer) []finding.Answer {
	if len(answers) == 0 {
		return nil
	}
	plain.SortFunc(answers, func(a, b finding.Answer) int {
		v, err1 := requirement.ParseVersion(a.Value)
		w, err2 := requirement.ParseVersion(b.Value)
		if a.Key != b.Key || err1 != nil || err2 != nil {
			return 0
		}
		return v.Compare(w)
	})
	for _, t := range e.Targets() {
		if !gpuContainer(t) {
			continue
		}
		image, _ := imageOf(t)
		if twin, ok := catalog.GPUTwin(image.Repo, image.Tag); ok {
			image = twin
		}
		i := slices.IndexFunc(answers, func(a finding.Answer) bool { return a.Key == choiceCUDA && a.Value == image.CUDA })
		if i >= 0 {
			fitting := answers[i]
			fitting.Title += ", since the image has that CUDA"
			return slices.Concat([]finding.Answer{fitting}, answers[:i], answers[i+1:])
		}
	}
	return answers
}
