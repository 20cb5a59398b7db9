// Package text defines what the fixers exchange: an edit of a file's bytes. The editor makes edits and the verifier
// judges them; neither imports the other.
package text

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// Edit replaces the bytes of Span by New. An empty span inserts, an empty New deletes.
type Edit struct {
	Span source.Span
	New  string
}

// Sort orders edits by position. Insertions at one place keep their order and come before a replacement that begins
// there.
func Sort(edits []Edit) {
	plain.SortFunc(edits, compare)
}

func compare(a, b Edit) int {
	return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Span.End, b.Span.End))
}

// check returns an error if edits are not in order, overlap, or reach outside a text of the given length. Edits that
// only touch are fine.
func check(length int, edits []Edit) error {
	end := 0
	for _, e := range edits {
		if e.Span.Start < end || e.Span.End < e.Span.Start || e.Span.End > length {
			return fmt.Errorf("edit of bytes %d to %d overlaps the one before it, or leaves the text of %d bytes",
				e.Span.Start, e.Span.End, length)
		}
		end = e.Span.End
	}
	return nil
}

// Apply returns a copy of old after edits, which must be sorted and must not overlap; old is not changed.
func Apply(old []byte, edits []Edit) ([]byte, error) {
	if err := check(len(old), edits); err != nil {
		return nil, err
	}
	size := len(old)
	for _, e := range edits {
		size += len(e.New) - e.Span.Len()
	}
	result := make([]byte, 0, size)
	at := 0
	for _, e := range edits {
		result = append(result, old[at:e.Span.Start]...)
		result = append(result, e.New...)
		at = e.Span.End
	}
	return append(result, old[at:]...), nil
}

// Taken is a set of places that edits occupy; the zero value is empty.
type Taken struct{ edits []Edit } // sorted, disjoint

// Add adds the places of edits, unless one of them shares a byte or a boundary with a place that is already taken; it
// reports whether it did. Bytes do not show whether touching edits mean the same in either order, except that deletions
// do. Edits of one call may touch each other.
func (t *Taken) Add(edits []Edit) bool {
	if slices.ContainsFunc(edits, t.meets) {
		return false
	}
	for _, e := range edits {
		i, _ := slices.BinarySearchFunc(t.edits, e, compare)
		t.edits = slices.Insert(t.edits, i, e)
	}
	return true
}

// meets reports whether an edit conflicts with those already in the set.
func (t *Taken) meets(e Edit) bool {
	i, _ := slices.BinarySearchFunc(t.edits, e.Span.Start, func(a Edit, offset int) int { return cmp.Compare(a.Span.End, offset) })
	for ; i < len(t.edits) && t.edits[i].Span.Start <= e.Span.End; i++ {
		if a := t.edits[i]; !a.deletes() || !e.deletes() || a.Span.Overlaps(e.Span) {
			return true
		}
	}
	return false
}

// deletes reports whether an edit only removes bytes.
func (e Edit) deletes() bool { return e.New == "" && e.Span.Len() > 0 }

// Map maps offsets of an old text to the new one.
type Map struct {
	edits  []Edit
	shifts []int // shifts[i] is how far the first i edits move what follows them
}

// NewMap returns the map of edits, which must be sorted and must not overlap.
func NewMap(edits []Edit) Map {
	m := Map{edits: edits, shifts: make([]int, 1, len(edits)+1)}
	for i, e := range edits {
		m.shifts = append(m.shifts, m.shifts[i]+len(e.New)-e.Span.Len())
	}
	return m
}

// New returns where the byte at an offset of the old text is. A byte that an edit replaced maps to the beginning of the
// replacement; an insertion at the offset itself comes before it.
func (m Map) New(offset int) int {
	i := firstAfter(m.edits, offset)
	if i < len(m.edits) && m.edits[i].Span.Start <= offset {
		offset = m.edits[i].Span.Start
	}
	if i == 0 {
		return offset
	}
	return offset + m.shifts[i]
}

// firstAfter returns the index of the first edit that ends after offset.
func firstAfter(edits []Edit, offset int) int {
	i, _ := slices.BinarySearchFunc(edits, offset, func(e Edit, offset int) int {
		if e.Span.End <= offset {
			return -1
		}
		return 1
	})
	return i
}
