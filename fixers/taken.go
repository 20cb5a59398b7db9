package fixers

import (
	"strings"

	"github.com/amlfix/amlfix/fixers/text"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
)

// takenPlaces are the places that the fixes of one round need.
type takenPlaces struct {
	edits   map[string]*text.Taken // by path
	removed map[parent]int         // how many children go
}

// parent is a mapping or list of a file.
type parent struct {
	path     string
	document int
	pointer  string
}

// take records the places a fix needs, and reports whether all were free. Some places of a deferred fix of several
// files may be recorded, which only defers more fixes.
func (t *takenPlaces) take(c candidate) bool {
	for _, f := range c.files {
		if t.edits[f.path] == nil {
			t.edits[f.path] = &text.Taken{}
		}
		if t.empties(f) || !t.edits[f.path].Add(f.claims()) {
			return false
		}
	}
	return true
}

// empties reports whether a fix would remove the last entry that other fixes leave of a mapping or list, whose notation
// then depends on all of them.
func (t *takenPlaces) empties(f edited) bool {
	gone := map[parent]int{}
	for _, c := range f.changes {
		if i := strings.LastIndexByte(c.Pointer, '/'); c.Op == finding.RemoveEntry && i >= 0 {
			gone[parent{f.path, c.Document, c.Pointer[:i]}]++
		}
	}
	for p, n := range gone {
		if t.removed[p] > 0 && t.removed[p]+n >= children(f.stream, p) {
			return true
		}
	}
	for p, n := range gone {
		t.removed[p] += n
	}
	return false
}

// children returns how many entries or items a mapping or list has.
func children(s *document.Stream, p parent) int {
	if p.document >= len(s.Documents) {
		return 0
	}
	n := s.Documents[p.document].Find(p.pointer)
	if n == nil {
		return 0
	}
	return len(n.Entries()) + len(n.Items())
}
