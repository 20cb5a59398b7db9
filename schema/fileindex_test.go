package schema

import (
	"fmt"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestFileIndex finds the same files one by one, and with maps: of two with one name, the first.
func TestFileIndex(t *testing.T) {
	for _, count := range []int{1, few - 2, few + 2, 3 * few} {
		var index fileIndex
		var files []*File
		for n := range count {
			f := &File{Path: fmt.Sprint("/p/", n), Rel: fmt.Sprint(n), Also: []string{fmt.Sprint("d/", n)}}
			twin := &File{Path: f.Path, Rel: f.Also[0], Also: []string{f.Rel, fmt.Sprint("e/", n)}}
			files = append(files, f, twin)
			found := index.of(files)
			testkit.Same(t, []*File{f, f, f, twin}, []*File{found.path(f.Path), found.rel(f.Rel), found.rel(f.Also[0]), found.rel(twin.Also[1])}, "%d", n)
		}
		found := index.of(files)
		testkit.Same(t, count > few/2, found.byPath != nil, "%d", count)
		testkit.Same(t, files[0], found.path(files[0].Path), "%d", count)
		testkit.Same(t, []*File{nil, nil}, []*File{found.path("/p"), found.rel("d")}, "%d", count)
		testkit.Same(t, []bool{true, true, false}, []bool{found.holds("d"), found.holds("."), found.holds("0")}, "%d", count)
	}
}
