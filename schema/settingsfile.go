package schema

import (
	"os"
	"path/filepath"
	"slices"
)

// settingsNames are the names of the file that holds a user's settings; they are
// looked for in this order.
var settingsNames = []string{".amlfix.yaml", ".amlfix.yml"}

// IsSettings reports whether a path has the name of a settings file.
func IsSettings(name string) bool { return slices.Contains(settingsNames, filepath.Base(name)) }

// SettingsFinder finds the settings files of folders; it remembers the folders
// that it has looked into. The zero value is ready. It is for one goroutine.
type SettingsFinder struct{ known map[string]string }

// Find returns the path of the settings file that is in force in a folder: the
// nearest one in it or above it, but not above the root of a repository (a folder
// with .git in it). It is "" when there is none. The path is relative when dir is.
func (s *SettingsFinder) Find(dir string) string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	return s.find(abs, dir)
}

// find looks into the folder abs, which the user knows as shown.
func (s *SettingsFinder) find(abs, shown string) string {
	if found, ok := s.known[abs]; ok {
		return found
	}
	found := settingsIn(abs, shown)
	if found == "" && !isRoot(abs) && !exists(filepath.Join(abs, ".git")) {
		found = s.find(filepath.Dir(abs), parent(shown))
	}
	if s.known == nil {
		s.known = map[string]string{}
	}
	s.known[abs] = found
	return found
}

func settingsIn(abs, shown string) string {
	for _, name := range settingsNames {
		if info, err := os.Stat(filepath.Join(abs, name)); err == nil && !info.IsDir() {
			return filepath.Join(shown, name)
		}
	}
	return ""
}
