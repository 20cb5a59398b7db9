package schema

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// place is what is known about the folders above one that is searched.
type place struct {
	home string // the nearest project, "" for none
	tree string // the repository, "" for none
	top  string // where the search began
	only string // the only project whose files are wanted, "" for all
	// all is the folder that counts as the repository if there is none: the one that was named, or "" for the folder of
	// each file.
	all string
	// apart is the nearest folder above with its own settings, or "".
	apart string
}

// ofV2 returns the folder of the project that a v2 file in a folder belongs to. A repository is one project, since its
// files name each other wherever they are, except for folders with their own settings: settings apply to whole
// projects.
func (at place) ofV2(dir string) string {
	if at.tree != "" {
		return cmp.Or(at.apart, at.tree)
	}
	return cmp.Or(deepest(at.apart, deepest(at.home, at.all)), dir)
}

// deepest returns the deeper one of two folders above the same file.
func deepest(a, b string) string {
	if len(a) > len(b) {
		return a
	}
	return b
}

// treeOf returns the folder of the project that v2 files in a folder of a repository belong to.
func treeOf(dir, tree string) string { return cmp.Or(apart(dir, tree), tree) }

// apart returns the nearest folder with its own settings, from a folder up to the root of its repository, or "".
func apart(dir, tree string) string {
	for up := dir; tree != "" && within(tree, up); up = filepath.Dir(up) {
		if slices.ContainsFunc(settingsNames, func(name string) bool { return exists(filepath.Join(up, name)) }) {
			return up
		}
	}
	return ""
}

// boundary returns the folder that no followed link may leave.
func (at place) boundary() string { return cmp.Or(at.tree, at.top) }

// wants reports whether files of one of some projects are wanted.
func (at place) wants(dirs ...string) bool { return at.only == "" || slices.Contains(dirs, at.only) }

// walk finds the files of projects in a folder and below it. The error is that of the folder itself.
func (d *discovery) walk(dir string, at place) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == ".git" }) {
		at.tree, at.home, at.apart = dir, "", ""
	}
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return slices.Contains(settingsNames, e.Name()) }) {
		at.apart = dir
	}
	if at.all == "" && (at.tree != "" || !isRoot(dir) && !d.everybodys(dir)) {
		at.all = dir
	}
	config := false
	for _, e := range entries {
		if isConfigFolder(e.Name()) {
			name := entryOf(dir, e.Name())
			if real, ok := d.folder(name, e, at.boundary()); ok {
				config = true
				if at.wants(dir, at.ofV2(dir)) {
					d.addConfigFolder(name, real, at)
				}
			}
		}
	}
	defer d.bare(dir, entries)
	shared := dir == at.top && at.tree == "" && d.everybodys(dir)
	if config && !shared {
		at.home = dir
	}
	if !at.wants(cmp.Or(at.home, dir), at.ofV2(dir)) {
		return nil
	}
	for _, e := range entries {
		if wanted, _ := stray(e.Name()); !wanted && !e.IsDir() || isConfigFolder(e.Name()) {
			continue // most files: without the cost of a path
		}
		name := entryOf(dir, e.Name())
		switch {
		case !e.IsDir():
			d.addStray(name, e, at)
		case at.only == dir && at.home == "" && at.only != at.ofV2(name), skipFolder(name, e.Name()):
		default:
			if err := d.walk(name, at); err != nil {
				d.met(name, err)
			}
		}
	}
	return nil
}

// bare marks the project of a folder that has no entry that Finders look for.
func (d *discovery) bare(dir string, entries []fs.DirEntry) {
	if p := d.projects[dir]; p != nil {
		p.Bare = !slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
			name := strings.ToLower(e.Name())
			return name == ".git" || strings.HasPrefix(name, ".amlfix")
		})
	}
}

