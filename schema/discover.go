package schema

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Root is a project found on disk, not yet read.
type Root struct {
	// Dir is the project's root folder: the parent of its configuration folder.
	Dir string
	// Files are the paths of the files to read, sorted.
	Files []string
	// Boundary is the folder out of which no symbolic link is followed.
	Boundary string
}

// PathError tells that a path given by the user cannot be used.
type PathError struct {
	Path string
	Err  error
}

func (e *PathError) Error() string { return fmt.Sprintf("%s: %v", e.Path, plainPathError(e.Err)) }
func (e *PathError) Unwrap() error { return e.Err }

func plainPathError(err error) error {
	switch {
	case os.IsNotExist(err):
		return errors.New("no such file or folder")
	case os.IsPermission(err):
		return errors.New("no permission to read it")
	}
	return err
}

// configFolders are the names of the folders Azure ML keeps run configurations
// in: Workbench and early SDK v1 used aml_config, later SDK v1 .azureml.
var configFolders = []string{"aml_config", ".azureml"}

// Discover finds the projects at or below paths; a path may be a folder, a
// configuration folder, or a file, which stands for the project it belongs to.
// Roots are sorted by folder and each appears once. Version control folders,
// node_modules and virtual environments are skipped, and symbolic links are not
// followed out of the given path. The error is a *PathError for the first path
// that does not exist or cannot be read; the projects of the others are
// returned all the same.
func Discover(paths []string) ([]Root, error) {
	d := &discovery{roots: map[string]*Root{}}
	var first error
	for _, p := range paths {
		if err := d.add(filepath.Clean(p)); err != nil && first == nil {
			first = &PathError{Path: p, Err: err}
		}
	}
	roots := make([]Root, 0, len(d.roots))
	for _, r := range d.roots {
		slices.Sort(r.Files)
		r.Files = slices.Compact(r.Files)
		roots = append(roots, *r)
	}
	slices.SortFunc(roots, func(a, b Root) int { return cmp.Compare(a.Dir, b.Dir) })
	return roots, first
}

type discovery struct{ roots map[string]*Root }

func (d *discovery) add(p string) error {
	info, err := os.Stat(p)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return d.addFile(p)
	}
	abs, err := filepath.Abs(p)
	if err != nil {
		return err
	}
	if isConfigFolder(filepath.Base(abs)) {
		return d.addConfigFolder(p, parent(p))
	}
	if _, err := os.ReadDir(p); err != nil {
		return err
	}
	return filepath.WalkDir(p, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			if e != nil && e.IsDir() {
				return filepath.SkipDir // met on the way; what cannot be listed holds no project we can read
			}
			return nil
		}
		name := e.Name()
		switch {
		case e.IsDir() && path != p && skipFolder(path, name):
			return filepath.SkipDir
		case isConfigFolder(name) && path != p:
			if e.Type()&fs.ModeSymlink != 0 && !staysIn(p, path) {
				return nil
			}
			if err := d.addConfigFolder(path, p); err != nil {
				return nil
			}
			if e.IsDir() {
				return filepath.SkipDir
			}
		case !e.IsDir() && strings.HasSuffix(name, ".runconfig") && (e.Type()&fs.ModeSymlink == 0 || staysIn(p, path)):
			d.addStray(path, p)
		case !e.IsDir() && mayBeV2(path, name) && (e.Type()&fs.ModeSymlink == 0 || staysIn(p, path)):
			d.addStray(path, p)
		}
		return nil
	})
}

// mayBeV2 reports whether a file outside the configuration folders is to be read
// as one of Azure ML v2.
func mayBeV2(path, name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".yml", ".yaml":
		return saysV2(path)
	}
	return false
}

// addFile adds the whole project that a file belongs to.
func (d *discovery) addFile(p string) error {
	dir := filepath.Dir(p)
	if isConfigFolder(base(dir)) {
		return d.addConfigFolder(dir, parent(dir))
	}
	d.addStray(p, dir)
	return nil
}

// addStray adds a file outside a configuration folder: to the nearest project
// above it, or as a project of its own folder.
func (d *discovery) addStray(p, boundary string) {
	dir := filepath.Dir(p)
	home := dir
	for up := dir; ; up = parent(up) {
		if config := existingConfigFolder(up); config != "" {
			home, dir = up, config
			break
		}
		if up == boundary || up == parent(up) || isRoot(up) || up == "." || up == ".." {
			break
		}
	}
	root := d.root(home, boundary)
	if dir != filepath.Dir(p) {
		_ = d.addConfigFolder(dir, boundary)
	}
	root.Files = append(root.Files, p)
}

func (d *discovery) addConfigFolder(dir, boundary string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var files []string
	for _, e := range entries {
		p := filepath.Join(dir, e.Name())
		if e.IsDir() || !readable(e.Name()) || e.Type()&fs.ModeSymlink != 0 && leavesTree(boundary, p) {
			continue
		}
		files = append(files, p)
	}
	if len(files) > 0 {
		r := d.root(parent(dir), boundary)
		r.Files = append(r.Files, files...)
	}
	return nil
}

func (d *discovery) root(dir, boundary string) *Root {
	r := d.roots[dir]
	if r == nil {
		r = &Root{Dir: dir, Boundary: boundary}
		d.roots[dir] = r
	}
	return r
}

// readable reports whether a file of a configuration folder may concern us.
func readable(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".compute", ".runconfig", ".yml", ".yaml":
		return true
	}
	return false
}
