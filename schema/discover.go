package schema

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/amlfix/amlfix/schema/plain"
)

// Root is a project found on disk, not yet read. All paths are identities (see Identity), and all except Boundary
// depend only on the disk, not on the path that led to the project.
type Root struct {
	// Dir is the project's root folder: the parent of its configuration folder.
	Dir string
	// Files are the files to read.
	Files Paths
	// Names are the slash-separated paths from Dir of files that have other names than their own because links lead to
	// them, best first.
	Names map[string][]string
	// Runs are those of Files that only their text shows to be run configurations of SDK v1.
	Runs []string
	// Loose is how many of Files are conda files outside the configuration folders that only their packages show to be
	// for Azure ML.
	Loose int
	// Boundary is the folder outside which no file named by the project is read: the repository, or, if there is none,
	// the path that was given.
	Boundary string
	// Bare says that Dir was listed and holds neither .git nor a file of amlfix's own, so there is no need to look for
	// them there.
	Bare bool
	// Listed says that the listings of their folders have shown all Files as regular files.
	Listed bool
	// Flat says that the listings of the configuration folders in Dir have shown only regular files.
	Flat bool
}

// OnlyV2 reports whether what a project holds at or below a folder is v2 and none of the older dialects: nothing in it
// can be run or migrated.
func (r Root) OnlyV2(folder string) bool {
	below := func(f string) bool { return within(folder, f) }
	return !slices.ContainsFunc(r.Runs, below) && !slices.ContainsFunc(r.Files.All(), func(f string) bool {
		ext := filepath.Ext(f)
		return within(folder, f) && (ext == ".runconfig" || ext == ".compute" || isConfigFolder(filepath.Base(filepath.Dir(f))))
	})
}

// FolderRoot returns a folder as a project without files, to which what programs build is added.
func FolderRoot(dir string) Root {
	dir = Identity(dir)
	return Root{Dir: dir, Boundary: cmp.Or(Repository(dir), dir)}
}

// PathError reports that a path given by the user, or a folder found on the way, cannot be used.
type PathError struct {
	Path string
	Err  error
}

func (e *PathError) Error() string {
	return fmt.Sprintf("%s: %v", shortPath(e.Path), readCause(e.Err))
}
func (e *PathError) Unwrap() error { return e.Err }

// readCause says why a path cannot be read, and what the user can do about it, if anything.
func readCause(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("no such file or folder")
	case errors.Is(err, fs.ErrPermission):
		return errors.New("no permission to read it")
	case errors.Is(err, syscall.ENAMETOOLONG):
		return errors.New("its path is too long for this system, so what is below it was not checked: move the project to a shorter path")
	}
	return plain.Cause(err)
}

// shortPath returns the first 300 bytes of a path that is too long to read.
func shortPath(name string) string {
	const most = 300
	if len(name) <= most {
		return name
	}
	return strings.ToValidUTF8(name[:most], "") + "…"
}

// PathErrors returns the errors of Discover one by one.
func PathErrors(err error) (list []*PathError) {
	several, ok := err.(interface{ Unwrap() []error }) // that of errors.Join
	if !ok {
		return nil
	}
	for _, e := range several.Unwrap() {
		if one, ok := errors.AsType[*PathError](e); ok {
			list = append(list, one)
		}
	}
	return list
}

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
	entries, err := os.ReadDir(dir)
	d.whole[filepath.Dir(dir)] = true
	tree := treeOf(dir, Repository(dir))
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return !e.IsDir() && onlyV2(d.identity(filepath.Join(dir, e.Name())), filepath.Base(dir))
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

// project is a Root under construction.
type project struct {
	Root
	odd   bool                // a file is a link, a pipe or a device
	rest  []string            // of Files
	names map[string]string   // of all projects
	links map[string][]string // names that are not identities, by identity
}

// add adds a file, reached by a name that may be a link's. regular says that a listing showed it as a regular file.
func (p *project) add(id, name string, regular bool) {
	p.odd = p.odd || !regular
	if id == name {
		p.rest = append(p.rest, shared(p.names, behind(p.Dir, id)))
		return
	}
	if p.links == nil {
		p.links = map[string][]string{}
	}
	p.links[id] = append(p.links[id], relative(p.Dir, name))
}

// root returns the Root. Of several names of a file, those in a configuration folder come first, then its own.
func (p *project) root() Root {
	p.Listed = !p.odd
	p.Files = newPaths(p.Dir, p.rest)
	if p.links == nil {
		return p.Root
	}
	p.Names = map[string][]string{}
	var linked []string
	for id, names := range p.links {
		slices.Sort(names)
		if p.Files.Contain(id) {
			names = slices.Insert(names, 0, relative(p.Dir, id))
		} else {
			linked = append(linked, behind(p.Dir, id))
		}
		slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(configRank(a), configRank(b)) })
		p.Names[id] = slices.Compact(names)
	}
	p.Files = newPaths(p.Dir, append(p.Files.rest, linked...))
	return p.Root
}

func configRank(rel string) int {
	if isConfigFolder(filepath.Dir(rel)) {
		return 0
	}
	return 1
}
