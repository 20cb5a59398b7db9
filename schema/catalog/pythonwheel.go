package catalog

import (
	"cmp"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/requirement"
)

// Answer is yes, no, or that nothing is known.
type Answer int

// The answers; the zero value is Unknown.
const (
	Unknown Answer = iota
	No
	Yes
)

// PythonWheels is which releases of a package have a wheel for one Python, for
// Linux on x86-64 or for every platform, on PyPI.
type PythonWheels struct {
	Package, Python string
	// First and Last are the oldest and the newest release with a wheel that this
	// Python may install; empty when there is none.
	First, Last string
	// Latest is the newest release of the package when the row was seen.
	Latest string
	// Gaps are releases in between without a wheel: 1.1, or 1.1..1.4 for all from the
	// one to the other; "*" when there are more than the row lists.
	Gaps []string
	// Status is current (Last is Latest), ended or none.
	Status string
	Origin
}

var (
	pythonWheelRows = load("python_wheels", func(r record) PythonWheels {
		return PythonWheels{
			Package: r.text("package"), Python: r.text("python"), First: r.text("first"), Last: r.text("last"),
			Latest: r.text("latest"), Gaps: r.list("gaps"), Status: r.text("status"), Origin: r.origin(),
		}
	})
	pythonWheelIndex = index(pythonWheelRows, func(w PythonWheels) [2]string { return [2]string{w.Package, w.Python} })
)

// WheelsFor returns which releases of a pip package have a wheel for a Python
// (3.11, 3.11.4); ok is false when nothing is recorded.
func WheelsFor(pkg, python string) (w PythonWheels, ok bool) {
	w, ok = pythonWheelIndex()[[2]string{normalName(Pip, pkg), join(numbers(python), 2)}]
	w.Gaps = slices.Clone(w.Gaps)
	return w, ok
}

// WheelFor reports whether a release of a pip package has a wheel for a Python,
// from table python_wheels. Releases that are newer than the table, pre-releases
// and packages that it does not list are Unknown. No is not that an installation
// fails: pip then builds the source distribution, if there is one.
func WheelFor(pkg, version, python string) Answer {
	w, ok := WheelsFor(pkg, python)
	if !ok {
		return Unknown
	}
	v, err := requirement.ParseVersion(version)
	if err != nil || v.Prerelease() {
		return Unknown
	}
	than := func(release string) int {
		r, err := requirement.ParseVersion(release)
		if err != nil {
			panic("catalog: python_wheels.csv: " + err.Error())
		}
		return v.Compare(r)
	}
	switch {
	case v.Local() != "" || than(w.Latest) > 0:
		return Unknown
	case w.Last == "" || than(w.First) < 0 || than(w.Last) > 0:
		return No
	case than(w.First) == 0 || than(w.Last) == 0:
		return Yes
	case slices.Contains(w.Gaps, "*"):
		return Unknown
	case slices.ContainsFunc(w.Gaps, func(gap string) bool {
		from, to, _ := strings.Cut(gap, "..")
		return than(from) >= 0 && than(cmp.Or(to, from)) <= 0
	}):
		return No
	}
	return Yes
}
