package migrate

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/template"
)

// Projects returns the projects of a folder from which one is chosen. What programs build needs no job file, a run
// configuration that only its text shows to be one belongs to the program that loads it, and conda files alone are no
// project.
func Projects(folder string, found []schema.Root) (kept []schema.Root) {
	var programs *scripts
	for i := range found {
		r := &found[i]
		n := r.Files.Len()
		loaded := r.Dir != folder && n > 0 && n == len(r.Runs)
		for _, name := range r.Runs {
			if loaded && programs == nil {
				programs = readScripts(listing{}, folder)
			}
			loaded = loaded && programs.load(filepath.Base(name))
		}
		if !loaded && (n == 0 || n > r.Loose) {
			kept = append(kept, *r)
		}
	}
	if len(kept) == 0 {
		return []schema.Root{schema.FolderRoot(folder)}
	}
	return kept
}

// load reports whether a program may load a run configuration from a file of a name.
func (s *scripts) load(base string) bool {
	for _, text := range s.text {
		if strings.Contains(text, "RunConfiguration") && strings.Contains(text, base) {
			return true
		}
	}
	return false
}

// rooted returns the project with the folder that its run configurations' paths are relative to as its root. A run
// configuration in its own folder, such as config/, may be used from the parent folder, where "az ml run submit-script
// -c config/train" is started.
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

// hasConfigFolder reports whether the project has the layout of SDK and Workbench: all paths are relative to the folder
// that contains the configuration folder.
func hasConfigFolder(p *schema.Project) bool {
	return slices.ContainsFunc(p.RunConfigurations(), func(j *schema.Job) bool {
		return slices.Contains(schema.ConfigFolders, j.File.Dir())
	})
}

// reached returns a score of how well a folder explains the paths in the run configurations: an existing script, conda
// file or submission counts most, and a missing conda file that is named with the run configuration's own folder counts
// little.
func reached(p *schema.Project, dir string, submitted []submission) (n int) {
	const sure, likely = 16, 1
	here := p
	lines := map[string]int{}
	for _, s := range submitted {
		lines[filepath.Join(dir, filepath.FromSlash(s.config))]++
	}
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
		n += sure * lines[strings.TrimSuffix(j.File.Path, ".runconfig")]
	}
	return n
}

// named reports whether a text is a path below the current folder that is not filled in later.
func named(name string) bool {
	return name != "" && !strings.HasPrefix(name, "$") && !template.In(name) && filepath.IsLocal(filepath.FromSlash(name)) && !schema.HasDrive(name)
}

// there reports whether a file exists at a path relative to a folder.
func there(p *schema.Project, dir, name string) bool {
	rel := way(p.Root, filepath.Join(dir, filepath.FromSlash(name)))
	return p.Exists(rel) && !p.Folder(rel)
}

// has reports whether the project has a file at a path relative to its root.
func (m *Migration) has(name string) bool {
	return named(name) && m.Project.Exists(name) && !m.Project.Folder(name)
}
