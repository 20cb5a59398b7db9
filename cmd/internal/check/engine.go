// Package check finds the projects that paths lead to, checks them and repairs
// them: all that a command, or an editor, does with findings before they are
// shown. It reads no flags, prints nothing and starts no process.
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

// Engine is what all checks of one call have in common. Its methods are safe for
// concurrent use while nothing changes its fields, but for Discover and FromText.
type Engine struct {
	// Dir is the working directory, as an identity (see schema.Identity): paths
	// that are not absolute begin in it, and messages name files from there.
	Dir string
	// Trust says which settings, baselines and comments count; the zero value is
	// all that are in the tree.
	Trust Trust
	// Texts are the contents of files that are not saved, by identity. They count
	// in place of those on disk, and the files need not exist there. Projects keep
	// those that were there when they were found.
	Texts map[string][]byte
	// Now returns the time by which known findings expire; nil for the clock's.
	Now func() time.Time
	// Bare takes a folder in which nothing is found for a project without files.
	Bare bool
	// AsOf is the day, written as Day says, by which retirement and support are
	// judged; "" for the present one.
	AsOf string
	// Selection says which rules count, on top of all settings; nil for all rules.
	Selection *settings.Selection
	// Notice is given messages for people about what could not be used or was
	// recovered; nil when nobody reads them.
	Notice func(message string)
}

// Path returns a path as it can be opened.
func (e *Engine) Path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(e.Dir, name)
}

// Identity returns the one name of the file or folder that a path leads to.
func (e *Engine) Identity(name string) string { return schema.Identity(e.Path(name)) }

// Rel returns a path as it is shown: slash-separated, from the working directory.
func (e *Engine) Rel(name string) string { return report.Rel(e.Dir, name) }

// Day is how the days of baselines are written, as a layout of package time.
const Day = "2006-01-02"

// Today returns the day by which known findings expire, written as Day says.
func (e *Engine) Today() string {
	if e.Now != nil {
		return e.Now().Format(Day)
	}
	return time.Now().Format(Day)
}

func (e *Engine) notice(message string) {
	if e.Notice != nil {
		e.Notice(message)
	}
}

// Trees returns the folders whose links somebody else may have made: the
// repositories of the working directory and of some paths, or, where there is
// none, the folders themselves.
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

// Folders returns the folders of some paths that exist, sorted, each once; without
// paths that is the working directory.
func (e *Engine) Folders(paths []string) (dirs []string) {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	for _, p := range paths {
		dir := e.Identity(p)
		if info, err := os.Stat(dir); err != nil {
			continue // it has been said
		} else if !info.IsDir() {
			dir = filepath.Dir(dir)
		}
		dirs = append(dirs, dir)
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}