// folder returns the identity of a folder that an entry is, or leads to inside the boundary.
func (d *discovery) folder(name string, e fs.DirEntry, boundary string) (string, bool) {
	if e.Type()&fs.ModeSymlink == 0 {
		return name, e.IsDir()
	}
	info, err := os.Stat(name)
	if err != nil || !info.IsDir() {
		return "", false
	}
	id := d.identity(name)
	return id, readableIn(boundary, id)
}

// addConfigFolder adds the files of a configuration folder, whose identity is real; v2 files are added to the project
// of the tree.
func (d *discovery) addConfigFolder(dir, real string, at place) {
	entries, err := os.ReadDir(real)
	if err != nil {
		d.problems = append(d.problems, &PathError{Path: dir, Err: err})
		return
	}
	at.home = above(dir)
	v2 := at.ofV2(dir)
	for _, e := range entries {
		if !e.Type().IsRegular() {
			d.deep[at.home] = true
		}
		if !e.IsDir() && strings.EqualFold(filepath.Ext(e.Name()), ".json") {
			d.addStray(entryOf(dir, e.Name()), e, at)
		}
		if e.IsDir() || !readable(e.Name()) && (!e.Type().IsRegular() || !isSaved(entryOf(real, e.Name()), filepath.Base(dir))) {
			continue
		}
		id := entryOf(real, e.Name())
		name := id
		if real != dir {
			name = entryOf(dir, e.Name())
		}
		if e.Type()&fs.ModeSymlink != 0 {
			// A broken link is read, and the failure is a finding.
			if id = d.identity(id); !readableIn(at.boundary(), id) {
				continue
			}
		}
		home := at.home
		if v2 != home && onlyV2(id, filepath.Base(dir)) {
			home = v2
		}
		if at.wants(home) {
			d.project(home, at).add(id, name, e.Type().IsRegular())
		}
	}
}

// onlyV2 reports whether a file of a configuration folder is a v2 file and not a run configuration. Most are recognized
// by name.
func onlyV2(name, folder string) bool {
	base := filepath.Base(name)
	switch filepath.Ext(base) {
	case ".compute", ".runconfig":
		return false
	}
	if strings.Contains(base, "_dependencies") {
		return false
	}
	if v2, err := saysV2(name); !v2 || err != nil {
		return false
	}
	text, err := readFile(name)
	return err == nil && parseFile(name, []string{folder + "/" + base}, text, nil).V2 != ""
}

// isSaved reports whether a file of a configuration folder is a run configuration without an ending.
func isSaved(name, folder string) bool {
	if filepath.Ext(name) != "" {
		return false
	}
	text, err := readFile(name)
	return err == nil && savedText(folder+"/"+filepath.Base(name), text)
}

func savedText(name string, text []byte) bool {
	return parseFile(name, []string{name}, text, nil).Kind == RunConfig
}

// stray reports whether a file outside a configuration folder may be one of a job, by its name, and whether its text
// must then say so.
func stray(name string) (wanted, asked bool) {
	switch ext := filepath.Ext(name); strings.ToLower(ext) {
	case ".yml", ".yaml", ".json":
		return true, true
	default:
		return ext == ".runconfig", false
	}
}

// addStray adds a file outside a configuration folder if it belongs to a job: a v2 file, and a conda file that is
// surely for Azure ML, to the project of the tree, others to the nearest project above them, or to one of their own
// folder.
func (d *discovery) addStray(name string, e fs.DirEntry, at place) {
	wanted, asked := stray(e.Name())
	if !wanted {
		return
	}
	dir := above(name)
	home, v2 := cmp.Or(at.home, dir), at.ofV2(dir)
	if !at.wants(home, v2) {
		return
	}
	id := name
	if e.Type()&fs.ModeSymlink != 0 {
		if id = d.identity(name); !exists(id) || !readableIn(at.boundary(), id) {
			return
		}
	}
	what := foreign
	if asked {
		var err error
		switch what, err = saysOf(id); {
		case what == foreign && err != nil:
			d.met(name, err)
			return
		case what == foreign:
			return
		case what != ofSDK:
			home = v2
		}
	}
	if !at.wants(home) {
		return
	}
	p := d.project(home, at)
	p.add(id, name, e.Type().IsRegular())
	switch what {
	case ofSDK:
		p.Runs = append(p.Runs, id)
	case condaOnly:
		p.Loose++
	case foreign, ofV2:
	}
}

