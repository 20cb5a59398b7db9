package plain

import "strings"

// List joins words for a sentence: "a, b and c", with the conjunction given.
func List(words []string, conjunction string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " " + conjunction + " " + words[last]
}

// Both returns the elements of two lists, to be read: it may share memory with a. It is much smaller than
// slices.Concat, of which each type has its own.
func Both[T any](a, b []T) []T { return append(a[:len(a):len(a)], b...) }
