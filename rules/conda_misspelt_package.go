package rules

import (
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/requirement"
)

var condaMisspeltPackage = Rule{
	ID:       "conda/misspelt-package",
	Severity: finding.Warning,
	Since:    "2026-11-20",
	Doc:      "The name of a package or channel looks like a typo, or is the name to import instead of the name to install.",
	Why: `At best, no package has the wrong name, and the environment cannot be built. At worst, one does: attackers
register names that are similar to well-known ones. The same is true of conda channels: conda_forge is not conda-forge.`,
	Remedy: "With --unsafe, corrects the name and keeps the version.",
	Facts:  []string{"misspelt", "packages", "stdlib"},
	Bad:    condaProject + "  - pip:\n    - tensorflows\n    - cv2\n",
	Good:   condaProject + "  - pip:\n    - tensorflow\n    - opencv-python\n",
	Check: func(p *Pass) {
		p.perEnvironment(noteSpelling, environments(p), func(p *Pass, e *schema.Environment) {
			misspeltChannels(p, e)
			var listed map[string]bool
			for _, pkg := range e.Packages {
				if pkg.Err != nil || pkg.Requirement.Kind != requirement.Package || pkg.Requirement.Build != "" {
					continue // only packages that exist have a recorded build
				}
				right, message := spelling(pkg)
				if right == "" {
					continue
				}
				if listed == nil {
					listed = names(e)
				}
				var fix *finding.Fix
				if text, ok := pkg.Requirement.Renamed(right); ok {
					fix = rewriteItem(e, pkg.Node, finding.Unsafe, fmt.Sprintf("use %q", right), text)
				} else {
					message += notRepaired(pkg.Requirement.Bound())
				}
				if otherProduct(pkg) {
					fix = nil
				}
				if listed[right] {
					message += ", which is listed already"
					fix = removeItem(e, pkg.Node, finding.Unsafe, fmt.Sprintf("remove %q", pkg.Requirement.Name))
				}
				p.report(itemAt(e, pkg.Node, message), fix)
			}
		})
	},
}

// otherProduct reports whether the right name is another product's, whose version numbers may differ from the pinned
// one: conda's opencv 3.4.1 is pip's opencv-python 3.4.1.15.
func otherProduct(pkg schema.Package) bool {
	wrong, ok := catalog.Misspelt(manager(pkg), pkg.Requirement.Name)
	return ok && wrong.Kind != "misspelt" && strings.TrimSpace(pkg.Requirement.Constraint) != ""
}

// names returns the normalised names of the packages that an environment installs.
func names(e *schema.Environment) map[string]bool {
	all := map[string]bool{}
	for _, pkg := range e.Packages {
		if pkg.Err == nil {
			all[distribution(pkg.Requirement)] = true
		}
	}
	return all
}

// spelling returns the name that was most likely meant, and a sentence about it; "" if the name may be right.
func spelling(pkg schema.Package) (right, message string) {
	r := pkg.Requirement
	wrong, ok := catalog.Misspelt(manager(pkg), r.Name)
	if !ok {
		if right = nearMiss(pkg); right != "" {
			message = fmt.Sprintf("amlfix does not know a package %q; did you mean %q?", r.Name, right)
		}
		return right, message
	}
	switch wrong.Kind {
	case "import-name":
		message = fmt.Sprintf("%q is the name to import; the package to install is %q", r.Name, wrong.Right)
	case "wrong-manager":
		message = fmt.Sprintf("%s does not have %q under that name: write %q", pkg.Manager, r.Name, wrong.Right)
	case "stub":
		if strings.TrimSpace(r.Constraint) != "" {
			return "", "" // its early releases do install
		}
		message = fmt.Sprintf("the package %q is a placeholder that cannot be installed: use %q", r.Name, wrong.Right)
	default:
		message = fmt.Sprintf("%q is misspelled: write %q", r.Name, wrong.Right)
	}
	return wrong.Right, message
}

// minNearWord is the length from which two words that differ in one letter are hardly ever both package names.
const minNearWord = 6

// nearMiss returns the only well-known package whose name differs from an unknown one's by a single typo inside a long
// word. A difference at the end of a word or in a digit usually means a different package: xgboost and ngboost,
// transformer and transformers, cupy-cuda111 and cupy-cuda110.
func nearMiss(pkg schema.Package) (found string) {
	name := plain.PackageName(pkg.Requirement.Name)
	if len(name) < minNearWord || pkg.Requirement.Channel != "" || catalog.KnownPackage(name) {
		return ""
	}
	for _, known := range knownByLetter.Get()[name[0]] {
		if !oneSlip(name, known) {
			continue
		}
		if _, wrong := catalog.Misspelt(manager(pkg), known); wrong || found != "" {
			return ""
		}
		found = known
	}
	if found == "" {
		return ""
	}
	if _, ok := catalog.Stdlib(name); ok {
		return ""
	}
	return found
}

// knownByLetter maps a first letter, which typos leave as it is, to the known names.
var knownByLetter = plain.Once[map[byte][]string]{Make: func() map[byte][]string {
	all := map[byte][]string{}
	for _, name := range catalog.PackageNames() {
		all[name[0]] = append(all[name[0]], name)
	}
	return all
}}

// oneSlip reports whether a is b with one letter inside a word missing, doubled, wrong, or swapped with the next one.
func oneSlip(a, b string) bool {
	if d := len(a) - len(b); d < -1 || d > 1 || a == b {
		return false
	}
	start := 0
	for start < min(len(a), len(b)) && a[start] == b[start] {
		start++
	}
	endA, endB := len(a), len(b)
	for endA > start && endB > start && a[endA-1] == b[endB-1] {
		endA, endB = endA-1, endB-1
	}
	partA, partB := a[start:endA], b[start:endB]
	swapped := len(partA) == 2 && len(partB) == 2 && partA[0] == partB[1] && partA[1] == partB[0]
	if !swapped && (len(partA) > 1 || len(partB) > 1) {
		return false
	}
	begin := strings.LastIndexByte(b[:start], '-') + 1
	end := len(b)
	if i := strings.IndexByte(b[endB:], '-'); i >= 0 {
		end = endB + i
	}
	return begin < start && endB < end && end-begin >= minNearWord && strings.Trim(partA+partB, "abcdefghijklmnopqrstuvwxyz") == ""
}
