package check

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"

	"github.com/amlfix/amlfix/schema"
)

// FromText returns the project of one file whose text is given, limited to the findings in that text. The file need not
// exist: editors check texts that were never saved.
func (e *Engine) FromText(name string, text []byte) Found {
	path := e.Identity(name)
	list, err := schema.Discover([]string{e.Path(name)})
	if err != nil || len(list) == 0 {
		list = []schema.Root{unsaved(path, text)}
	}
	// If several projects refer to the file, the largest shows it in context.
	of := slices.MaxFunc(list, func(a, b schema.Root) int { return cmp.Compare(a.Files.Len(), b.Files.Len()) })
	f := Found{Roots: []Root{{Root: of}}}
	f.complete(e, nil)
	for i := range f.Roots {
		f.Roots[i].scope = &scope{files: map[string]bool{path: true}, text: path, content: text}
	}
	return f
}

// unsaved returns the project to which a file with this text would belong if it existed.
func unsaved(path string, text []byte) schema.Root {
	home := schema.ProjectOfText(path, text)
	if home != schema.ProjectOf(filepath.Dir(path)) {
		list, _ := schema.Discover([]string{home}) // what cannot be read there is not linked
		if i := slices.IndexFunc(list, func(r schema.Root) bool { return r.Dir == home }); i >= 0 {
			return list[i]
		}
		return schema.Root{Dir: home, Boundary: home, Files: schema.NewPaths(home, path)}
	}
	for _, folder := range schema.ConfigFolders {
		if list, err := schema.Discover([]string{filepath.Join(home, folder)}); err == nil && len(list) == 1 {
			return list[0]
		}
	}
	return schema.Root{Dir: home, Boundary: home, Files: schema.NewPaths(home, path)}
}

// withUnsaved adds unsaved texts below the given paths to the files of their projects, and the projects that they form
// to those found on disk.
func (e *Engine) withUnsaved(roots []schema.Root, paths []string) []schema.Root {
	if len(e.Texts) == 0 {
		return roots // as on the command line
	}
	searched := make([]string, len(paths))
	for i, p := range paths {
		searched[i] = schema.Identity(p)
	}
	found := map[string]bool{} // on disk: no other project gets them, and nothing is searched again
	for _, r := range roots {
		for _, path := range r.Files.All() {
			found[path] = true
		}
	}
	for _, path := range e.sortedTexts() {
		inside := func(folder string) bool { return schema.Below(folder, path) }
		if found[path] || !schema.Discovers(path, e.Texts[path]) || !slices.ContainsFunc(searched, inside) {
			continue
		}
		home := unsaved(path, e.Texts[path])
		i := slices.IndexFunc(roots, func(r schema.Root) bool { return r.Dir == home.Dir })
		if i < 0 {
			roots = append(roots, home)
			i = len(roots) - 1
		}
		roots[i].Files = roots[i].Files.And(path)
	}
	return roots
}

func (e *Engine) sortedTexts() []string { return slices.Sorted(maps.Keys(e.Texts)) }

// onlyText reports whether a path that does not exist contains unsaved texts.
func (e *Engine) onlyText(path string) bool {
	return slices.ContainsFunc(e.sortedTexts(), func(name string) bool { return schema.Below(schema.Identity(path), name) })
}
