package catalog

// SourcePackage is a pip package that has no wheel for Linux, so that pip has to build it.
type SourcePackage struct {
	Package string
	// Conda is its name in conda-forge, which has a build; empty if it is better to replace the package.
	Conda string
	// Why is a sentence without its period that explains why.
	Why string
	// Needs is what its build needs that pip does not install for it, and Instead what to do; empty if it builds.
	Needs, Instead string
	Origin
}

var (
	sourceRows  = &table[SourcePackage]{name: "source_only"}
	sourceIndex = &index[string, SourcePackage]{rows: sourceRows, key: func(p SourcePackage) string { return p.Package }}
)

// SourceOnly returns the row of a pip package, in any PEP 503 spelling, that is published only as source, from table
// source_only. Nothing is known about packages that are not listed.
func SourceOnly(name string) (SourcePackage, bool) {
	return sourceIndex.find(normalName(Pip, name))
}
