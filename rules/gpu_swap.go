package rules

import (
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
)

// swap is what a CPU package should become.
type swap struct {
	name    string // the GPU build
	text    string // the item with the name replaced; "" when a person has to choose
	advice  string // what to choose from
	answers []finding.Answer
}

// gpuSwap returns the swap for a package that is the CPU build of a framework;
// ok is false when it is not, or when that cannot be told. What the user has
// answered counts as if the catalog knew it.
func gpuSwap(project *schema.Project, e *schema.Environment, pkg schema.Package) (swap, bool) {
	r := pkg.Requirement
	if pkg.Err != nil || r.Kind != requirement.Package || r.SingleEquals {
		return swap{}, false
	}
	var choices []string
	var answers []finding.Answer
	for _, row := range catalog.CPUVariants(manager(pkg), r.Key) {
		if row.Safety == catalog.SafetyNone || row.Optional || row.GPU == "" || !holds(e, *r, row) {
			continue
		}
		if row.GPU != row.CPU && e.Lists(row.GPU) {
			return swap{}, false
		}
		if row.Safety == catalog.SafetySafe {
			return swap{name: row.GPU, text: r.Raw[:r.NamePart.Start] + row.GPU + r.Raw[r.NamePart.End:]}, true
		}
		// "tensorflow" and "tensorflow[and-cuda]" are one build: the name alone
		// is no fault, unless the version says "+cpu".
		if name, _, _ := strings.Cut(row.GPU, "["); name != row.CPU || row.Local != "" {
			choices = append(choices, row.GPU)
			for _, o := range options(e, *r, row) {
				if project.Choice(o.Key) == o.Value {
					return swap{name: o.text, text: o.text}, true
				}
				answers = append(answers, o.Answer)
			}
		}
	}
	answers = fittingFirst(e, answers)
	switch {
	case len(choices) == 0:
		return swap{}, false
	case r.Key == choices[0]:
		return swap{name: choices[0], advice: "take the version without the CPU label, or with that of a CUDA version", answers: answers}, true
	case len(choices) == 1:
		return swap{name: choices[0], advice: "use " + quotedList(choices) + ", in the version your CUDA needs", answers: answers}, true
	}
	return swap{name: choices[0], advice: "use the one that fits the image's CUDA version: " + quotedList(choices), answers: answers}, true
}

func manager(pkg schema.Package) string {
	if pkg.Manager == requirement.Conda {
		return catalog.Conda
	}
	return catalog.Pip
}

// holds reports whether a row of the catalog speaks of this requirement.
func holds(e *schema.Environment, r requirement.Requirement, row catalog.PackageVariant) bool {
	versions, err := r.Versions()
	if err != nil {
		return false
	}
	pin, pinned := versions.Pin()
	if row.Local != "" {
		return pinned && pin.Local() == row.Local
	}
	if row.Channel != "" && r.Channel != "" && r.Channel != row.Channel {
		return false
	}
	if strings.TrimSpace(r.Constraint) == "" {
		return row.Unpinned != catalog.UnpinnedNo && pythonFits(e, row)
	}
	within := row.Versions
	if !versions.Exact() {
		// a range such as "<2" is not spoilt by one version that is an exception
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

// pythonFits reports whether the environment's interpreter, where it is pinned,
// is one that the row holds for.
func pythonFits(e *schema.Environment, row catalog.PackageVariant) bool {
	python, ok := e.Python()
	if !ok || row.Python == "" {
		return true
	}
	have, err1 := python.Requirement.Versions()
	want, err2 := requirement.ParseConstraint(requirement.Pip, row.Python)
	return err1 != nil || err2 != nil || have.Overlaps(want)
}
