package source

import (
	"cmp"
	"sort"

	"github.com/amlfix/amlfix/schema/plain"
)

// Span is a half-open range of byte offsets, [Start, End), into a file's text. An empty span (Start == End) marks a
// place between two bytes.
type Span struct{ Start, End int }

// Len returns the number of bytes in the span.
func (s Span) Len() int { return s.End - s.Start }

// Contains reports whether offset lies in the span.
func (s Span) Contains(offset int) bool { return s.Start <= offset && offset < s.End }

// Overlaps reports whether the two spans share at least one byte.
func (s Span) Overlaps(t Span) bool { return s.Start < t.End && t.Start < s.End }

// Merge sorts spans and joins those that overlap or touch. It reuses their memory.
func Merge(spans []Span) []Span {
	plain.SortFunc(spans, func(a, b Span) int { return cmp.Compare(a.Start, b.Start) })
	out := spans[:0]
	for _, s := range spans {
		if n := len(out); n > 0 && s.Start <= out[n-1].End {
			out[n-1].End = max(out[n-1].End, s.End)
			continue
		}
		out = append(out, s)
	}
	return out
}

// AnyOverlaps reports whether one of spans, which Merge returned or which are sorted and disjoint, shares a byte with
// another.
func AnyOverlaps(merged []Span, with Span) bool {
	i := sort.Search(len(merged), func(i int) bool { return merged[i].End > with.Start })
	return i < len(merged) && merged[i].Overlaps(with)
}
