package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
)

var wheelPythonTag = Rule{
	ID:       "wheel/python-tag",
	Severity: finding.Error,
	Since:    "2026-11-20",
	Doc:      "A wheel is made for a Python version other than the environment's.",
	Why: `A wheel with compiled code works with one minor version of Python: cp35 in its name means Python 3.5. With any
other version, pip rejects it: "is not a supported wheel on this platform".`,
	Remedy: "Writes the wheel for the environment's Python, if it was published.",
	Facts:  []string{"wheels"},
	Bad:    gpuProject + "  - pip:\n    - https://cntk.ai/PythonWheel/GPU/cntk-2.1-cp36-cp36m-linux_x86_64.whl\n",
	Good:   gpuProject + "  - pip:\n    - https://cntk.ai/PythonWheel/GPU/cntk-2.1-cp35-cp35m-linux_x86_64.whl\n",
	Check: func(p *Pass) {
		for _, e := range environments(p) {
			python, ok := e.Python()
			if !ok || !e.IsUsedBy(anyTarget) {
				continue
			}
			for _, pkg := range e.Packages {
				if forPython(e, pkg) && !p.full(e.File.Source) {
					reportPythonTag(p, e, pkg, python)
				}
			}
		}
	},
}

func anyTarget(*schema.Target) bool { return true }

// otherPython reports whether a wheel fits none of the Python versions that an environment allows.
func otherPython(e *schema.Environment, w requirement.Wheel) bool {
	python, ok := e.Python()
	if !ok {
		return false
	}
	versions, err := python.Requirement.Versions()
	return err == nil && !versions.Empty() && !fitsPython(w, versions)
}

// fitsPython reports whether a wheel may fit one of the given Python versions. A wheel for the stable ABI also fits
// later versions, and tags other than CPython's are assumed to fit.
func fitsPython(w requirement.Wheel, versions requirement.Constraint) bool {
	if slices.Contains(strings.Split(w.ABI, "."), "abi3") {
		return true
	}
	for _, tag := range w.PythonTags() {
		minor, ok := pythonOfTag(tag)
		if !ok {
			return true
		}
		if c, err := requirement.ParseConstraint(requirement.Conda, "="+minor); err != nil || versions.Overlaps(c) {
			return true
		}
	}
	return false
}

// pythonOfTag returns the version in a tag such as "cp35"; ok is false for other interpreters and for a major version
// alone.
func pythonOfTag(tag string) (version string, ok bool) {
	digits, ok := strings.CutPrefix(strings.ToLower(tag), "cp")
	if !ok || len(digits) < 2 || strings.Trim(digits, "0123456789") != "" {
		return "", false
	}
	return digits[:1] + "." + digits[1:], true
}

func reportPythonTag(p *Pass, e *schema.Environment, pkg, python schema.Package) {
	tag := tagOfPython(pythonPin(e))
	var made []string
	for _, tag := range pkg.Requirement.Wheel.PythonTags() {
		version, _ := pythonOfTag(tag)
		made = append(made, version)
	}
	at := itemAt(e, pkg.Node, fmt.Sprintf("this wheel is for Python %s, but the environment has %s", strings.Join(made, " and "), strings.TrimSpace(python.Requirement.Raw)))
	var fix *finding.Fix
	wheel, known := knownWheel(pkg)
	switch {
	case tag == "":
		at.Message += ": use a wheel for that version, or change the Python version"
	case !known:
		at.Message += fmt.Sprintf(": use a wheel with %s in its name, or change the Python version", tag)
	default:
		if right, ok := rightWheel(p, e, pkg, wheel); !ok || right.PythonTag != tag {
			at.Message += "; no wheel of this release was published for that"
			break
		}
		fix = cureWheel(p, e, pkg, wheel, &at)
	}
	p.report(at, fix, itemAt(e, python.Node, "the environment's Python"))
}

// tagOfPython returns the wheel tag for a version that has a major and a minor part.
func tagOfPython(version string) string {
	parts := strings.SplitN(version, ".", 3)
	if len(parts) < 2 {
		return ""
	}
	return "cp" + parts[0] + parts[1]
}
