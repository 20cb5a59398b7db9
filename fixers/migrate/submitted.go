package migrate

import (
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
)

const (
	// maxNotes is the maximum number of files that are searched for submissions, and maxEntries the maximum number of
	// files and folders that are visited.
	maxNotes   = 2000
	maxEntries = 50_000
)

// hiddenFolders are the hidden folders of a repository with what its CI runs and what the SDK reads.
var hiddenFolders = []string{".github", ".azure-pipelines", ".azuredevops", ".pipelines", ".ci", ".gitlab", ".circleci", ".azureml", ".cloud", ".azure"}

// readSubmissions returns the submissions in the files of the repository at top, sorted by path, what their other lines
// create, and the files that concern Azure ML. It skips what amlfix wrote, and files of projects other than the one at
// home. Links are not followed.
func readSubmissions(folders listing, top, home string) (list []submission, lines []*schema.File, found []Related, left unsearched) {
	read, met := 0, 0
	var configs []string
	defer func() { list = certain(list, configs, home) }()
	folders.walk(top, func(name string, e fs.DirEntry, err error) error {
		met++
		switch {
		case met > maxEntries:
			left.cut = true
			return filepath.SkipAll
		case err != nil:
			left.files = append(left.files, name)
			return nil
		case e.IsDir() && name != top && (skipped(e.Name()) && !slices.Contains(hiddenFolders, e.Name()) || folders.isVirtual(name) || folders.written(name) || folders.isOther(name, home, &configs)):
			return filepath.SkipDir
		case filepath.Ext(name) == ".runconfig":
			configs = append(configs, name)
			return nil
		case !e.Type().IsRegular() || !mayRelate(e.Name()):
			return nil
		case read >= maxNotes:
			left.beyond++
			return nil
		}
		read++
		if text, ok := readText(name); !ok {
			left.files = append(left.files, name)
		} else {
			if notes(e.Name()) {
				list = append(list, submissions(name, text)...)
				lines = append(lines, madeIn(name, text)...)
			}
			list = append(list, actionRuns(top, name, text)...)
			found = append(found, related(name, text)...)
		}
		return nil
	})
	return list, lines, found, left
}

// certain removes submissions outside the project that may refer to run configurations of several projects.
func certain(list []submission, configs []string, home string) []submission {
	return slices.DeleteFunc(list, func(s submission) bool {
		if strings.HasPrefix(s.file, home+string(filepath.Separator)) {
			return false
		}
		others := 0
		for _, name := range configs {
			switch stem := filepath.ToSlash(strings.TrimSuffix(name, ".runconfig")); {
			case !strings.HasSuffix(stem, "/"+s.config):
			case !strings.HasPrefix(name, home+string(filepath.Separator)):
				others++
			}
		}
		return others > 0
	})
}

// notes reports whether files of this name may contain command lines.
func notes(name string) bool {
	name = strings.ToLower(name)
	switch path.Ext(name) {
	case ".md", ".txt", ".rst", ".yml", ".yaml", ".sh", ".ps1", ".cmd", ".bat", ".azcli":
		return true
	}
	return strings.HasPrefix(name, "readme") || name == "makefile"
}

// names reports whether a submission names a run configuration by its path or name.
func (s submission) names(j *schema.Job) bool {
	if s.of != "" {
		return s.of == j.File.Path
	}
	stem := strings.TrimSuffix(j.File.Rel, ".runconfig")
	return s.config == j.Name || s.config == stem || path.Base(s.config) == j.Name && strings.HasSuffix(stem, s.config)
}

// submissionsOf returns the submissions that name a run configuration.
func (m *Migration) submissionsOf(j *schema.Job) (own []submission) {
	if m.named == nil {
		m.named = map[string][]submission{}
		for _, s := range m.submitted {
			m.named[path.Base(s.config)] = append(m.named[path.Base(s.config)], s)
		}
	}
	bases := []string{path.Base(j.Name), strings.TrimSuffix(path.Base(j.File.Rel), ".runconfig")}
	for _, base := range slices.Compact(bases) {
		for _, s := range m.named[base] {
			if s.names(j) {
				own = append(own, s)
			}
		}
	}
	return own
}
