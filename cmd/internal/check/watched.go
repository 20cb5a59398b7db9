package check

import (
	"path/filepath"

	"github.com/amlfix/amlfix/cmd/internal/baseline"
	"github.com/amlfix/amlfix/schema"
)

// Watched returns the files below paths that a check would currently read, and the settings and baselines that apply to
// them. Mentioned returns what projects refer to.
func (e *Engine) Watched(paths []string) (list []string) {
	roots, _ := schema.Discover(e.paths(paths)) // a check reports their problems
	if s := e.Trust.settings; s != nil {
		list = append(list, s.Path)
	}
	options, known := e.Trust.finder(schema.SettingsFinder()), e.Trust.finder(schema.NewFinder(baseline.Name))
	for _, r := range roots {
		list = append(list, r.Files.All()...)
		for _, path := range []string{e.settingsOf(options, r), e.Trust.find(known, r)} {
			if path != "" {
				list = append(list, path)
			}
		}
	}
	return list
}

// Mentioned returns the files from which a project was read, its baseline, and the files that its jobs name, whether or
// not they exist.
func (r Root) Mentioned(p *schema.Project) (list []string) {
	for _, f := range p.Files {
		list = append(list, f.Path)
	}
	if r.Baseline != "" {
		list = append(list, r.Baseline)
	}
	for _, j := range p.RunConfigurations() {
		for _, name := range []string{j.Script.Text, j.CondaPath.Text, j.SparkPath.Text, j.EnvironmentPath.Text} {
			if name = filepath.FromSlash(schema.Slashes(name)); filepath.IsLocal(name) {
				list = append(list, filepath.Join(p.Root, name))
			}
		}
	}
	for _, e := range p.V2Environments {
		if rel, ok := e.CondaPath.Path(); ok && filepath.IsLocal(filepath.FromSlash(rel)) {
			list = append(list, filepath.Join(p.Root, filepath.FromSlash(rel)))
		}
	}
	return list
}
