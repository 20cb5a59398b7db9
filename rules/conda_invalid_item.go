package rules

import (
	"errors"
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/template"
)

var condaInvalidItem = Rule{
	ID:       "conda/invalid-item",
	Severity: finding.Error,
	Since:    "2026-11-22",
	Doc:      "An item is not in the syntax of the package manager that reads it.",
	Why: `Items of "dependencies" are for conda, those under "pip" are for pip. conda does not support options, and
installs no wheels, archives or repositories; pip does not support channels. Both reject the whole list because of one
such item, and the environment is not built. Extras in square brackets are pip's: conda installs the package without
them and does not say so, which is a warning.`,
	Remedy: "Gives items the same indentation if YAML joins them into one.",
	Bad:    sdkConda + "  - numpy=2.1\n    - scipy=1.14\n  - ray[default]==2.9.0\n  - git+https://github.com/acme/tool.git\n",
	Good:   sdkConda + "  - numpy=2.1\n  - scipy=1.14\n  - ray-default==2.9.0\n  - pip=24.0\n  - pip:\n      - ray[default]==2.9.0\n      - git+https://github.com/acme/tool.git\n",
	Check: func(p *Pass) {
		p.perEnvironment(noteInvalidItems, installations(p), func(p *Pass, e *schema.Environment) {
			for _, pkg := range e.Packages {
				severity, reason := invalid(pkg)
				if reason == "" || explained(pkg) {
					continue
				}
				fix := unjoin(e, pkg)
				if fix != nil {
					severity, reason = p.rule.Severity, "the next lines are indented further, so YAML joins them all into one item: give them the same indentation"
				}
				p.reportAs(severity, itemAt(e, pkg.Node, reason), fix)
			}
		})
	},
}

// invalid says why a package manager cannot read or install an item as it is meant, or returns "" if it can. A
// placeholder is not a mistake.
func invalid(pkg schema.Package) (finding.Severity, string) {
	r := pkg.Requirement
	if pkg.Err == nil && r.Kind == requirement.Package {
		return finding.Error, noVersion(r) // nearly always none
	}
	if template.In(r.Raw) || strings.TrimSpace(r.Raw) == "" {
		return finding.Error, ""
	}
	var fault *requirement.ParseError
	switch {
	case errors.As(pkg.Err, &fault) && pkg.Manager == requirement.Conda && isExtra(r.Raw):
		return finding.Warning, "conda installs this package without the extras in square brackets, which only pip supports: move this item under pip, or list the conda packages that the extras stand for"
	case errors.As(pkg.Err, &fault):
		return finding.Error, fmt.Sprintf("%s rejects this item: %s", pkg.Manager, fault.Reason)
	case pkg.Manager == requirement.Conda && r.Kind == requirement.URL && !condaArchive(r.URL):
		return finding.Error, "conda installs packages from channels only, not wheels, archives or repositories: move this URL under pip"
	case pkg.Manager == requirement.Conda && r.Kind == requirement.Path && !condaArchive(r.Path):
		return finding.Error, "conda installs packages from channels only, not files or folders: move this path under pip"
	}
	return finding.Error, ""
}

// noVersion says that what follows == under pip is none of the versions that pip can compare, such as latest or 2.1.x.
func noVersion(r *requirement.Requirement) string {
	text, exact := strings.CutPrefix(r.Constraint, "==")
	if !exact || r.Manager != requirement.Pip || strings.Trim(text, "0123456789.") == "" || strings.ContainsAny(text, "=,") || template.In(r.Raw) {
		return ""
	}
	text = strings.TrimSpace(text)
	if _, err := requirement.ParseVersion(strings.TrimSuffix(text, ".*")); err == nil {
		return ""
	}
	if stem, any := strings.CutSuffix(strings.ToLower(text), ".x"); any {
		return fmt.Sprintf("%q is not a version that pip accepts: write ==%s.* for any %s", shortName(text), shortName(stem), shortName(stem))
	}
	return fmt.Sprintf("%q is not a version that pip accepts: write one such as 1.2.3, or remove == for the newest", shortName(text))
}

// isExtra reports whether an item is like ray[default]: brackets without the key=value that conda expects in them. Its
// parser skips whatever else they contain; only that of the rattler solver, which is new, rejects it.
func isExtra(raw string) bool {
	_, inside, ok := strings.Cut(raw, "[")
	inside, _, closed := strings.Cut(inside, "]")
	return ok && closed && !strings.ContainsAny(inside, "='\"")
}

// condaArchive reports whether an address or a path is of a conda package.
func condaArchive(at string) bool {
	at, _, _ = strings.Cut(at, "#")
	at, _, _ = strings.Cut(at, "?")
	return strings.HasSuffix(at, ".conda") || strings.HasSuffix(at, ".tar.bz2")
}

// explained reports whether another rule says what is wrong with an item.
func explained(pkg schema.Package) bool {
	if _, _, ok := wrongSigns(pkg); ok {
		return true
	}
	if _, ok := lostColon(pkg); ok {
		return true
	}
	if _, ok := gluedHash(pkg); ok {
		return true
	}
	if _, ok := misspeltPython(pkg); ok {
		return true
	}
	if text := strings.TrimSpace(pkg.Requirement.Raw); text == "-e" || text == "--editable" {
		return true // conda/split-option reports it if its value is on the next line
	}
	_, ok := singleEquals(pkg)
	return ok && pkg.Manager == requirement.Pip
}
