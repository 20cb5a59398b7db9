package catalog

// SourcePackage is a pip package without a wheel for Linux: pip has to build it.
type SourcePackage struct {
	Package string
	// Conda is its name in conda-forge, where it is built; empty when it is better
	// replaced.
	Conda string
	// Why says what is known, in a sentence without its end.
	Why string
	Origin
}

var sourceRows = load("source_only", func(r record) SourcePackage {
	return SourcePackage{Package: r.text("package"), Conda: r.text("conda"), Why: r.text("why"), Origin: r.origin()}
})

var sourceIndex = index(sourceRows, func(p SourcePackage) string { return p.Package })

// SourceOnly finds a pip package that is published only as source, from table
// source_only, in any PEP 503 spelling. Packages that it does not list are unknown.
func SourceOnly(name string) (SourcePackage, bool) {
	p, ok := sourceIndex()[normalName(Pip, name)]
	return p, ok
}
