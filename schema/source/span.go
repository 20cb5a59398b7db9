package source

// Span is a half-open range of byte offsets, [Start, End), into a file's text.
// An empty span (Start == End) marks a place between two bytes.
type Span struct{ Start, End int }

// Len returns the number of bytes in the span.
func (s Span) Len() int { return s.End - s.Start }

// Contains reports whether offset lies in the span.
func (s Span) Contains(offset int) bool { return s.Start <= offset && offset < s.End }

// Overlaps reports whether the two spans share at least one byte.
func (s Span) Overlaps(t Span) bool { return s.Start < t.End && t.Start < s.End }
