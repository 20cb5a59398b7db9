package migrate

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema"
)

// listing is what was found in folders, each read once, although isOther looks two levels ahead, and scripts and
// submissions are searched separately.
type listing map[string]*listed

// listed is what is in a folder, as far as it can be read.
type listed struct {
	entries []fs.DirEntry
	err     error
	runs    []string // the run configurations, if asked
	asked   bool
}

func (l listing) of(dir string) *listed {
	found := l[dir]
	if found == nil {
		found = &listed{}
		found.entries, found.err = os.ReadDir(dir)
		l[dir] = found
	}
	return found
}

// walk is filepath.WalkDir, except that visit returns no errors other than fs.SkipDir, for folders only, and
// fs.SkipAll.
func (l listing) walk(root string, visit fs.WalkDirFunc) {
	info, err := os.Lstat(root)
	if err != nil {
		_ = visit(root, nil, err)
		return
	}
	l.visit(root, fs.FileInfoToDirEntry(info), visit)
}

// visit is walk for what is at name, and reports whether to go on.
func (l listing) visit(name string, e fs.DirEntry, visit fs.WalkDirFunc) bool {
	if err := visit(name, e, nil); err != nil || !e.IsDir() {
		return !errors.Is(err, fs.SkipAll)
	}
	found := l.of(name)
	if found.err != nil {
		if err := visit(name, e, found.err); err != nil {
			return !errors.Is(err, fs.SkipAll)
		}
	}
	for _, e := range found.entries {
		if !l.visit(filepath.Join(name, e.Name()), e, visit) {
			return false
		}
	}
	return true
}

// has reports whether a folder may contain a file of a name, in any case.
func (l listing) has(dir, name string) bool {
	found := l.of(dir)
	return found.err != nil || slices.ContainsFunc(found.entries, func(e fs.DirEntry) bool { return strings.EqualFold(e.Name(), name) })
}

// isVirtual reports whether a folder is a virtual environment.
func (l listing) isVirtual(dir string) bool {
	const config = "pyvenv.cfg"
	if !l.has(dir, config) {
		return false
	}
	_, err := os.Stat(filepath.Join(dir, config))
	return err == nil
}

// written reports whether a migration wrote a folder.
func (l listing) written(dir string) bool { return l.has(dir, account.Report) && Written(dir, dir) }

// runs returns the run configurations in a folder.
func (l listing) runs(dir string) []string {
	found := l.of(dir)
	if !found.asked {
		found.asked = true
		for _, e := range found.entries {
			if name := filepath.Join(dir, e.Name()); filepath.Ext(name) == ".runconfig" || schema.SurelyRun(name) {
				found.runs = append(found.runs, name)
			}
		}
	}
	return found.runs
}

// isOther reports whether a folder is a project other than the one at home, and adds its run configurations to configs.
// Links are not followed.
func (l listing) isOther(dir, home string, configs *[]string) bool {
	if strings.HasPrefix(dir+string(filepath.Separator), home+string(filepath.Separator)) || strings.HasPrefix(home+string(filepath.Separator), dir+string(filepath.Separator)) {
		return false
	}
	before := len(*configs)
	*configs = append(*configs, l.runs(dir)...)
	for _, e := range l.of(dir).entries {
		if e.IsDir() {
			*configs = append(*configs, l.runs(filepath.Join(dir, e.Name()))...)
		}
	}
	return len(*configs) > before
}
