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

// swap is what should replace a CPU package.
type swap struct {
	name    string // the GPU build
	text    string // the item with the name replaced; "" if a person has to choose
	advice  string // what to choose from, or what to do by hand
	kept    string // why text is "" although the name is clear; usually ""
	pin     bool   // the new name cannot be installed without a version
	answers []finding.Answer
	others  string // the other possible answers
}

// gpuSwap returns the swap for a package that is the CPU build of a framework, or false if it is not, or if that is not
// known. The user's answers count as if they were in the catalog.
func gpuSwap(project *schema.Project, e *schema.Environment, pkg schema.Package) (swap, bool) {
	r := pkg.Requirement
	if pkg.Err != nil || onLinux(pkg) < 0 {
		return swap{}, false
	}
	if r.Wheel != nil {
		return swapOfWheel(e, *r)
	}
	if r.Kind != requirement.Package || r.SingleEquals {
		return swap{}, false
	}
	switch r.Flavour().Kind {
	case requirement.GPU:
		return swap{}, false
	case requirement.CPU:
		if gpu, ok := catalog.Flavoured(r.Name); ok {
			return swapOfBuild(e, *r, gpu), true
		}
	case requirement.UnknownFlavour: // the catalog may have its builds
	}
	if pkg.Manager == requirement.Conda && listsGPU(e, r.Key) {
		return swap{}, false // pip replaces it
	}
	var choices []string
	var answers []finding.Answer
	var offered []option
	for _, row := range catalog.CPUVariants(manager(pkg), r.Key) {
		if row.Safety == catalog.SafetyReport && channelOf(e, *r) == row.Channel && holds(e, *r, row) {
			return swap{advice: fmt.Sprintf("the channel %s has no GPU build of it (%s); use another channel", row.Channel, row.Note)}, true
		}
		if row.Safety == catalog.SafetyNone || row.Optional || row.GPU == "" || !holds(e, *r, row) {
			continue
		}
		if name, _, _ := strings.Cut(row.GPU, "["); name != row.CPU && e.Lists(name) {
			return swap{}, false
		}
		if row.Safety == catalog.SafetySafe {
			s := namedSwap(e, *r, row)
			if next, err := requirement.ParsePip(s.text); err == nil && row.Manager == catalog.Pip {
				pkg.Requirement = &next // "tensorflow" may be the CPU build, too
				if listsGPU(e, next.Key) {
					return swap{}, false
				} else if further, ok := gpuSwap(project, e, pkg); ok {
					return swap{name: further.name, advice: fmt.Sprintf("use %q, in the version your CUDA needs", further.name)}, true
				}
			}
			return s, true
		}
		// "tensorflow" and "tensorflow[and-cuda]" are one build: the name alone is not a fault, unless the version says
		// "+cpu".
		if name, _, _ := strings.Cut(row.GPU, "["); name != row.CPU || row.Local != "" || lacksPlugin(e, row) {
			choices = append(choices, row.GPU)
			for _, o := range options(e, *r, row) {
				if project.Choice(o.Key) == o.Value {
					return swap{name: o.text, text: o.text}, true
				}
				answers, offered = append(answers, o.Answer), append(offered, o)
			}
		}
	}
	if o, ok := suited(e, offered); ok {
		return swap{name: o.text, text: o.text, others: others(o, offered)}, true
	}
	answers = fittingFirst(e, answers)
	switch {
	case len(choices) == 0:
		return swap{}, false
	case r.Key == choices[0]:
		return swap{name: choices[0], advice: "use the version without the CPU label, or with the label of a CUDA version", answers: answers, kept: r.Bound()}, true
	case len(choices) == 1:
		return swap{name: choices[0], advice: "use " + quotedList(choices) + ", in the version your CUDA needs", answers: answers, kept: r.Bound()}, true
	}
	return swap{name: choices[0], advice: "use the one that fits the image's CUDA version: " + plain.List(quoted(choices), "or"), answers: answers, kept: r.Bound()}, true
}

// listsGPU reports whether an environment lists a GPU build of pip's that has another name than the package of a key.
func listsGPU(e *schema.Environment, key string) bool {
	return slices.ContainsFunc(catalog.CPUVariants(catalog.Pip, key), func(row *catalog.PackageVariant) bool {
		name, _, _ := strings.Cut(row.GPU, "[")
		return name != "" && name != row.CPU && e.Lists(name)
	})
}

// swapOfWheel returns the swap for a wheel from an index of CPU builds, or whose version says that it is for the CPU.
func swapOfWheel(e *schema.Environment, r requirement.Requirement) (swap, bool) {
	index, known := catalog.LookupWheelIndex(r.URL)
	_, label, _ := strings.Cut(r.Wheel.Version, "+")
	labelled := label == "cpu" && slices.ContainsFunc(catalog.CPUVariants(catalog.Pip, r.Wheel.Key()), func(row *catalog.PackageVariant) bool { return row.Local == label })
	if !labelled && (!known || index.GPU || !slices.Contains(index.Packages, r.Wheel.Key())) || listsGPU(e, r.Wheel.Key()) {
		return swap{}, false
	}
	s := swap{name: r.Wheel.Key(), advice: "use the wheel for a CUDA version"}
	if index.Counterpart != "" {
		if s.text, _ = r.AtURL(index.Counterpart); s.text != "" {
			s.advice = "use the wheel for GPUs of the same version"
		}
		s.kept = r.Bound()
	}
	return s, true
}

