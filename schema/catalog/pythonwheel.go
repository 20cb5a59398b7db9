package catalog

import (
	"cmp"
	"strings"

	"github.com/amlfix/amlfix/schema/requirement"
)

// Answer is yes, no or unknown.
type Answer int

// The answers; the zero value is Unknown.
const (
	Unknown Answer = iota
	No
	Yes
)

// PythonWheels says which releases of a package one Python version can install from PyPI without a compiler on Linux on
// x86-64: those with a wheel and, if the package's wheels fit every platform, those with sources.
type PythonWheels struct {
	Package, Python string
	// First and Last are the oldest and the newest of these releases; empty if there are none.
	First, Last string
	// Latest is the newest release of the package when the row was seen.
	Latest string
	// Gaps are the releases in between that cannot be installed: 1.1, or 1.1..1.4 for a range with both ends included.
	Gaps []string
	// Compiled is the newest release that this Python version can build with a compiler; most older ones have sources,
	// too. It is empty if there are no sources or they need no compiler.
	Compiled string
	Origin
}

// pypiRow is a row of the table: a package with its Python versions, not parsed yet.
type pypiRow struct {
	Package, Latest string
	Pythons         []string
	Origin
}

var (
	pypiRows  = &table[pypiRow]{name: "python_wheels"}
	pypiIndex = &index[string, pypiRow]{rows: pypiRows, key: func(w pypiRow) string { return w.Package }}
)

// of parses what the row says about a Python version: "3.8 1.17.3..1.24.4 !1.20.0 <=1.24.4".
func (w pypiRow) of(python string) (PythonWheels, bool) {
	for _, item := range w.Pythons {
		version, rest, _ := strings.Cut(item, " ")
		if version != python {
			continue
		}
		found := PythonWheels{Package: w.Package, Python: python, Latest: w.Latest, Origin: w.Origin}
		for word := range strings.FieldsSeq(rest) {
			switch {
			case strings.HasPrefix(word, "!"):
				found.Gaps = append(found.Gaps, word[1:])
			case strings.HasPrefix(word, "<="):
				found.Compiled = word[2:]
			default:
				found.First, found.Last, _ = strings.Cut(word, "..")
				found.Last = cmp.Or(found.Last, found.First)
			}
		}
		return found, true
	}
	return PythonWheels{}, false
}

// WheelsFor returns which releases of a pip package a Python version (3.11, 3.11.4) can install without a compiler, or
// false if nothing is recorded.
func WheelsFor(pkg, python string) (PythonWheels, bool) {
	row, _ := pypiIndex.find(normalName(Pip, pkg))
	return row.of(join(numbers(python), 2))
}

// AllWheels returns what is recorded about a pip package for every Python version, oldest first.
func AllWheels(pkg string) (list []PythonWheels) {
	for _, python := range Pythons() {
		if w, ok := WheelsFor(pkg, python); ok {
			list = append(list, w)
		}
	}
	return list
}

// WheelFor says whether a Python version can install a release of a pip package without a compiler, from table
// python_wheels. It is Unknown for pre-releases, for releases newer than the table, and for packages that the table
// does not list. If it is No, pip compiles releases up to PythonWheels.Compiled and finds nothing to install for later
// ones.
func WheelFor(pkg, version, python string) Answer {
	w, ok := WheelsFor(pkg, python)
	if !ok {
		return Unknown
	}
	v, err := requirement.ParseVersion(version)
	if err != nil || v.Prerelease() {
		return Unknown
	}
	than := func(release string) int { return against(v, release) }
	switch {
	case v.Local() != "" || than(w.Latest) > 0:
		return Unknown
	case w.Last == "" || than(w.First) < 0 || than(w.Last) > 0:
		return No
	case than(w.First) == 0 || than(w.Last) == 0:
		return Yes
	}
	if _, _, missing := w.Gap(v); missing {
		return No
	}
	return Yes
}

// Gap returns the first and the last release of the gap that a release is in; missing is false if it is not in a gap.
func (w PythonWheels) Gap(v requirement.Version) (from, to string, missing bool) {
	for _, gap := range w.Gaps {
		from, to, _ := strings.Cut(gap, "..")
		if to = cmp.Or(to, from); against(v, from) >= 0 && against(v, to) <= 0 {
			return from, to, true
		}
	}
	return "", "", false
}

// against compares a version with a release of the table.
func against(v requirement.Version, release string) int {
	r, err := requirement.ParseVersion(release)
	if err != nil {
		panic("catalog: python_wheels.csv: " + err.Error())
	}
	return v.Compare(r)
}
