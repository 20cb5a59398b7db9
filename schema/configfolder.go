package schema

import (
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/amlfix/amlfix/schema/disk"
)

// addConfigFolder adds the files of a configuration folder, whose identity is real; v2 files are added to the project
// of the tree.
func (d *discovery) addConfigFolder(dir, real string, at place) {
	entries, err := disk.List(real)
	if err != nil {
		d.problems = append(d.problems, &PathError{Path: dir, Err: err})
		return
	}
	at.home = above(dir)
	v2 := at.ofV2(dir)
	for _, e := range entries {
		if !e.Type.IsRegular() {
			d.deep[at.home] = true
		}
		if !e.IsDir() && strings.EqualFold(filepath.Ext(e.Name), ".json") {
			d.addStray(entryOf(dir, e.Name), e, at)
		}
		if e.IsDir() || !readable(e.Name) && (!e.Type.IsRegular() || !isSaved(entryOf(real, e.Name), filepath.Base(dir))) {
			continue
		}
		id := entryOf(real, e.Name)
		name := id
		if real != dir {
			name = entryOf(dir, e.Name)
		}
		if e.Type&fs.ModeSymlink != 0 {
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
			d.project(home, at).add(id, name, e.Type.IsRegular())
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
