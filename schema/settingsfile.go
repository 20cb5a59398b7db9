package schema

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/amlfix/amlfix/schema/source"
)

// settingsNames are the names of a settings file, in the order in which they are looked for.
var settingsNames = []string{".amlfix.yaml", ".amlfix.yml"}

// IsSettings reports whether a path has the name of a settings file.
func IsSettings(name string) bool { return slices.Contains(settingsNames, filepath.Base(name)) }

// Finder finds the files that apply to a folder and everything below it; it caches the folders that it has read. It
// must not be used concurrently.
type Finder struct {
	names []string
	top   string // the absolute path of the folder above which the search ends; "" for none
	known map[string]string
}

// SettingsFinder returns a Finder of settings files.
func SettingsFinder() *Finder { return NewFinder(settingsNames...) }

// NewFinder returns a Finder of files with one of the names; earlier ones go first.
func NewFinder(names ...string) *Finder { return &Finder{names: names, known: map[string]string{}} }

// Below makes the search end at a folder, whether or not that is the root of a repository.
func (s *Finder) Below(folder string) *Finder {
	if abs, err := filepath.Abs(folder); err == nil {
		s.top = abs
	}
	return s
}

// Find returns the path of the file that applies to a folder: the nearest one in it or above it, but not above the root
// of a repository (a folder with .git in it). It is "" if there is none. The path is relative if dir is.
func (s *Finder) Find(dir string) string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	return s.find(abs, dir)
}

// For is Find for a project's folder, which it does not read if it is bare.
func (s *Finder) For(r Root) string {
	if up := above(r.Dir); r.Bare && r.Dir != s.top && up != r.Dir {
		return s.find(up, up)
	}
	return s.Find(r.Dir)
}

// find searches the folder abs, which the user knows as shown.
func (s *Finder) find(abs, shown string) string {
	if found, ok := s.known[abs]; ok {
		return found
	}
	found := s.in(abs, shown)
	if found == "" && abs != s.top && !isRoot(abs) && !exists(filepath.Join(abs, ".git")) {
		found = s.find(filepath.Dir(abs), parent(shown))
	}
	s.known[abs] = found
	return found
}

func (s *Finder) in(abs, shown string) string {
	for _, name := range s.names {
		// A folder and a link that cannot be followed count too: that they have no effect must be reported.
		if _, err := os.Lstat(filepath.Join(abs, name)); err == nil {
			return filepath.Join(shown, name)
		}
	}
	return ""
}

// ReadOwn reads a file that amlfix reads unasked, such as the settings: nobody has named it, so no link in its path may
// lead out of its repository. Without a repository, the limit is boundary if the file is below it, and otherwise the
// file's own folder.
func ReadOwn(boundary, name string) ([]byte, error) {
	top := Repository(filepath.Dir(name))
	if top == "" {
		top = filepath.Dir(name)
		if abs, err := filepath.Abs(boundary); err == nil && boundary != "" {
			if own, err := filepath.Abs(name); err == nil && strings.HasPrefix(own, abs+string(filepath.Separator)) {
				top = boundary
			}
		}
	}
	return source.ReadWithin(top, name)
}

// Repositories finds the repositories of many folders, and looks into each folder above them once. Its zero value knows
// none; it is safe for concurrent use.
type Repositories struct {
	mu    sync.Mutex
	known trees // those of folders above
}

// Of returns what Repository does for a folder.
func (r *Repositories) Of(dir string) string {
	if !filepath.IsAbs(dir) {
		return Repository(dir)
	}
	if exists(filepath.Join(dir, ".git")) {
		return dir
	}
	if isRoot(dir) {
		return ""
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.known == nil {
		r.known = trees{}
	}
	return r.known.of(filepath.Dir(dir))
}

// Repository returns the root of the repository that holds a folder: the nearest one with .git in it, the folder itself
// or one above it; "" when there is none. The path is relative when dir is.
func Repository(dir string) string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	for shown := dir; ; abs, shown = filepath.Dir(abs), parent(shown) {
		if exists(filepath.Join(abs, ".git")) {
			return shown
		}
		if isRoot(abs) {
			return ""
		}
	}
}