// lacksPlugin reports whether a package's GPU code is in another package that an extra installs, and the environment
// has neither.
func lacksPlugin(e *schema.Environment, row *catalog.PackageVariant) bool {
	framework, ok := catalog.NewestBuild(row.CPU)
	return ok && framework.GPU == catalog.GPUFromPackage && !e.ForCUDA(row.CPU) && !e.ForCUDA(framework.Package)
}

// namedSwap returns the swap for a row of the catalog that determines the replacement.
func namedSwap(e *schema.Environment, r requirement.Requirement, row *catalog.PackageVariant) swap {
	s := swap{name: row.GPU, kept: r.Bound(), pin: row.Unpinned == catalog.UnpinnedPin && strings.TrimSpace(r.Constraint) == ""}
	if row.Channel != "" && !reaches(e, row.Channel) {
		s.kept = fmt.Sprintf("%q comes from the channel %s, which this file does not list", row.GPU, row.Channel)
	}
	if s.kept == "" {
		s.text, _ = r.Renamed(row.GPU)
	}
	if s.text != "" && row.Manager == catalog.Pip {
		if wheels, ok := catalog.WheelsFor(row.GPU, pythonPin(e)); ok && wheels.Last == "" && wheels.Compiled == "" {
			s.text, s.kept = "", fmt.Sprintf("%q has no release for Python %s", row.GPU, wheels.Python)
		} else if why := unserved(e, s.text); why != "" {
			s.text, s.kept = "", why
		}
	}
	return s
}

// swapOfBuild returns the swap for a package whose build string selects the CPU build. gpu is the package that selects
// its GPU build, if there is one.
func swapOfBuild(e *schema.Environment, r requirement.Requirement, gpu string) swap {
	s := swap{name: gpu, kept: r.Bound(), advice: "ask for a build whose build string begins with gpu or cuda"}
	switch {
	case gpu == "":
	case e.Lists(gpu):
		s.advice = fmt.Sprintf("remove it, because %q is listed too", gpu)
	case r.Key != "tensorflow":
		s.advice = fmt.Sprintf("remove it, because %q installs what it needs", gpu)
	case slices.ContainsFunc(catalog.CPUVariants(catalog.Conda, r.Key), func(row *catalog.PackageVariant) bool {
		return row.GPU == gpu && row.Safety == catalog.SafetySafe && holds(e, r, row)
	}):
		s.advice = fmt.Sprintf("use %q, without a build string", withVersion(gpu, r.Constraint))
	}
	return s
}

// withVersion joins a conda package and its versions. Versions without an operator, from "name 1.12" or
// "name[version=1.12]", need a space before them.
func withVersion(name, constraint string) string {
	if constraint == "" || strings.ContainsAny(constraint[:1], "=<>!~") {
		return name + constraint
	}
	return name + " " + constraint
}

// channelOf returns the channel that a conda package certainly comes from: the one it names, or the only one in its
// file.
func channelOf(e *schema.Environment, r requirement.Requirement) string {
	if r.Channel != "" {
		return r.ChannelName()
	}
	if names, only := e.Channels(); only && len(names) == 1 {
		for name := range names {
			return name
		}
	}
	return ""
}

// reaches reports whether conda searches a channel that a file does not name: conda's defaults are always searched,
// unless the file forbids that.
func reaches(e *schema.Environment, channel string) bool {
	names, only := e.Channels()
	return channel != "defaults" || !only || names[channel]
}

func manager(pkg schema.Package) string {
	if pkg.Manager == requirement.Conda {
		return catalog.Conda
	}
	return catalog.Pip
}

// holds reports whether a row of the catalog applies to a requirement.
func holds(e *schema.Environment, r requirement.Requirement, row *catalog.PackageVariant) bool {
	versions, err := r.Versions()
	if err != nil {
		return false
	}
	pin, pinned := versions.Pin()
	if row.Local != "" {
		return pinned && pin.Local() == row.Local
	}
	if channel := channelOf(e, r); row.Channel != "" && channel != "" && channel != row.Channel {
		return false
	}
	if strings.TrimSpace(r.Constraint) == "" {
		// v2 jobs get today's release, which a row about old releases does not cover, as do most jobs of SDK v1, unless
		// their Python has none but those
		wheels, _ := catalog.WheelsFor(row.CPU, pythonPin(e))
		return row.Unpinned != catalog.UnpinnedNo && pythonFits(e, row) && (!strings.Contains(row.Versions, "<") || !e.OnlyV2()) &&
			(row.Unpinned != catalog.UnpinnedPin || strings.HasPrefix(wheels.Last, "1.") || slices.ContainsFunc(e.Jobs, func(j *schema.Job) bool { return j.Dialect == schema.Workbench }))
	}
	within := row.Versions
	if !versions.Exact() {
		// one excluded version does not matter to a range such as "<2"
		within = withoutExceptions(within)
	}
	rows, err := requirement.ParseConstraint(requirement.Pip, within)
	return err == nil && versions.Within(rows) && pythonFits(e, row)
}

func withoutExceptions(specifier string) string {
	var kept []string
	for clause := range strings.SplitSeq(specifier, ",") {
		if !strings.HasPrefix(strings.TrimSpace(clause), "!=") {
			kept = append(kept, clause)
		}
	}
	return strings.Join(kept, ",")
}

// pythonFits reports whether a row applies to the environment's interpreter, if that is pinned.
func pythonFits(e *schema.Environment, row *catalog.PackageVariant) bool {
	python, ok := e.Python()
	if !ok || row.Python == "" {
		return true
	}
	have, err1 := python.Requirement.Versions()
	want, err2 := requirement.ParseConstraint(requirement.Pip, row.Python)
	return err1 != nil || err2 != nil || have.Overlaps(want)
}