// Discovers reports whether Discover counts a file with a text as part of a project.
func Discovers(name string, text []byte) bool {
	folder, base := filepath.Base(filepath.Dir(name)), filepath.Base(name)
	if isConfigFolder(folder) && (readable(base) || filepath.Ext(base) == "" && savedText(folder+"/"+base, text)) {
		return true
	}
	wanted, asked := stray(base)
	return wanted && (!asked || textSays(name, text) != foreign)
}

// met records that something found on the way cannot be read. That is no problem if it may not be: nothing shows that
// it belongs to a job. JSON rarely does, and what is in a folder for everybody is somebody else's.
func (d *discovery) met(name string, err error) {
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case !errors.Is(err, fs.ErrPermission):
		d.problems = append(d.problems, &PathError{Path: name, Err: err})
	case strings.ToLower(filepath.Ext(name)) != ".json" && !d.everybodys(filepath.Dir(name)):
		d.closed = append(d.closed, name)
	}
}

// ProjectOf returns the folder of the project that a file in a folder belongs to, or would belong to if it were there.
func ProjectOf(dir string) string {
	d := &discovery{homes: map[string]string{}}
	dir = Identity(dir)
	if isConfigFolder(filepath.Base(dir)) {
		return filepath.Dir(dir)
	}
	return cmp.Or(d.projectAt(dir), dir)
}

// ProjectOfText is ProjectOf for a file with a text: one of v2 belongs to its repository.
func ProjectOfText(name string, text []byte) string {
	dir, base := Identity(filepath.Dir(name)), filepath.Base(name)
	tree, folder := treeOf(dir, Repository(dir)), filepath.Base(dir)
	if _, asked := stray(base); asked && tree != "" {
		if what := textSays(name, text); what != foreign && what != ofSDK && (!isConfigFolder(folder) || parseFile(name, []string{folder + "/" + base}, text, nil).V2 != "") {
			return tree
		}
	}
	return ProjectOf(dir)
}

// projectAt returns the folder of the project that a file in dir outside the configuration folders belongs to, "" when
// there is none: the nearest folder with a configuration folder, in the same repository. Outside a repository, the
// search ends below the user's home folder and below shared folders such as /tmp, where other people's files are not
// considered.
func (d *discovery) projectAt(dir string) string {
	if home, ok := d.homes[dir]; ok {
		return home
	}
	home, tree := "", Repository(dir)
	for up := dir; ; up = filepath.Dir(up) {
		if tree == "" && (isRoot(up) || d.everybodys(up)) {
			break
		}
		if d.hasConfig(up, cmp.Or(tree, up)) {
			home = up
			break
		}
		if up == tree || filepath.Dir(up) == up {
			break
		}
	}
	d.homes[dir] = home
	return home
}

// everybodys reports whether a folder holds the work of several people, or all of one person's work.
func (d *discovery) everybodys(dir string) bool {
	if own, err := os.UserHomeDir(); err == nil && d.own == "" {
		d.own = Identity(own)
	}
	info, err := os.Stat(dir)
	return dir == d.own || err == nil && info.Mode()&fs.ModeSticky != 0
}

func (d *discovery) hasConfig(dir, boundary string) bool {
	for _, name := range ConfigFolders {
		p := filepath.Join(dir, name)
		if info, err := os.Lstat(p); err == nil {
			if _, ok := d.folder(p, fs.FileInfoToDirEntry(info), boundary); ok {
				return true
			}
		}
	}
	return false
}
