package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/template"
)

var condaNoPython = Rule{
	ID:       "conda/no-python",
	Severity: finding.Warning,
	Since:    "2026-11-22",
	Doc:      "A conda file does not install Python, or its Python item is misspelled or malformed.",
	Why: `Without the item, conda installs the Python that the other packages depend on, usually the newest, for which
many packages have no build yet. If none of them needs Python, pip uses a Python outside the environment. An item that
conda cannot read, or a version that was never released, ends the build.`,
	Remedy: "Corrects the name and the version where only one correction is possible: pyton=3.11, python3.11, python=3.11., python:3.11. The missing dot in python=311 or python=3.62 is added only with --unsafe.",
	Facts:  []string{"packages"},
	Bad:    v2Conda + "  - pyton=3.11\n  - numpy=1.26\n",
	Good:   v2Conda + "  - python=3.11\n  - numpy=1.26\n",
	Check: func(p *Pass) {
		for _, e := range environments(p) {
			checkPython(p, e)
		}
	},
}

// pythonFault is what is wrong with an item that asks for Python.
type pythonFault struct {
	message  string
	right    string // what to write, "" if that is not known
	how      finding.Applicability
	severity finding.Severity
}

func checkPython(p *Pass, e *schema.Environment) {
	conda, _ := dependencyLists(e)
	if conda == nil || len(conda.Items()) == 0 {
		return
	}
	_, found := e.Python()
	for _, item := range conda.Items() {
		if entry, ok := item.Resolve().Entry("python"); ok {
			found = true
			p.reportAs(finding.Error, itemAt(e, entry.Key, `"python: …" is read as a list for a package manager named python: write the item as one string, python=VERSION`), nil)
		}
	}
	for _, pkg := range e.Packages {
		fault, ok := misspeltPython(pkg)
		if !ok {
			found = found || pkg.Manager == requirement.Conda && pkg.Requirement.Key == "python" || template.In(pkg.Requirement.Raw)
			continue
		}
		found = true
		var fix *finding.Fix
		if fault.right != "" {
			fix = rewriteItem(e, pkg.Node, fault.how, fmt.Sprintf("write %q", fault.right), fault.right)
		}
		p.reportAs(fault.severity, itemAt(e, pkg.Node, fault.message), fix)
	}
	if found || ofWorkbench(p, e) || p.ofSpark(e) || e.Lists("r-base") || !asksPackages(e) {
		return
	}
	list, _ := e.Node.Entry("dependencies")
	p.report(itemAt(e, list.Key,
		"python is not listed, so conda installs the version that other packages need, or none: add python with a version"), nil)
}

// asksPackages reports whether an environment lists any package that runs in Python.
func asksPackages(e *schema.Environment) bool {
	return slices.ContainsFunc(e.Packages, func(pkg schema.Package) bool { return pkg.Requirement.Kind != requirement.Option })
}

var (
	// joinedPython matches python followed directly by its version, or by an operator that conda does not have.
	joinedPython = plain.Regexp{Text: `(?i)^python(?:[ \t]*[-_:@][ \t]*)?([23](?:\.\d+){0,2})$`}
	// numbered matches a version, with common additions.
	numbered     = plain.Regexp{Text: `^(=|==)?[ \t]*([vV]?)(\d+(?:\.\d+)*)(\.?)$`}
	comma        = plain.Regexp{Text: `^(=|==)?[ \t]*([23]),(\d{1,2})$`}
	joinedDigits = plain.Regexp{Text: `^([23])([2-9]|[1-9]\d)$`}
	tooOld       = plain.Regexp{Text: `^3\.[01](?:\.\d+)*$`}
	joinedMinor  = plain.Regexp{Text: `^3\.([4-9])(\d)$`}
)

// misspeltPython says what is wrong with an item for Python; ok is false if nothing is wrong or the item is for
// something else.
func misspeltPython(pkg schema.Package) (fault pythonFault, ok bool) {
	fault, ok = faultOfPython(pkg)
	return fault, ok && !template.In(strings.TrimSpace(pkg.Requirement.Raw))
}

func faultOfPython(pkg schema.Package) (fault pythonFault, ok bool) {
	r := pkg.Requirement
	raw := strings.TrimSpace(r.Raw)
	if pkg.Manager == requirement.Pip {
		return pythonFault{severity: finding.Error, message: "pip cannot install Python: add python=VERSION to conda's packages, and remove this item"},
			pkg.Err == nil && r.Key == "python" && r.Kind == requirement.Package
	}
	if m := afterName(raw); m != nil {
		right := "python=" + m[1]
		return pythonFault{right: right, how: finding.Safe, severity: finding.Error,
			message: fmt.Sprintf("conda reads %q as the name of a package that does not exist: write %q", raw, right)}, true
	}
	if slip := plain.PackageName(r.Name); pkg.Err == nil && r.Kind == requirement.Package && r.Channel == "" && isPythonSlip(slip) {
		how := finding.Safe
		if strings.TrimSpace(r.Constraint) == "" {
			how = finding.Unsafe
		}
		right, _ := r.Renamed("python")
		if _, too := malformedPython(pkg); too {
			right = "" // the version is wrong as well
		}
		return pythonFault{right: right, how: how, severity: finding.Error, message: fmt.Sprintf("%q is misspelled: write \"python\"", r.Name)}, true
	}
	if r.Key != "python" || r.Kind != requirement.Package {
		return fault, false
	}
	return malformedPython(pkg)
}

