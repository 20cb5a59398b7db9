package catalog

import (
	"strings"
)

// StdlibModule is a top-level module of the Python standard library, 3.5 to 3.13.
type StdlibModule struct {
	Name string `column:"module"`
	// Since is the first minor version that has it, empty for 3.5 and before; Removed is the first that no longer has
	// it.
	Since, Removed string
	// Managers are the package managers with a real package of this name: a backport, or a native library.
	Managers []string
	Origin
}

var stdlibRows = &table[StdlibModule]{name: "stdlib"}

var stdlibIndex = &index[string, StdlibModule]{rows: stdlibRows, key: func(m StdlibModule) string { return m.Name }}

// Stdlib returns the standard library module with this exact name, or with its lowercase form.
func Stdlib(name string) (StdlibModule, bool) {
	m, ok := stdlibIndex.find(name)
	if lower := strings.ToLower(name); !ok && lower != name {
		m, ok = stdlibIndex.find(lower)
	}
	return m, ok
}

// In reports whether a Python version (3.5.2) ships the module. For a version without a minor part, it reports whether
// all recorded versions do. It is false for versions before 3.5, which are not recorded.
func (m StdlibModule) In(python string) bool {
	if len(numbers(python)) < 2 {
		return m.Since == "" && m.Removed == ""
	}
	return CompareVersions(python, "3.5") >= 0 &&
		(m.Since == "" || CompareVersions(python, m.Since) >= 0) &&
		(m.Removed == "" || CompareVersions(python, m.Removed) < 0)
}

// Misspelling is a name that people write for a package that has another name.
type Misspelling struct {
	Name string
	// Manager is pip or conda; empty means both.
	Manager string
	Right   string
	// Kind is misspelt, import-name (what Python imports, not what is installed), wrong-manager (the name that the
	// other package manager uses) or stub (its newest release refuses to be installed, older ones may not).
	Kind string
	Origin
}

var misspeltRows = &table[Misspelling]{name: "misspelt"}

// misspeltIndex maps a name to its rows, of which there are at most two.
var misspeltIndex = &groups[string, Misspelling]{rows: misspeltRows, keys: func(m *Misspelling) []string { return []string{m.Name} }}

// Misspelt returns the right name for a package name that is known to be wrong.
func Misspelt(manager, name string) (Misspelling, bool) {
	for _, m := range misspeltIndex.find(normalName(manager, name)) {
		if m.Manager == "" || m.Manager == manager {
			return m, true
		}
	}
	return Misspelling{}, false
}

// named is a row that says only that its name is in the table.
type named struct{ Name string }

func (n named) key() string { return n.Name }

var (
	packageRows  = &table[named]{name: "packages"}
	packageIndex = &index[string, named]{rows: packageRows, key: func(n named) string { return normalName(Pip, n.Name) }}
)

// PackageNames returns known package names of both managers, for suggestions. A name that is not listed may still
// exist.
func PackageNames() []string { return namesOf(packageRows.all(), named.key) }

// KnownPackage reports whether PackageNames lists a name, in any PEP 503 spelling.
func KnownPackage(name string) bool { return packageIndex.has(normalName(Pip, name)) }

var (
	namesakeRows  = &table[named]{name: "namesakes"}
	namesakeIndex = &index[string, named]{rows: namesakeRows, key: named.key}
)

// Namesake reports whether conda and pip are recorded to mean different software by a name, in any PEP 503 spelling.
func Namesake(name string) bool { return namesakeIndex.has(normalName(Pip, name)) }
