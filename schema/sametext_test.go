package schema_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

const condaName = "aml_config/conda_dependencies.yml"

// sameTwice loads two projects that contain a text, which is the one that is returned, and share its tree.
func sameTwice(t *testing.T) (text string, one, other *schema.File) {
	t.Helper()
	const most = 20 // another text may have the place of one
	for range most {
		text = fmt.Sprintf("name: env-%d\ndependencies:\n  - python=3.7\n", rand.Uint64())
		first := loadArchive(t, "-- "+condaName+" --\n"+text).FileAt(condaName)
		one, other = loadArchive(t, "-- "+condaName+" --\n"+text).FileAt(condaName), loadArchive(t, "-- "+condaName+" --\n"+text).FileAt(condaName)
		if first.Root() == one.Root() {
			t.Error("a text is kept when it is read for the first time")
		}
		if one.Root() == other.Root() {
			return text, one, other
		}
	}
	t.Fatal("no projects share a tree")
	return "", nil, nil
}

func loadArchive(t *testing.T, archive string) *schema.Project {
	t.Helper()
	roots, err := schema.Discover([]string{testkit.Folder(t, archive)})
	testkit.OK(t, err)
	if len(roots) != 1 {
		t.Fatalf("%d projects", len(roots))
	}
	return schema.Load(roots[0], schema.Options{})
}

// TestSameText loads projects that contain the same text: they share its tree, but the files of one project do not, and
// what a file counts as depends on its name.
func TestSameText(t *testing.T) {
	text, one, other := sameTwice(t)
	testkit.Same(t, false, one.Path == other.Path)
	testkit.Same(t, other.Path, other.Stream.Source.Path)
	testkit.Same(t, other.Source, other.Stream.Source)

	both := loadArchive(t, "-- "+condaName+" --\n"+text+"-- aml_config/other_conda.yml --\n"+text+"-- aml_config/gpu.compute --\n"+text)
	conda, second, target := both.FileAt(condaName), both.FileAt("aml_config/other_conda.yml"), both.FileAt("aml_config/gpu.compute")
	testkit.Same(t, []schema.Kind{schema.CondaFile, schema.CondaFile, schema.Compute}, []schema.Kind{conda.Kind, second.Kind, target.Kind})
	if conda.Root() != one.Root() || conda.Root() == second.Root() || conda.Root() == target.Root() || second.Root() == target.Root() {
		t.Error("files of one project share a tree, or none has that of the others")
	}
}

// TestTextNote counts how often files with the same text are looked at: once for what the text alone decides, and for
// each file if something is found that names it.
func TestTextNote(t *testing.T) {
	const nothing, ofText, ofFile, clean = 61, 60, 59, 58
	asked := map[int]int{}
	look := func(n, results int) func(*schema.File) []string {
		return func(f *schema.File) []string {
			asked[n]++
			return []string{f.Path}[:results]
		}
	}
	_, one, other := sameTwice(t)
	testkit.Same(t, false, schema.KnownClean(one, clean))
	for _, f := range []*schema.File{one, other} {
		testkit.Same(t, 0, len(schema.Note(f, nothing, look(nothing, 0))))
		testkit.Same(t, []string{one.Path}, schema.TextNote(f, ofText, look(ofText, 1)))
		testkit.Same(t, []string{f.Path}, schema.Note(f, ofFile, look(ofFile, 1)))
		schema.NoteClean(one, clean)
		testkit.Same(t, true, schema.KnownClean(f, clean))
	}
	testkit.Same(t, map[int]int{nothing: 1, ofText: 1, ofFile: 2}, asked)
	elsewhere := *other
	elsewhere.Kind = schema.Unknown
	testkit.Same(t, false, schema.KnownClean(&elsewhere, clean), "another kind")
}
