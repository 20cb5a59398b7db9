package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/template"
)

var pipLocalVersion = Rule{
	ID:       "pip/local-version",
	Severity: finding.Error,
	Since:    "2026-11-26",
	Doc:      "A pip package is pinned to a build, such as +cu124, that PyPI does not have, and no index is given that has it.",
	Why: `PyPI takes no versions with a local label, such as 2.5.1+cu124. PyTorch's builds for a CUDA version are on
download.pytorch.org, which an environment exported from a working machine does not name. pip then ends with "No
matching distribution found", and the image is not built.`,
	Remedy: "With --unsafe, adds PyTorch's index for the label of a CUDA build.",
	Bad:    pipList + "      - torch==2.5.1+cu124\n",
	Good:   pipList + "      - --extra-index-url https://download.pytorch.org/whl/cu124\n      - torch==2.5.1+cu124\n",
	Check: func(p *Pass) {
		for _, e := range environments(p) {
			if e.Built() || !mayLabel(e) || len(e.Jobs) > 0 && !slices.ContainsFunc(e.Jobs, managed) {
				continue
			}
			items := p.items(e)
			indexes := indexesOf(items)
			var met map[string]bool // labels: one index serves all packages with it
			for _, pkg := range items {
				label := localLabel(pkg.Package)
				if places := indexes[pkg.Command]; label == "" || onLinux(pkg.Package) < 0 || met[label] || places.count > 0 || places.unknown || p.full(pkg.src) {
					continue
				}
				if met == nil {
					met = map[string]bool{}
				}
				met[label] = true
				unindexed(p, e, pkg, label)
			}
		}
	},
}

const pipList = `
-- aml_config/local.compute --
type: local
-- aml_config/conda_dependencies.yml --
channels:
  - conda-forge
dependencies:
  - python=3.11
  - pip=24.0
  - pip:
`

var localPin = plain.Regexp{Text: `^===?\s*[0-9][^,;*+\s]*\+([A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)*)$`}

// localLabel returns the local label of the version that an item of pip is pinned to, or "".
func localLabel(pkg schema.Package) string {
	r := pkg.Requirement
	if pkg.Err != nil || pkg.Manager != requirement.Pip || r.Kind != requirement.Package || !strings.Contains(r.Constraint, "+") || template.In(r.Raw) {
		return ""
	}
	if m := localPin.Get().FindStringSubmatch(r.Constraint); m != nil {
		return m[1]
	}
	return ""
}

// mayLabel reports whether the items of an environment, or files that it names, may have a local label.
func mayLabel(e *schema.Environment) bool {
	return slices.ContainsFunc(e.Packages, func(pkg schema.Package) bool {
		_, elsewhere := requirementsFile(e, pkg)
		return elsewhere || pkg.Manager == requirement.Pip && strings.Contains(pkg.Requirement.Constraint, "+")
	})
}

// unindexed reports an item whose build PyPI does not have.
func unindexed(p *Pass, e *schema.Environment, pkg listed, label string) {
	message := fmt.Sprintf("PyPI has no builds with a label, such as +%s, and this list names no other index, so pip finds nothing to install", shown(label))
	var fix *finding.Fix
	switch list := pkg.Node.Parent; {
	case !strings.HasPrefix(pkg.Requirement.Key, "torch"):
		message += ": write the version without the label, or add the index that has it"
	case cudaLabel.Get().FindString("+"+label) == "+"+label:
		index := torchIndex + label
		message += fmt.Sprintf(": add %q", index)
		if pkg.own(e) && list != nil && list.Kind == document.Sequence {
			fix = finding.NewFix(finding.Unsafe, "add PyTorch's index", appended(e.File.Path, list, index))
		}
	default:
		message += fmt.Sprintf(": write the version without the label, or add %q", torchIndex+label)
	}
	p.report(pkg.at(e, message), fix)
}
