package check

import (
	"maps"
	"os"
	"slices"

	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
)

// scope is the part of a project that a check is about; nil is all of it. Rules
// look at the whole project anyway, for a fault of one file is often seen
// in another.
type scope struct {
	files   map[string]bool // by identity
	folders []string        // with all below them
	text    string          // the only file that is checked, given as a text; "" for files on disk
	content []byte          // what was given
}

// about reports whether a finding is about the scope: in one of its files, or
// because of what is in one. Of a text only what is in the text itself is
// reported: whoever sends it shows one file.
func (s *scope) about(f finding.Finding) bool {
	return s == nil || s.holds(f.Source.Path) || s.text == "" &&
		slices.ContainsFunc(f.Related, func(l finding.Location) bool { return s.holds(l.Source.Path) })
}

// holds reports whether a file is in the scope.
func (s *scope) holds(path string) bool {
	return s.files[path] || slices.ContainsFunc(s.folders, func(dir string) bool { return schema.Below(dir, path) })
}

// repairs reports whether a finding's fix stays in the scope. A text can be
// repaired only in itself.
func (s *scope) repairs(f finding.Finding) bool {
	return s.about(f) && (s == nil || s.text == "" || !slices.ContainsFunc(f.Fix.Changes, func(c finding.Change) bool {
		return c.File != s.text || c.Op == finding.NewFile || c.Op == finding.CopyFile
	}))
}

// Narrow gives the projects that were found because of files alone the scope of
// these files: only findings about them are reported, and only their faults
// repaired. Those at or below a folder that is named too stay whole, and so do those
// around one, unless they hold files of v2 alone, which may be a whole repository's:
// their scope is what is below the folder.
func (e *Engine) Narrow(roots []Root, args []string) {
	if len(args) == 0 {
		args = []string{"."}
	}
	files := map[string]bool{}
	var folders []string
	for _, arg := range args {
		name := e.Identity(arg)
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			folders = append(folders, name)
		} else {
			files[name] = true
		}
	}
	for i, r := range roots {
		if slices.ContainsFunc(folders, func(dir string) bool { return schema.Below(dir, r.Dir) || r.reaches(dir) && !r.OnlyV2() }) {
			continue
		}
		roots[i].narrow(&scope{files: maps.Clone(files), folders: folders})
	}
}

// narrow gives a project a scope. A fault of its settings is about all of it.
func (r *Root) narrow(s *scope) {
	if r.scope = s; r.Settings.Path != "" {
		s.files[r.Settings.Path] = true
	}
}

// InScope returns those of some files, by the settings that leave them out, that
// some paths are about; without paths that is all of them.
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

// reaches reports whether the project or one of its files lies in a folder.
func (r Root) reaches(folder string) bool {
	return schema.Below(folder, r.Dir) || slices.ContainsFunc(r.Files.All(), func(f string) bool { return schema.Below(folder, f) })
}

// repairedText returns what becomes of the text that was given.
func (s *scope) repairedText(patch *fixers.Patch) []byte {
	for _, f := range patch.Files {
		if f.Path == s.text {
			return f.New
		}
	}
	return s.content
}
