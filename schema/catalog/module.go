package catalog

// Module is a module of Python, most of them top-level ones, and the packages that contain it.
type Module struct {
	Module string
	// Packages are the names in PyPI and conda-forge, normalised as PEP 503 does; the first is what to install.
	Packages []string
	Origin
}

// brought is a package and what it may install besides itself, of the first packages of modules.
type brought struct {
	Package string
	Brings  []string
	Origin
}

var (
	moduleIndex = &index[string, Module]{rows: &table[Module]{name: "modules"}, key: func(m Module) string { return m.Module }}
	bringsIndex = &index[string, brought]{rows: &table[brought]{name: "brings"}, key: func(b brought) string { return b.Package }}
)

// LookupModule returns the module of this name. Only modules that few packages install along with themselves are
// listed.
func LookupModule(name string) (Module, bool) { return moduleIndex.find(name) }

// Brings returns what a package, in normalised spelling, may install besides itself, as far as it matters for modules:
// more rather than less. It is false if that is not known.
func Brings(name string) ([]string, bool) {
	b, ok := bringsIndex.find(name)
	return b.Brings, ok
}
