package rules

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/requirement"
)

// suited returns the GPU build for the machines of an environment that only v2 jobs use: the only one, if an extra
// installs its CUDA, or the newest PyTorch build that runs on the GPUs, as far as they are known. Unlike in older
// dialects, the image does not matter.
func suited(e *schema.Environment, offered []option) (option, bool) {
	if !e.OnlyV2() || len(offered) == 0 || !slices.ContainsFunc(e.Targets(), surelyGPU) {
		return option{}, false
	}
	if len(offered) == 1 && offered[0].sure {
		return offered[0], true
	}
	for _, o := range slices.Backward(offered) {
		if o.build.Package == "" || o.conda && forgeFirst(e) {
			return option{}, false
		}
		if o.plain && runsEverywhere(e, o.build) {
			return o, true // what pip installs without a label, from PyPI
		}
	}
	for _, o := range slices.Backward(offered) {
		if runsEverywhere(e, o.build) {
			return o, true
		}
	}
	return option{}, false
}

// surelyGPU reports whether more than its image shows that a target has a GPU.
func surelyGPU(t *schema.Target) bool { return gpuContainer(t) && !t.Suspected() }

// runsEverywhere reports whether a build can run on all GPUs that an environment's jobs are known to use.
func runsEverywhere(e *schema.Environment, b catalog.Build) bool {
	return !slices.ContainsFunc(e.Targets(), func(t *schema.Target) bool {
		vm, _ := catalog.VMSize(t.VMSize.Text)
		return gpuContainer(t) && t.VMSize.Explicit && vm.Capability != "" && b.Runs(vm.Capability) == catalog.ReachNone
	})
}

// others says which builds other answers select.
func others(taken option, offered []option) string {
	var words []string
	for _, o := range offered {
		if o.text != taken.text {
			words = append(words, "--choose "+o.Argument())
		}
	}
	if len(words) == 0 {
		return ""
	}
	return " (other builds: " + strings.Join(words, ", ") + ")"
}

// unserved returns why a v2 GPU job could not load a package: its image, or every replacement of a CPU image, lacks the
// CUDA that the package needs. It returns "" if the job could.
func unserved(e *schema.Environment, text string) string {
	r, err := requirement.ParsePip(text)
	if !e.OnlyV2() || err != nil || bringsCUDA(e) {
		return ""
	}
	w := &cudaWorld{Environment: e, releases: map[string][]release{}}
	need, ok := w.loaded(schema.Package{Manager: requirement.Pip, Requirement: &r})
	if !ok {
		return ""
	}
	for _, t := range e.Targets() {
		image, known := imageOf(t)
		if !gpuContainer(t) || !known {
			continue
		}
		images, why := []catalog.Image{image}, "the image does not have the CUDA version that it needs"
		if !image.GPU {
			images, why = catalog.GPUReplacements(image.Repo, image.Tag), "no image that is still built has the CUDA version that it needs"
		}
		if !slices.ContainsFunc(images, func(i catalog.Image) bool { return !need.Fails(i) }) {
			return why
		}
	}
	return ""
}

// withCUDA returns the item that installs TensorFlow together with its CUDA, if the image of a v2 job for which the
// user asks for a GPU is not certain to contain it.
func withCUDA(e *schema.Environment, pkg schema.Package) (text string, ok bool) {
	r := pkg.Requirement
	if pkg.Err != nil || !e.OnlyV2() || pkg.Manager != requirement.Pip || r.Key != "tensorflow" || r.Kind != requirement.Package || r.SingleEquals ||
		len(r.Extras) > 0 || r.Bound() != "" || bringsCUDA(e) || otherPlatform(pkg) {
		return "", false
	}
	rows := catalog.CPUVariants(catalog.Pip, r.Key)
	i := slices.IndexFunc(rows, func(row *catalog.PackageVariant) bool {
		bare, _, extra := strings.Cut(row.GPU, "[")
		if !extra || bare != row.CPU {
			return false
		}
		if strings.TrimSpace(r.Constraint) == "" {
			return pythonFits(e, row)
		}
		return holds(e, *r, row)
	})
	if i < 0 || servedByImages(e, pkg) {
		return "", false
	}
	return r.Renamed(rows[i].GPU)
}

// servedByImages reports whether no GPU job of an environment is known to need CUDA that its image may not have.
func servedByImages(e *schema.Environment, pkg schema.Package) bool {
	w := &cudaWorld{Environment: e, releases: map[string][]release{}}
	need, ok := w.loaded(pkg)
	return !ok || !slices.ContainsFunc(e.Targets(), func(t *schema.Target) bool {
		image, known := imageOf(t)
		if !gpuContainer(t) || t.Dialect != schema.V2 || !known {
			return false
		}
		if !image.GPU {
			return true
		}
		loads, _ := need.LoadsWith(image.CUDA, image.CUDNN)
		return t.Requested() && !loads
	})
}

var cpuIndex = plain.Regexp{Text: `(download\.pytorch\.org/whl/)cpu(/?)(\s|$)`}

