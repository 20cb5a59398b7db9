package schema

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/disk"
)

// walk finds the files of projects in a folder and below it. The error is that of the folder itself.
func (d *discovery) walk(dir string, at place) error {
	entries, err := disk.List(dir)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(entries, func(e disk.Entry) bool { return e.Name == ".git" }) {
		at.tree, at.home, at.apart = dir, "", ""
	}
	if slices.ContainsFunc(entries, func(e disk.Entry) bool { return slices.Contains(settingsNames, e.Name) }) {
		at.apart = dir
	}
	if at.all == "" && (at.tree != "" || !isRoot(dir) && !d.everybodys(dir)) {
		at.all = dir
	}
	config := false
	for _, e := range entries {
		if isConfigFolder(e.Name) {
			name := entryOf(dir, e.Name)
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
		if wanted, _ := stray(e.Name); !wanted && !e.IsDir() || isConfigFolder(e.Name) {
			continue // most files: without the cost of a path
		}
		name := entryOf(dir, e.Name)
		switch {
		case !e.IsDir():
			d.addStray(name, e, at)
		case at.only == dir && at.home == "" && at.only != at.ofV2(name), skipFolder(name, e.Name):
		default:
			if err := d.walk(name, at); err != nil {
				d.met(name, err)
			}
		}
	}
	return nil
}

// bare marks the project of a folder that has no entry that Finders look for.
func (d *discovery) bare(dir string, entries []disk.Entry) {
	if p := d.projects[dir]; p != nil {
		p.Bare = !slices.ContainsFunc(entries, func(e disk.Entry) bool {
			name := strings.ToLower(e.Name)
			return name == ".git" || strings.HasPrefix(name, ".amlfix")
		})
	}
}

// folder returns the identity of a folder that an entry is, or leads to inside the boundary.
func (d *discovery) folder(name string, e disk.Entry, boundary string) (string, bool) {
	if e.Type&fs.ModeSymlink == 0 {
		return name, e.IsDir()
	}
	info, err := os.Stat(name)
	if err != nil || !info.IsDir() {
		return "", false
	}
	id := d.identity(name)
	return id, readableIn(boundary, id)
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
