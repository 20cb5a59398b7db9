package schema

import (
	"slices"
	"strings"
)

// Paths are the paths of some files, sorted, each once. Thousands of projects are known before the first is read, and
// nearly all have files with the same names, so paths below a folder are stored without it. The zero value is empty.
type Paths struct {
	dir  string
	rest []string // after dir, or after elsewhere; shared and never changed
}

// elsewhere precedes a path that is stored whole. It occurs in no path.
const elsewhere = "\x00"

// NewPaths returns the paths of files, most of which lie in the folder dir.
func NewPaths(dir string, files ...string) Paths {
	list := make([]string, len(files))
	for i, name := range files {
		list[i] = behind(dir, name)
	}
	return newPaths(dir, list)
}

// newPaths takes a list of what behind returns.
func newPaths(dir string, rest []string) Paths {
	p := Paths{dir, rest}
	slices.SortFunc(p.rest, func(a, b string) int {
		if a[:1] == elsewhere || b[:1] == elsewhere {
			a, b = p.path(a), p.path(b)
		}
		return strings.Compare(a, b)
	})
	p.rest = slices.Compact(p.rest)
	return p
}

func behind(dir, name string) string {
	if dir != "" && within(dir, name) && len(name) > len(dir) {
		return name[len(dir):]
	}
	return elsewhere + name
}

func (p Paths) path(rest string) string {
	if name, whole := strings.CutPrefix(rest, elsewhere); whole {
		return name
	}
	return p.dir + rest
}

// Len returns how many there are.
func (p Paths) Len() int { return len(p.rest) }

// All returns the paths. The list is new with each call.
func (p Paths) All() []string {
	list := make([]string, len(p.rest))
	for i, rest := range p.rest {
		list[i] = p.path(rest)
	}
	return list
}

// Contain reports whether a path is among them.
func (p Paths) Contain(name string) bool { return slices.Contains(p.rest, behind(p.dir, name)) }

// And returns the paths and another one.
func (p Paths) And(name string) Paths {
	return newPaths(p.dir, append(slices.Clip(p.rest), behind(p.dir, name)))
}

// shared returns the shared copy of a name.
func shared(known map[string]string, name string) string {
	one, ok := known[name]
	if !ok {
		one = strings.Clone(name) // it may be part of a longer one
		known[one] = one
	}
	return one
}

// share replaces lists of the same names by one.
func (p *Paths) share(known map[string][]string) {
	key := strings.Join(p.rest, "\x00")
	if list, ok := known[key]; ok {
		p.rest = list
		return
	}
	p.rest = slices.Clip(p.rest)
	known[key] = p.rest
}
