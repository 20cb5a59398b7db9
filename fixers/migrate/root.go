package migrate

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/template"
)

// rooted returns the project with the folder as its root from which its run
// configurations name their files. A run configuration in a folder of its own, such
// as config/, may be named from the folder above: "az ml run submit-script -c
// config/train" is started there.
func rooted(p *schema.Project, submitted []submission) *schema.Project {
	best, most := p.Root, reached(p, p.Root, submitted)
	for dir := p.Root; dir != p.Boundary() && dir != filepath.Dir(dir) && !hasConfigFolder(p); {
		dir = filepath.Dir(dir)
		if n := reached(p, dir, submitted); n > most {
			best, most = dir, n
		}
	}
	if best == p.Root {
		return p
	}
	return p.Rooted(best)
}

// hasConfigFolder reports whether the project is where SDK and Workbench put it:
// paths begin in the folder that holds the configuration folder, and nowhere else.
func hasConfigFolder(p *schema.Project) bool {
	return slices.ContainsFunc(p.RunConfigurations(), func(j *schema.Job) bool {
		return slices.Contains(schema.ConfigFolders, j.File.Dir())
	})
}

// reached says how well a folder explains what the run configurations name: a
// script, conda file or submission that is there counts most, a conda file that
// is not there but is named by the run configuration's own folder little.
func reached(p *schema.Project, dir string, submitted []submission) (n int) {
	const sure, likely = 16, 1
	here := p
	for _, j := range p.RunConfigurations() {
		if script := schema.Slashes(j.Script.Text); named(script) && there(here, dir, script) {
			n += sure
		}
		conda := schema.Slashes(j.CondaPath.Text)
		if j.CondaPath.Explicit && named(conda) {
			folder := filepath.Join(dir, filepath.FromSlash(path.Dir(conda)))
			switch {
			case there(here, dir, conda):
				n += sure / 2
			case path.Dir(conda) != "." && folder == filepath.Dir(j.File.Path):
				n += likely
			}
		}
		for _, s := range submitted {
			if filepath.Join(dir, filepath.FromSlash(s.config)) == strings.TrimSuffix(j.File.Path, ".runconfig") {
				n += sure
			}
		}
	}
	return n
}

// named reports whether a text is a path below the folder it is read from, and not
// one that is filled in later.
func named(name string) bool {
	return name != "" && !strings.HasPrefix(name, "$") && !template.In(name) && filepath.IsLocal(filepath.FromSlash(name)) && !schema.HasDrive(name)
}

// there reports whether a file is at a path from a folder.
func there(p *schema.Project, dir, name string) bool {
	rel := way(p.Root, filepath.Join(dir, filepath.FromSlash(name)))
	return p.Exists(rel) && !p.Folder(rel)
}

// has reports whether the project has a file at a path from its root.
func (m *Migration) has(name string) bool {
	return named(name) && m.Project.Exists(name) && !m.Project.Folder(name)
}