// afterName matches an item that begins with "python", not followed by one of conda's operators.
func afterName(raw string) []string {
	const name = "python"
	if len(raw) <= len(name) || !strings.EqualFold(raw[:len(name)], name) || raw[len(name)] == '=' {
		return nil
	}
	return joinedPython.Get().FindStringSubmatch(raw)
}

// isPythonSlip reports whether a name is "python" with a letter missing, doubled, wrong or swapped, and is not a known
// package.
func isPythonSlip(name string) bool {
	const longest = len("python") + utf8.UTFMax
	return name != "python" && strings.HasPrefix(name, "p") && len(name) <= longest && plain.Distance(name, "python") == 1 && !catalog.KnownPackage(name)
}

// plainPython reports whether a constraint is like =3.11 or ==3.8.10, as nearly all are, but not like =3.62, because of
// Python 3 one minor version appears a year, or =3.1, which no channel of conda has.
func plainPython(text string) bool {
	version := strings.TrimPrefix(strings.TrimPrefix(text, "="), "=")
	joined := len(version) == len("3.62") && version[2] > '3' && version[3] != '.'
	old := len(version) > 2 && version[0] == '3' && version[2] < '2' && (len(version) == len("3.1") || version[3] == '.')
	return version != text && !joined && !old && len(version) > 2 && (version[0] == '2' || version[0] == '3') && version[1] == '.' &&
		strings.Trim(version, "0123456789.") == "" && !strings.HasSuffix(version, ".") && !strings.Contains(version, "..")
}

// malformedPython says what is wrong with the version in an item for Python; ok is false if nothing is.
func malformedPython(pkg schema.Package) (fault pythonFault, ok bool) {
	r := pkg.Requirement
	text := strings.TrimSpace(r.Constraint)
	if pkg.Err == nil && plainPython(text) {
		return fault, false
	}
	if _, _, signs := wrongSigns(pkg); signs || text == "" {
		return fault, false
	}
	if versions, err := r.Versions(); err == nil && versions.Empty() {
		fault = pythonFault{severity: finding.Error, how: finding.Unsafe, message: fmt.Sprintf("no Python satisfies %q", shown(text))}
		if m := comma.Get().FindStringSubmatch(text); m != nil {
			fault.right = r.Raw[:r.ConstraintPart.Start] + m[1] + m[2] + "." + m[3] + r.Raw[r.ConstraintPart.End:]
			fault.message += fmt.Sprintf(": did you mean %q?", strings.TrimSpace(fault.right))
		}
		return fault, true
	}
	m := numbered.Get().FindStringSubmatch(text)
	if m == nil {
		if version := strings.TrimLeft(text, "= \t"); version != "" && (version[0]|0x20 >= 'a' && version[0]|0x20 <= 'z') {
			return pythonFault{severity: finding.Error, message: fmt.Sprintf("%q is not a Python version: write a number, as in python=3.11", shown(version))}, true
		}
		return fault, false
	}
	version := m[3]
	fault.how, fault.severity = finding.Safe, finding.Error
	if m[2] != "" {
		fault.message = "there is a letter before the Python version: write %q"
	}
	if two := joinedDigits.Get().FindStringSubmatch(version); two != nil {
		version, fault.how = two[1]+"."+two[2], finding.Unsafe
		fault.message = "this Python version does not exist: did you mean %q?"
	} else if two := joinedMinor.Get().FindStringSubmatch(version); two != nil {
		version, fault.how = "3."+two[1]+"."+two[2], finding.Unsafe
		fault.message = "this Python version does not exist: did you mean %q?"
	} else if version == "3.1" {
		version, fault.how = "3.10", finding.Unsafe
		fault.message = "conda has no Python 3.1: did you mean %q?"
	} else if tooOld.Get().MatchString(version) {
		return pythonFault{severity: finding.Error, message: fmt.Sprintf("conda has no Python %s: write a version such as 3.11", shown(version))}, true
	} else if major, err := strconv.Atoi(strings.SplitN(version, ".", 2)[0]); err != nil || major < 2 || major > 3 {
		return pythonFault{severity: finding.Error, message: fmt.Sprintf("there is no Python %s: write a version such as 3.11", shown(version))}, true
	}
	if fault.message == "" {
		if m[4] == "" {
			return fault, false
		}
		fault.severity = finding.Warning
		fault.message = "the Python version ends with a period: write %q"
	}
	right := r.Raw[:r.ConstraintPart.Start] + m[1] + version + r.Raw[r.ConstraintPart.End:]
	if pkg.Err == nil {
		fault.right = strings.TrimSpace(right)
	}
	fault.message = fmt.Sprintf(fault.message, strings.TrimSpace(right))
	return fault, true
}

// v2Conda is a v2 environment that ends where its conda file lists packages.
const v2Conda = `
-- env.yml --
$schema: https://azuremlschemas.azureedge.net/latest/environment.schema.json
name: training
image: mcr.microsoft.com/azureml/openmpi5.0-ubuntu24.04:20250401.v1
conda_file: conda.yml
-- conda.yml --
channels:
  - conda-forge
dependencies:
`
