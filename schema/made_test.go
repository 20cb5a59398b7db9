package schema_test

import (
	"bytes"
	"path"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// alike compares jobs and targets field by field, and what they lead to by name.
var alike = cmp.Options{
	cmp.Exporter(func(reflect.Type) bool { return true }),
	cmp.Comparer(func(a, b *schema.File) bool {
		return a == nil && b == nil || a != nil && b != nil && a.Path == b.Path && a.Kind == b.Kind && a.Dialect == b.Dialect
	}),
	cmp.Comparer(func(a, b *document.Node) bool {
		return a == nil && b == nil || a != nil && b != nil && a.Span == b.Span && a.Value == b.Value
	}),
	cmp.Comparer(func(a, b *schema.Environment) bool {
		return a == nil && b == nil || a != nil && b != nil && a.File.Path == b.File.Path && slices.EqualFunc(a.Jobs, b.Jobs, sameJob)
	}),
	cmp.Comparer(func(a, b *schema.Target) bool {
		return a == nil && b == nil || a != nil && b != nil && a.File.Path == b.File.Path && slices.EqualFunc(a.Jobs, b.Jobs, sameJob)
	}),
	cmp.Comparer(sameJob),
	cmp.Comparer(func(a, b *source.Source) bool { return a.Path == b.Path }),
}

func sameJob(a, b *schema.Job) bool {
	return a == nil && b == nil || a != nil && b != nil && a.Name == b.Name && a.File.Path == b.File.Path
}

// TestVersionsShare compares the jobs and targets of versions of real projects with those of projects that are loaded
// so: each file without its second half, and with the text of another file of its kind.
//
//testkit:norace
func TestVersionsShare(t *testing.T) {
	compared := 0
	roots, err := schema.Discover([]string{testkit.Corpus(t)})
	testkit.OK(t, err)
	for _, root := range roots {
		options := schema.Options{GPU: []string{"local"}, Computes: map[string]string{"gpu": "Standard_NC6"}}
		p := schema.Load(root, options)
		for i, f := range p.Files[:min(len(p.Files), 12)] {
			leadsToItself(t, p.With(map[string][]byte{f.Path: nil}))
			half := f.Source.Text[:bytes.LastIndexByte(f.Source.Text[:len(f.Source.Text)/2], '\n')+1]
			for _, text := range [][]byte{half, next(p.Files, i)} {
				after := p.With(map[string][]byte{f.Path: text})
				leadsToItself(t, after)
				options.Text = func(name string) ([]byte, bool) { return text, name == f.Path }
				whole := schema.Load(root, options)
				if !slices.EqualFunc(whole.Files, after.Files, func(a, b *schema.File) bool { return a.Path == b.Path }) {
					continue // a file that was read because this one named it stays
				}
				same(t, f.Path, whole.Jobs, after.Jobs)
				same(t, f.Path, whole.Targets, after.Targets)
				compared++
			}
		}
	}
	if compared < 1000 {
		t.Errorf("only %d versions were compared", compared)
	}
}

// leadsToItself checks that jobs lead to files, targets and environments of their own version.
func leadsToItself(t *testing.T, p *schema.Project) {
	t.Helper()
	for _, j := range p.Jobs {
		files := []*schema.File{j.File, j.Framework.File, j.Spark}
		if j.Target != nil {
			files = append(files, j.Target.File, j.Target.Type.File)
			if !slices.Contains(p.Targets, j.Target) {
				t.Errorf("%s: its target is another version's", j.File.Path)
			}
		}
		if j.Environment != nil {
			files = append(files, j.Environment.File)
			if !slices.Contains(p.Environments, j.Environment) {
				t.Errorf("%s: its environment is another version's", j.File.Path)
			}
		}
		for _, s := range j.SparkSettings.Configuration {
			files = append(files, s.Value.File)
		}
		for _, f := range files {
			if f != nil && p.File(f.Path) != f {
				t.Errorf("%s: leads to another version's %s", j.File.Path, f.Path)
			}
		}
	}
}

// TestTakenForAnother checks that a file that only one version takes for a conda file stays unknown in the others.
func TestTakenForAnother(t *testing.T) {
	p := schema.Load(schema.Root{Dir: "."}, schema.Options{}).With(map[string][]byte{
		"a.runconfig": []byte("ArgumentVector: [a.py]\nTarget: local\nFramework: Python\n"), "odd.txt": []byte("odd: 1\n")})
	q := p.With(map[string][]byte{
		"a.runconfig": []byte("ArgumentVector: [a.py]\nTarget: local\nFramework: Python\nCondaDependenciesFile: odd.txt\n")})
	if before, after := p.File("odd.txt").Kind, q.File("odd.txt").Kind; before != schema.Unknown || after != schema.CondaFile {
		t.Errorf("it is a %v, and then a %v", before, after)
	}
}

// TestNewFilesInOrder checks that a version takes its new files in the order of their names: what others say of a
// doubtful file depends on which comes first.
func TestNewFilesInOrder(t *testing.T) {
	for range 50 {
		p := schema.Load(schema.Root{Dir: "."}, schema.Options{}).With(map[string][]byte{
			"a.runconfig": []byte("ArgumentVector: [a.py]\nTarget: local\nFramework: Python\nCondaDependenciesFile: y.yml\n"),
			"b.runconfig": []byte("ArgumentVector: [a.py]\nTarget: local\nFramework: PySpark\nSparkDependenciesFile: y.yml\n"),
			"y.yml":       []byte("odd: 1\n"),
		})
		if got := p.File("y.yml").Kind; got != schema.CondaFile {
			t.Fatalf("it is a %v", got)
		}
	}
}

// next returns the text of the next file that has the extension of the file at i.
func next(files []*schema.File, i int) []byte {
	for n := range files {
		if f := files[(i+1+n)%len(files)]; path.Ext(f.Path) == path.Ext(files[i].Path) {
			return f.Source.Text
		}
	}
	return nil
}

func same[T any](t *testing.T, name string, want, got []*T) {
	t.Helper()
	if len(want) != len(got) {
		t.Errorf("%s: %d instead of %d", name, len(got), len(want))
		return
	}
	for i := range want {
		if !cmp.Equal(*want[i], *got[i], alike) {
			t.Errorf("%s: %s", name, cmp.Diff(*want[i], *got[i], alike))
		}
	}
}
