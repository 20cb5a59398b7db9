package schema

import (
	"os"
	"sync"
)

// There is one of these at a path of the disk; links are followed.
const (
	absent = iota // or what may not be seen
	present
	folder
)

// looks remembers what is at paths of the disk: thousands of steps may name one folder, and all rules of a check should
// see the same. It is safe for concurrent use.
type looks struct {
	mu         sync.Mutex
	kinds      map[string]uint8
	identities map[string]string
	listed     map[string][]string // see Below
}

// identity returns what find returned when a path's identity was first asked for.
func (l *looks) identity(path string, find func() string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	id, ok := l.identities[path]
	if !ok {
		if id = find(); l.identities == nil {
			l.identities = map[string]string{}
		}
		l.identities[path] = id
	}
	return id
}

// below returns what list returned when the files below a folder were first asked for.
func (l *looks) below(folder string, list func() []string) []string {
	l.mu.Lock()
	files, ok := l.listed[folder]
	l.mu.Unlock()
	if ok {
		return files
	}
	files = list() // it asks for identities
	l.mu.Lock()
	defer l.mu.Unlock()
	if first, ok := l.listed[folder]; ok {
		return first
	}
	if l.listed == nil {
		l.listed = map[string][]string{}
	}
	l.listed[folder] = files
	return files
}

// at returns what was at a path when it was first asked for.
func (l *looks) at(path string) uint8 {
	l.mu.Lock()
	defer l.mu.Unlock()
	kind, ok := l.kinds[path]
	if ok {
		return kind
	}
	if info, err := os.Stat(path); err == nil {
		kind = present
		if info.IsDir() {
			kind = folder
		}
	}
	if l.kinds == nil {
		l.kinds = map[string]uint8{}
	}
	l.kinds[path] = kind
	return kind
}
