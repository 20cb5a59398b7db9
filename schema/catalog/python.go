package catalog

// PythonRelease is a minor version of Python.
type PythonRelease struct {
	Version string
	// EndOfLife is the month (2006-01) in which support ends.
	EndOfLife string
	Origin
}

// SparkRelease is a version of the Spark runtime of Azure ML.
type SparkRelease struct {
	Version string
	// Status is current, unsupported or disabled (jobs are refused).
	Status string
	// EndedOn is the day (2006-01-02) on which its support ended; Successor is the version to use instead.
	EndedOn, Successor string
	// Python is the minor version that its jobs run on.
	Python string
	Origin
}

var (
	pythonRows  = &table[PythonRelease]{name: "pythons"}
	pythonIndex = &index[string, PythonRelease]{rows: pythonRows, key: func(p PythonRelease) string { return p.Version }}
	sparkRows   = &table[SparkRelease]{name: "spark_runtimes"}
	sparkIndex  = &index[string, SparkRelease]{rows: sparkRows, key: func(s SparkRelease) string { return s.Version }}
)

// PythonEnd returns the release of a Python version (3.5.2, 3.5), from table pythons. PhaseOf(EndOfLife, …) says
// whether its support has ended.
func PythonEnd(version string) (PythonRelease, bool) { return byVersion(pythonIndex.find, version) }

// EndedPython is like PythonEnd, but returns false unless support has ended on the day asOf (2006-01-02).
func EndedPython(version, asOf string) (PythonRelease, bool) {
	p, ok := PythonEnd(version)
	if !ok || PhaseOf(p.EndOfLife, asOf) < Ended {
		return PythonRelease{}, false
	}
	return p, true
}

// SparkRuntime returns a version of the Spark runtime, from table spark_runtimes.
func SparkRuntime(version string) (SparkRelease, bool) { return byVersion(sparkIndex.find, version) }

// Pythons returns the recorded minor versions of Python, oldest first.
func Pythons() []string {
	return namesOf(pythonRows.all(), func(p PythonRelease) string { return p.Version })
}
