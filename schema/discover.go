package schema

import (
	"cmp"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/plain"
)

// ConfigFolders are the names of the folders Azure ML keeps run configurations in: Workbench and early SDK v1 used
// aml_config, later SDK v1 .azureml.
var ConfigFolders = []string{"aml_config", ".azureml"}

// Discover finds the projects at or below paths; a path may be a folder, a configuration folder, or a file. A file
// stands for the project it belongs to, or for those that refer to it; a file unrelated to any job stands for none. All
// files of each project are found, whichever path led to it. Roots are sorted by folder and each appears once. Links in
// the given paths are followed; version control folders, node_modules and virtual environments are skipped, and links
// found on the way are followed only to files of the same tree. The error joins a *PathError (see PathErrors) for each
// path that does not exist or cannot be read; the projects of the others are returned anyway.
func Discover(paths []string) ([]Root, error) {
	roots, _, err := Search(paths)
	return roots, err
}

// Search is Discover that also returns the folders and YAML files below the paths that it may not read: they may belong
// to a job.
func Search(paths []string) (roots []Root, closed []string, err error) {
	d := &discovery{projects: map[string]*project{}, whole: map[string]bool{}, homes: map[string]string{}, deep: map[string]bool{}, trees: map[string][]Root{}}
	for _, p := range paths {
		if err := d.add(p); err != nil {
			d.problems = append(d.problems, &PathError{Path: p, Err: err})
		}
	}
	for dir := range d.projects {
		d.whole[dir] = true
	}
	for _, dir := range slices.Sorted(maps.Keys(d.whole)) { // the order of errors
		if !slices.ContainsFunc(d.walked, func(top string) bool { return within(top, dir) }) {
			d.complete(dir)
		}
	}
	roots = make([]Root, 0, len(d.projects))
	lists := map[string][]string{}
	for dir, p := range d.projects {
		root := p.root()
		root.Flat = !d.deep[dir]
		root.Files.share(lists)
		roots = append(roots, root)
		delete(d.projects, dir)
	}
	plain.SortFunc(roots, func(a, b Root) int { return cmp.Compare(a.Dir, b.Dir) })
	slices.Sort(d.closed)
	closed = slices.DeleteFunc(slices.Compact(d.closed), func(name string) bool {
		return !slices.ContainsFunc(d.walked, func(top string) bool { return within(top, name) })
	})
	return roots, closed, errors.Join(d.problems...)
}

// discovery is what has been found so far, by identities.
type discovery struct {
	resolver
	projects map[string]*project
	walked   []string          // folders that were searched
	whole    map[string]bool   // project folders whose files are all wanted
	homes    map[string]string // the project above a folder, "" for none
	deep     map[string]bool   // folders with a configuration folder that holds more than regular files
	own      string            // the user's home folder, see everybodys
	trees    map[string][]Root // the projects of a folder, see around
	problems []error
	closed   []string          // what may not be read
	names    map[string]string // of files, relative to the folders of their projects
}

func (d *discovery) add(p string) error {
	info, err := os.Stat(p)
	if err != nil {
		return err
	}
	abs, err := filepath.Abs(p)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		d.addFile(abs)
		return nil
	}
	dir := d.identity(abs)
	if isConfigFolder(filepath.Base(dir)) {
		return d.addConfig(dir)
	}
	d.walked = append(d.walked, dir)
	tree, parent := Repository(dir), above(dir)
	return d.walk(dir, place{home: d.projectAt(parent), tree: tree, top: dir, apart: apart(parent, tree)})
}

// addConfig adds the project of a configuration folder, and that of the v2 files in it, which is the repository's.
func (d *discovery) addConfig(dir string) error {
	entries, err := disk.List(dir)
	d.whole[filepath.Dir(dir)] = true
	tree := treeOf(dir, Repository(dir))
	if slices.ContainsFunc(entries, func(e disk.Entry) bool {
		return !e.IsDir() && onlyV2(d.identity(filepath.Join(dir, e.Name)), filepath.Base(dir))
	}) {
		d.whole[cmp.Or(tree, filepath.Dir(dir))] = true
	}
	return err
}

// addFile adds the whole project that a file belongs to. A link stands for a file of the project that it is in, or, if
// it leads elsewhere, of the project it leads to.
func (d *discovery) addFile(abs string) {
	id, folder := d.identity(abs), d.identity(filepath.Dir(abs))
	config := isConfigFolder(filepath.Base(folder))
	home := filepath.Dir(folder)
	if !config {
		home = cmp.Or(d.projectAt(folder), folder)
	}
	switch {
	case filepath.Dir(id) != folder && !readableIn(cmp.Or(Repository(folder), home), id):
		d.addFile(id)
	case config:
		if tree := Repository(folder); treeOf(folder, tree) != home && onlyV2(id, filepath.Base(folder)) {
			home = cmp.Or(treeOf(folder, tree), home)
		}
		d.whole[home] = true
	default:
		d.addNamed(abs, id, folder)
	}
}

// complete finds all files of the project in a folder.
func (d *discovery) complete(dir string) {
	tree := Repository(dir)
	at := place{tree: tree, top: dir, only: dir, apart: apart(dir, tree)}
	if p := d.projects[dir]; p != nil {
		at.top = p.Boundary
	}
	if err := d.walk(dir, at); err != nil {
		d.met(dir, err)
	}
}

// project returns the project of a folder, to which files can be added.
func (d *discovery) project(dir string, at place) *project {
	boundary := at.boundary()
	if !within(boundary, dir) {
		boundary = dir
	}
	p := d.projects[dir]
	if p == nil {
		p = &project{Root: Root{Dir: dir, Boundary: boundary}}
		if d.names == nil {
			d.names = map[string]string{}
		}
		p.names = d.names
		d.projects[dir] = p
	} else if within(boundary, p.Boundary) {
		p.Boundary = boundary
	}
	return p
}
