package check

import (
	"maps"
	"os"
	"slices"

	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
)

// scope is the part of a project to check; nil is all of it. Rules always examine the whole project, because a problem
// in one file often shows only in another.
type scope struct {
	files   map[string]bool // by identity
	folders []string        // including everything below them
	text    string          // the only file that is checked, given as a text; "" for files on disk
	content []byte          // the text that was given
}

// about reports whether a finding is in the scope: in one of its files, or because of what is in one. For a text, only
// findings in the text itself are reported, because the caller shows only this file.
func (s *scope) about(f finding.Finding) bool {
	return s == nil || s.holds(f.Source.Path) || s.text == "" &&
		slices.ContainsFunc(f.Related, func(l finding.Location) bool { return s.holds(l.Source.Path) })
}

// holds reports whether a file is in the scope.
func (s *scope) holds(path string) bool {
	return s.files[path] || slices.ContainsFunc(s.folders, func(dir string) bool { return schema.Below(dir, path) })
}

// repairs reports whether a finding's fix stays within the scope. A text can only be repaired in itself.
func (s *scope) repairs(f finding.Finding) bool {
	return s.about(f) && (s == nil || s.text == "" || !slices.ContainsFunc(f.Fix.Changes, func(c finding.Change) bool {
		return c.File != s.text || c.Op == finding.NewFile || c.Op == finding.CopyFile
	}))
}

// Narrow limits the scope of projects that were found only because of files to these files: only findings about them
// are reported, and only their problems repaired. Projects at or below a folder that is also named stay whole, and so
// do those around one, unless it holds only v2 files of theirs, such as a migration's: their scope is everything below
// the folder.
func (e *Engine) Narrow(roots []Root, args []string) {
	files := map[string]bool{}
	var folders []string
	for _, arg := range orHere(args) {
		name := e.Identity(arg)
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			folders = append(folders, name)
		} else {
			files[name] = true
		}
	}
	for i, r := range roots {
		if slices.ContainsFunc(folders, func(dir string) bool { return schema.Below(dir, r.Dir) || !r.OnlyV2(dir) }) {
			continue
		}
		roots[i].narrow(&scope{files: maps.Clone(files), folders: folders})
	}
}

// narrow limits a project to a scope. A problem in its settings affects all of it.
func (r *Root) narrow(s *scope) {
	if r.scope = s; r.Settings.Path != "" {
		s.files[r.Settings.Path] = true
	}
}

// InScope returns the excluded files, by the settings that exclude them, that the given paths cover; without paths, all
// of them.
func (e *Engine) InScope(excluded map[string][]string, args []string) map[string][]string {
	if len(args) == 0 {
		return excluded
	}
	left := map[string][]string{}
	for by, files := range excluded {
		for _, name := range files {
			if slices.ContainsFunc(args, func(arg string) bool { return schema.Below(e.Path(arg), name) }) {
				left[by] = append(left[by], name)
			}
		}
	}
	return left
}

// repairedText returns the repaired version of the text that was given.
func (s *scope) repairedText(patch *fixers.Patch) []byte {
	for _, f := range patch.Files {
		if f.Path == s.text {
			return f.New
		}
	}
	return s.content
}
