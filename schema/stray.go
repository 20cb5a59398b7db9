package schema

import (
	"cmp"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/amlfix/amlfix/schema/disk"
)

// stray reports whether a file outside a configuration folder may be one of a job, by its name, and whether its text
// must then say so.
func stray(name string) (wanted, asked bool) {
	switch ext := filepath.Ext(name); strings.ToLower(ext) {
	case ".yml", ".yaml", ".json":
		return true, true
	default:
		return ext == ".runconfig" || name == tableName, name == tableName
	}
}

// addStray adds a file outside a configuration folder if it belongs to a job: a v2 file, and a conda file that is
// surely for Azure ML, to the project of the tree, others to the nearest project above them, or to one of their own
// folder.
func (d *discovery) addStray(name string, e disk.Entry, at place) {
	wanted, asked := stray(e.Name)
	if !wanted {
		return
	}
	dir := above(name)
	home, v2 := cmp.Or(at.home, dir), at.ofV2(dir)
	if !at.wants(home, v2) {
		return
	}
	id := name
	if e.Type&fs.ModeSymlink != 0 {
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
	p.add(id, name, e.Type.IsRegular())
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
