package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/amlfix/amlfix/schema/finding"
)

// scope is the part of a project that a check is about; nil is all of it. Rules
// look at the whole project all the same, for a fault of one file is often seen
// in another.
type scope struct {
	files map[string]bool // by identity
	stdin string          // the path of the file that was read from standard input, or ""
	text  []byte          // what was read
}

// about reports whether a finding is about the scope: in one of its files, or
// because of what stands in one. Of standard input only what is in the text is
// told: who sends it shows one file.
func (s *scope) about(f finding.Finding) bool {
	return s == nil || s.files[f.Source.Path] || s.stdin == "" &&
		slices.ContainsFunc(f.Related, func(l finding.Location) bool { return s.files[l.Source.Path] })
}

// repairs reports whether a finding's fix stays in the scope. A text on standard
// input can be repaired only in itself.
func (s *scope) repairs(f finding.Finding) bool {
	return s.about(f) && (s == nil || s.stdin == "" || !slices.ContainsFunc(f.Fix.Changes, func(c finding.Change) bool {
		return c.File != s.stdin || c.Op == finding.NewFile || c.Op == finding.CopyFile
	}))
}

// narrow gives the projects that were found because of files alone the scope of
// these files. Those at or below a folder that is named too stay whole.
func (c *Command) narrow(roots []root, args []string) {
	files := map[string]bool{}
	var folders []string
	for _, arg := range args {
		name := c.identity(arg)
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			folders = append(folders, name)
		} else {
			files[name] = true
		}
	}
	if len(files) == 0 {
		return
	}
	for i, r := range roots {
		if slices.ContainsFunc(folders, r.reaches) {
			continue
		}
		roots[i].scope = &scope{files: maps.Clone(files)}
		if r.settings.Path != "" {
			roots[i].scope.files[r.settings.Path] = true // a fault there is about all of them
		}
	}
}

// inScope returns those of some files, by the settings that leave them out, that a
// command line is about.
func (c *Command) inScope(excluded map[string][]string, args []string) map[string][]string {
	if len(args) == 0 {
		return excluded
	}
	left := map[string][]string{}
	for by, files := range excluded {
		for _, name := range files {
			if slices.ContainsFunc(args, func(arg string) bool { return holds(c.path(arg), name) }) {
				left[by] = append(left[by], name)
			}
		}
	}
	return left
}

// reaches reports whether the project or one of its files lies in a folder.
func (r root) reaches(folder string) bool {
	return below(folder, r.Dir) || slices.ContainsFunc(r.Files, func(f string) bool { return below(folder, f) })
}

// below reports whether a path is a folder or lies in it; both are identities.
func below(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}
