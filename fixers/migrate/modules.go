package migrate

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema/catalog"
)

// elsewhere are signs that a program finds or creates modules in its own way.
var elsewhere = []string{"sys.path", "PYTHONPATH", "__path__", "__package__", "sys.modules", "meta_path", "importlib", "addsitedir", "runpy", "exec(", "__import__", "__getattr__", "globals(", "setattr(", "vars("}

// lacking returns the faults of a script and its modules that always import a missing module of the project. Only
// modules in the project's packages are certain to be the project's: anything else may be installed.
func (m *Migration) lacking(entry string, scripts []string) (faults []string) {
	if known, asked := m.scripts.lacking[entry]; asked {
		return known
	}
	defer func() { m.scripts.lacking[entry] = faults }()
	for _, name := range scripts {
		if slices.ContainsFunc(elsewhere, func(sign string) bool { return strings.Contains(m.scripts.text[name], sign) }) {
			return nil
		}
	}
	root := path.Dir(entry)
	for _, name := range scripts {
		for _, i := range m.scripts.importsOf(name) {
			why := ""
			switch {
			case i.dots > 0 && name == entry:
				why = "imports from its own package, and Python starts it as part of none"
			case i.dots > 0:
				why = m.lacks(above(name, i.dots), i.module, i)
			case i.module != "":
				top, rest, _ := strings.Cut(i.module, ".")
				if _, standard := catalog.Stdlib(top); standard {
					continue
				}
				if why = m.lacks(path.Join(root, top), rest, i); rest == "" && !m.Project.Exists(path.Join(root, top)) {
					why = m.unnamed(path.Join(root, top+".py"), i)
				}
			}
			if why != "" {
				faults = append(faults, fmt.Sprintf("%s:%d %s", account.Name(name), i.line, why))
			}
		}
	}
	return faults
}

// above returns the folder that the dots of a relative import in a module refer to.
func above(module string, dots int) string {
	return path.Join(path.Dir(module), strings.Repeat("../", dots-1))
}

// lacks says what part of an import the package in a folder does not have, or returns "" if that is nothing or not
// certain.
func (m *Migration) lacks(folder, module string, i imported) string {
	for part := range strings.SplitSeq(module, ".") {
		if part == "" {
			break
		}
		has, certain := m.holdsModule(folder, part)
		switch below := path.Join(folder, part); {
		case !certain:
			return ""
		case !has:
			return "imports " + account.Name(part) + " from the package " + account.Name(folder) + ", which does not have it"
		case !m.Project.Exists(below):
			return m.unnamed(below+".py", i)
		default:
			folder = below
		}
	}
	for _, name := range i.names {
		if has, certain := m.holdsModule(folder, name); !certain || has {
			continue
		}
		if why := m.unnamed(path.Join(folder, "__init__.py"), imported{names: []string{name}}); why != "" {
			return why
		}
	}
	return ""
}

// holdsModule reports whether one of the project's packages has a module; certain is false if the folder is not a
// package, or may have modules from elsewhere.
func (m *Migration) holdsModule(folder, module string) (has, certain bool) {
	code, known := m.scripts.text[path.Join(folder, "__init__.py")]
	if !known || slices.ContainsFunc(elsewhere, func(sign string) bool { return strings.Contains(code, sign) }) {
		return false, false
	}
	entries, err := os.ReadDir(filepath.Join(m.Project.Root, filepath.FromSlash(folder)))
	if err != nil || strings.HasSuffix(module, "_pb2") || strings.HasSuffix(module, "_pb2_grpc") || strings.HasSuffix(module, "version") {
		return false, false // these are created at build time
	}
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == module || strings.HasPrefix(e.Name(), module+".") }), true
}

// unnamed returns a name that an import takes from a module but that does not occur in its text, or "".
func (m *Migration) unnamed(file string, i imported) string {
	text, known := m.scripts.text[file]
	if !known || strings.Contains(text, "import *") || slices.ContainsFunc(elsewhere, func(sign string) bool { return strings.Contains(text, sign) }) {
		return ""
	}
	for _, name := range i.names {
		if indexName(text, name) < 0 && !strings.HasPrefix(name, "__") {
			return "imports " + account.Name(name) + " from " + account.Name(file) + ", which does not have it"
		}
	}
	return ""
}
