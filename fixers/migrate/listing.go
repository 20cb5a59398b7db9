package migrate

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/amlfix/amlfix/schema"
)

// listing returns what is in folders, each read once, although isOther looks two levels ahead.
type listing map[string][]fs.DirEntry

func (l listing) of(dir string) []fs.DirEntry {
	entries, ok := l[dir]
	if !ok {
		entries, _ = os.ReadDir(dir) // the walk reports what cannot be read
		l[dir] = entries
	}
	return entries
}

// runConfigs returns the run configurations in a folder.
func (l listing) runConfigs(dir string) (paths []string) {
	for _, e := range l.of(dir) {
		if name := filepath.Join(dir, e.Name()); filepath.Ext(e.Name()) == ".runconfig" || schema.SurelyRun(name) {
			paths = append(paths, name)
		}
	}
	return paths
}

// isOther reports whether a folder is a project other than the one at home, and adds its run configurations to configs.
// Links are not followed.
func (l listing) isOther(dir, home string, configs *[]string) bool {
	if strings.HasPrefix(dir+string(filepath.Separator), home+string(filepath.Separator)) || strings.HasPrefix(home+string(filepath.Separator), dir+string(filepath.Separator)) {
		return false
	}
	found := l.runConfigs(dir)
	for _, e := range l.of(dir) {
		if e.IsDir() {
			found = append(found, l.runConfigs(filepath.Join(dir, e.Name()))...)
		}
	}
	*configs = append(*configs, found...)
	return len(found) > 0
}
