// Package check finds projects, checks them and repairs them: everything that a command, or an editor, does with
// findings before it shows them. It reads no flags, prints nothing and starts no process.
package check

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/settings"
)

// Engine is what all checks of one call share. Its methods other than Discover and FromText are safe for concurrent use
// as long as its fields do not change.
type Engine struct {
	// Dir is the working directory, as an identity (see schema.Identity): relative paths are relative to it, as are the
	// file names in messages.
	Dir string
	// Trust says which settings, baselines and comments count; the zero value accepts all that are in the tree.
	Trust Trust
	// Texts are the contents of unsaved files, by identity. They replace those on disk, and the files need not exist
	// there. Projects keep the texts that existed when they were found.
	Texts map[string][]byte
	// Now returns the time by which known findings expire; nil for the clock.
	Now func() time.Time
	// Projects returns what a folder is taken for, from its identity and what was found in it. It may be nil.
	Projects func(folder string, found []schema.Root) []schema.Root
	// AsOf is the day, in the layout Day, that decides what is retired and supported; "" for today.
	AsOf string
	// Selection says which rules count, in addition to all settings; nil for all rules.
	Selection *settings.Selection
	// AfterSearch is called once projects have been found, before anything is done with them; may be nil.
	AfterSearch func()
	// BeforeRecovery is called before files are written to finish or revert what a killed amlfix left; may be nil.
	BeforeRecovery func()
	// Notice receives messages for people about what could not be used or was recovered; may be nil.
	Notice func(message string)
}

// Path returns a path that can be opened.
func (e *Engine) Path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(e.Dir, name)
}

// paths returns paths that can be opened, by default the working directory.
func (e *Engine) paths(names []string) (list []string) {
	for _, name := range orHere(names) {
		list = append(list, e.Path(name))
	}
	return list
}

// orHere returns paths, by default the working directory.
func orHere(paths []string) []string {
	if len(paths) == 0 {
		return []string{"."}
	}
	return paths
}

// Identity returns the unique name of the file or folder to which a path leads.
func (e *Engine) Identity(name string) string {
	return schema.IdentityFrom(e.Dir, e.Path(name))
}

// Rel returns a path as shown to the user: slash-separated, relative to the working directory.
func (e *Engine) Rel(name string) string { return report.Rel(e.Dir, name) }

// Whole returns a path as Rel does if it is below the working directory, and otherwise all of it: records may be of any
// place on the machine, and patch and git accept no ".." in a diff.
func (e *Engine) Whole(name string) string {
	if rel := e.Rel(name); filepath.IsLocal(rel) {
		return rel
	}
	return filepath.ToSlash(name)
}

// Day is the layout of dates in baselines, for package time.
const Day = "2006-01-02"

// Today returns the day by which known findings expire, in the layout Day.
func (e *Engine) Today() string {
	if e.Now != nil {
		return e.Now().Format(Day)
	}
	return time.Now().Format(Day)
}

// Day returns the day that decides what is retired and supported, in the layout Day.
func (e *Engine) Day() string { return cmp.Or(e.AsOf, e.Today()) }

func (e *Engine) notice(message string) {
	if e.Notice != nil {
		e.Notice(message)
	}
}

// Trees returns the folders in which links may come from someone else: the repositories of the working directory and of
// the given paths or, outside a repository, the folders themselves.
func (e *Engine) Trees(paths []string) (list []string) {
	for _, name := range append([]string{"."}, paths...) {
		dir := e.Path(name)
		if info, err := os.Stat(dir); err == nil && !info.IsDir() {
			dir = filepath.Dir(dir)
		}
		list = append(list, cmp.Or(schema.Repository(dir), dir))
	}
	return list
}

// Folders returns the folders of those paths that exist, sorted and without duplicates; without paths, the working
// directory.
func (e *Engine) Folders(paths []string) (dirs []string) {
	for _, p := range orHere(paths) {
		dir := e.Identity(p)
		if info, err := os.Stat(dir); err != nil {
			continue // already reported
		} else if !info.IsDir() {
			dir = filepath.Dir(dir)
		}
		dirs = append(dirs, dir)
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}
