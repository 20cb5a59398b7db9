package rules

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
)

// suited returns the GPU build that suits the machines of an environment that only
// jobs of v2 use: the only one, where an extra brings its CUDA, or of those of PyTorch
// the newest that runs on the GPUs, as far as these are known. It is not the image
// that decides, as it does for older dialects.
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
			return o, true // what pip takes without a label, from its own index
		}
	}
	for _, o := range slices.Backward(offered) {
		if runsEverywhere(e, o.build) {
			return o, true
		}
	}
	return option{}, false
}

// surelyGPU reports a target with a GPU that is not taken for one for its image alone.
func surelyGPU(t *schema.Target) bool { return gpuContainer(t) && !t.Suspected() }

// runsEverywhere reports whether a build may run on all GPUs that the jobs of an
// environment are known to have.
func runsEverywhere(e *schema.Environment, b catalog.Build) bool {
	return !slices.ContainsFunc(e.Targets(), func(t *schema.Target) bool {
		vm, _ := catalog.VMSize(t.VMSize.Text)
		return gpuContainer(t) && t.VMSize.Explicit && vm.Capability != "" && b.Runs(vm.Capability) == catalog.ReachNone
	})
}

// others says which builds can be had by an answer.
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

// unserved reports whether a GPU job of v2 could not load a package, because neither
// its image nor one that replaces that has the CUDA that the package needs.
func unserved(e *schema.Environment, text string) bool {
	r, err := requirement.ParsePip(text)
	if !e.OnlyV2() || err != nil || bringsCUDA(e) {
		return false
	}
	w := &cudaWorld{Environment: e, releases: map[string][]release{}}
	need, ok := w.loaded(schema.Package{Manager: requirement.Pip, Requirement: &r})
	return ok && slices.ContainsFunc(e.Targets(), func(t *schema.Target) bool {
		image, known := imageOf(t)
		if !gpuContainer(t) || !known {
			return false
		}
		images := []catalog.Image{image}
		if !image.GPU {
			images = catalog.GPUReplacements(image.Repo, image.Tag)
		}
		return !slices.ContainsFunc(images, func(i catalog.Image) bool {
			loads, sure := need.LoadsWith(i.CUDA, i.CUDNN)
			return loads || !sure
		})
	})
}

// withCUDA returns the item that asks for TensorFlow with the CUDA that it loads,
// where the image of a job of v2 that is to use a GPU does not surely hold that.
func withCUDA(e *schema.Environment, pkg schema.Package) (text string, ok bool) {
	r := pkg.Requirement
	if pkg.Err != nil || !e.OnlyV2() || pkg.Manager != requirement.Pip || r.Key != "tensorflow" || r.Kind != requirement.Package || r.SingleEquals ||
		len(r.Extras) > 0 || r.Bound() != "" || bringsCUDA(e) || otherPlatform(pkg) {
		return "", false
	}
	rows := catalog.CPUVariants(catalog.Pip, r.Key)
	i := slices.IndexFunc(rows, func(row catalog.PackageVariant) bool {
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

// servedByImages reports whether no GPU job of an environment is known to need CUDA
// that its image may lack.
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

var cpuIndex = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(download\.pytorch\.org/whl/)cpu(/?)(\s|$)`) })

// indexes adds the options of pip that name PyTorch's index of CPU builds: pip takes a
// build from there even where the label is gone.
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
		if to := cpuIndex().ReplaceAllString(option.Raw, "${1}"+label+"${2}${3}"); to != option.Raw {
			texts[i] = to
		}
	}
}

// mostOptions is how many options of pip are changed with each package: nobody writes
// more.
const mostOptions = 20

// openIndexes returns the new texts of such options in an environment of v2 that lists
// PyTorch without a label: pip takes the builds of that place for the higher ones.
func openIndexes(e *schema.Environment) map[int]string {
	texts := map[int]string{}
	if !e.OnlyV2() {
		return texts
	}
	for _, i := range e.Options() {
		pkg := e.Packages[i]
		if pkg.Manager != requirement.Pip || !cpuIndex().MatchString(pkg.Requirement.Raw) || len(e.Options()) > mostOptions {
			continue
		}
		build, ok := torchBuild(e, requirement.Pip)
		for _, b := range catalog.FrameworkBuilds("torch") {
			if !ok && pythonAmong(e, b.Pythons) {
				build = b
			}
		}
		if e.Lists("torch") && build.CUDA != "" && runsEverywhere(e, build) {
			texts[i] = cpuIndex().ReplaceAllString(pkg.Requirement.Raw, "${1}cu"+strings.ReplaceAll(build.CUDA, ".", "")+"${2}${3}")
		}
	}
	return texts
}

// labelOf returns the label of the CUDA that a PyTorch package is to have, as in
// "cu121": its own, or that of the build that has no label.
func labelOf(e *schema.Environment, r requirement.Requirement) string {
	versions, err := r.Versions()
	if err != nil {
		return ""
	}
	if pin, ok := versions.Pin(); ok && strings.HasPrefix(pin.Local(), "cu") {
		return pin.Local()
	}
	if build, ok := torchBuild(e, requirement.Pip); ok && build.CUDA != "" {
		return "cu" + strings.ReplaceAll(build.CUDA, ".", "")
	}
	return ""
}

// beside returns what else changes in a file with a package's item: the index that it
// comes from, or a channel.
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

// sources returns the changes that let packages with new texts be found: a channel of
// conda, or an index of pip.
func sources(e *schema.Environment, file string, texts map[int]string) []finding.Change {
	return append(newChannel(e, file, texts), newIndex(e, file, texts)...)
}

var cudaLabel = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\+(cu\d+)\b`) })

// newIndex returns the change that names PyTorch's index of builds with a label, which
// PyPI does not have.
func newIndex(e *schema.Environment, file string, texts map[int]string) []finding.Change {
	for _, i := range slices.Sorted(maps.Keys(texts)) {
		m := cudaLabel().FindStringSubmatch(texts[i])
		if m == nil || i < 0 || !strings.HasPrefix(e.Packages[i].Requirement.Key, "torch") {
			continue
		}
		list := e.Packages[i].Node.Parent
		for _, o := range e.Options()[:min(len(e.Options()), mostOptions)] {
			if strings.Contains(e.Packages[o].Requirement.Raw, "download.pytorch.org/whl") {
				return nil // which is changed where it is that of the CPU builds
			}
		}
		if list == nil || list.Kind != document.Sequence {
			return nil
		}
		return []finding.Change{{Op: finding.AppendItem, File: file, Pointer: list.Pointer(), Value: finding.Text("--extra-index-url https://download.pytorch.org/whl/" + m[1])}}
	}
	return nil
}

// nvidiaChannel is where pytorch-cuda finds CUDA.
const nvidiaChannel = "nvidia"

// newChannel returns the change that names the channel that pytorch-cuda needs.
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
	change := finding.Change{Op: finding.AppendItem, File: file, Pointer: list.Pointer(), Value: finding.Text(nvidiaChannel)}
	if i := slices.IndexFunc(list.Items, func(item *document.Node) bool { return item.Text() == "pytorch" }); i >= 0 {
		change.After = strconv.Itoa(i)
	}
	return []finding.Change{change}
}