// indexes adds to texts the changes of pip options that name PyTorch's index of CPU builds: pip takes a build from
// there even if the label is removed.
func indexes(e *schema.Environment, pkg schema.Package, text string, texts map[int]string) {
	if pkg.Manager != requirement.Pip || !strings.HasPrefix(pkg.Requirement.Key, "torch") {
		return
	}
	label := ""
	if r, err := requirement.ParsePip(text); err == nil {
		label = labelOf(e, r)
	}
	if label == "" || len(e.Options()) > mostOptions {
		return
	}
	for _, i := range e.Options() {
		option := e.Packages[i].Requirement
		if to := cpuIndex.Get().ReplaceAllString(option.Raw, "${1}"+label+"${2}${3}"); to != option.Raw {
			texts[i] = to
		}
	}
}

// mostOptions is the maximum number of pip options that change with a package; real files have fewer.
const mostOptions = 20

// openIndexes returns the new texts of such options in a v2 environment that lists PyTorch without a label: pip
// considers that index's builds higher versions.
func openIndexes(e *schema.Environment) map[int]string {
	texts := map[int]string{}
	if !e.OnlyV2() {
		return texts
	}
	for _, i := range e.Options() {
		pkg := e.Packages[i]
		if pkg.Manager != requirement.Pip || !cpuIndex.Get().MatchString(pkg.Requirement.Raw) || len(e.Options()) > mostOptions {
			continue
		}
		build, ok := torchBuild(e, requirement.Pip)
		for _, b := range catalog.FrameworkBuilds("torch") {
			if !ok && pythonAmong(e, b.Pythons) {
				build = b
			}
		}
		if e.Lists("torch") && build.CUDA != "" && runsEverywhere(e, build) {
			texts[i] = cpuIndex.Get().ReplaceAllString(pkg.Requirement.Raw, "${1}cu"+strings.ReplaceAll(build.CUDA, ".", "")+"${2}${3}")
		}
	}
	return texts
}

// labelOf returns the CUDA label that a PyTorch package should have, such as "cu121": its own, or the label of the
// default build.
func labelOf(e *schema.Environment, r requirement.Requirement) string {
	if _, err := r.Versions(); err != nil {
		return ""
	}
	if pin, ok := r.Pin(); ok && strings.HasPrefix(pin.Local(), "cu") {
		return pin.Local()
	}
	if build, ok := torchBuild(e, requirement.Pip); ok && build.CUDA != "" {
		return "cu" + strings.ReplaceAll(build.CUDA, ".", "")
	}
	return ""
}

// beside returns what else changes in a file together with a package's item: the index that it comes from, or a
// channel.
func beside(e *schema.Environment, to side, pkg schema.Package, text string) (changes []finding.Change) {
	if to.name != gpuSide.name {
		return nil
	}
	texts := map[int]string{}
	indexes(e, pkg, text, texts)
	for _, i := range slices.Sorted(maps.Keys(texts)) {
		changes = append(changes, rewrite(e.File.Path, e.Packages[i], texts[i]))
	}
	return append(changes, sources(e, e.File.Path, map[int]string{e.At(pkg.Node): text})...)
}

// sources returns the changes that packages with new texts need to be found: a conda channel, or a pip index.
func sources(e *schema.Environment, file string, texts map[int]string) []finding.Change {
	return append(newChannel(e, file, texts), newIndex(e, file, texts)...)
}

var cudaLabel = plain.Regexp{Text: `\+(cu\d+)\b`}

// torchIndex is the option for PyTorch's index of the builds with a label, which follows it.
const torchIndex = "--extra-index-url https://download.pytorch.org/whl/"

// newIndex returns the change that adds PyTorch's index of labelled builds, which PyPI does not have.
func newIndex(e *schema.Environment, file string, texts map[int]string) []finding.Change {
	for _, i := range slices.Sorted(maps.Keys(texts)) {
		m := cudaLabel.Get().FindStringSubmatch(texts[i])
		if m == nil || i < 0 || !strings.HasPrefix(e.Packages[i].Requirement.Key, "torch") {
			continue
		}
		list := e.Packages[i].Node.Parent
		for _, o := range e.Options()[:min(len(e.Options()), mostOptions)] {
			if strings.Contains(e.Packages[o].Requirement.Raw, "download.pytorch.org/whl") {
				return nil // indexes changes it if it has only CPU builds
			}
		}
		if list == nil || list.Kind != document.Sequence {
			return nil
		}
		return []finding.Change{appended(file, list, torchIndex+m[1])}
	}
	return nil
}

// nvidiaChannel is where pytorch-cuda finds CUDA.
const nvidiaChannel = "nvidia"

// newChannel returns the change that adds the channel that pytorch-cuda needs.
func newChannel(e *schema.Environment, file string, texts map[int]string) []finding.Change {
	names, _ := e.Channels()
	list := e.Node.Get("channels")
	wanted := false
	for _, text := range texts {
		wanted = wanted || strings.HasPrefix(text, "pytorch-cuda")
	}
	if !wanted || names[nvidiaChannel] || list == nil || list.Kind != document.Sequence {
		return nil
	}
	change := appended(file, list, nvidiaChannel)
	if i := slices.IndexFunc(list.Items(), func(item *document.Node) bool { return item.Text() == "pytorch" }); i >= 0 {
		change.After = strconv.Itoa(i)
	}
	return []finding.Change{change}
}
