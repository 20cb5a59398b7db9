package migrate

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/amlfix/amlfix/schema"
)

// listing is what was found in folders, each read once, although isOther looks two levels ahead.
type listing map[string]listed

// listed are the folders and the run configurations in a folder.
type listed struct{ folders, runs []string }

func (l listing) of(dir string) listed {
	found, ok := l[dir]
	if !ok {
		entries, _ := os.ReadDir(dir) // the walk reports what cannot be read
		for _, e := range entries {
			name := filepath.Join(dir, e.Name())
			if e.IsDir() {
				found.folders = append(found.folders, name)
			}
			if filepath.Ext(name) == ".runconfig" || schema.SurelyRun(name) {
				found.runs = append(found.runs, name)
			}
		}
		l[dir] = found
	}
	return found
}

// isOther reports whether a folder is a project other than the one at home, and adds its run configurations to configs.
// Links are not followed.
func (l listing) isOther(dir, home string, configs *[]string) bool {
	if strings.HasPrefix(dir+string(filepath.Separator), home+string(filepath.Separator)) || strings.HasPrefix(home+string(filepath.Separator), dir+string(filepath.Separator)) {
		return false
	}
	before := len(*configs)
	*configs = append(*configs, l.of(dir).runs...)
	for _, folder := range l.of(dir).folders {
		*configs = append(*configs, l.of(folder).runs...)
	}
	return len(*configs) > before
}
