package schema_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
	"github.com/amlfix/amlfix/schema/testkit/loaded"
)

// TestExcluded reads patterns as azure-ai-ml does, which gives each line to pathspec and lets the last one that fits
// decide; the answers are pathspec's.
func TestExcluded(t *testing.T) {
	files := []string{"out", "a.py", "src/a.py", "src/out/a.py", "out/x/y.py", "src/x/a.py", "#x", "{a,b}.py", "x/.hid/a.py"}
	for text, want := range map[string][]string{
		"out":              {"out", "src/out/a.py", "out/x/y.py"},
		"out/\n":           {"src/out/a.py", "out/x/y.py"},
		"/out":             {"out", "out/x/y.py"},
		"\ufeff/out":       {"out", "out/x/y.py"},
		"out/**":           {"out/x/y.py"},
		"src/*.py":         {"src/a.py"},
		"src/**/a.py\r\n":  {"src/a.py", "src/out/a.py", "src/x/a.py"},
		"*.py\n!a.py":      {"out/x/y.py", "{a,b}.py"},
		"# out\n\n\\#x\n":  {"#x"},
		"{a,b}.py":         {"{a,b}.py"},
		".*":               {"x/.hid/a.py"},
		"*.py[co]\n*.jpg":  nil,
		"src\n!src/x/\na?": {"src/a.py", "src/out/a.py"},
	} {
		p := loaded.Project(t, testkit.Lay(t, map[string]string{
			"job.yml": "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\n", ".gitignore": "*\n", ".amlignore": text,
		}))
		got := slices.DeleteFunc(slices.Clone(files), func(f string) bool { return p.Excluded(".", f) != ".amlignore" })
		if len(got) == 0 {
			got = nil
		}
		testkit.Same(t, want, got, "%q", text)
	}
}

// TestBelowOnce checks that all versions of a project see the files that the first one found, even if one was removed
// since.
func TestBelowOnce(t *testing.T) {
	dir := testkit.Lay(t, map[string]string{"job.yml": "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\n", "src/a.py": "", "src/b.py": ""})
	p := loaded.Project(t, dir)
	testkit.Same(t, []string{"a.py", "b.py"}, p.Below("src", ".py"))
	testkit.OK(t, os.Remove(filepath.Join(dir, "src", "a.py")))
	q := p.With(map[string][]byte{p.Files[0].Path: nil})
	testkit.Same(t, []string{"a.py", "b.py"}, q.Below("src", ".py"))
	testkit.Same(t, []string{"a.py", "b.py"}, q.Rooted(filepath.Dir(dir)).Below(filepath.Base(dir)+"/src", ".py"), "from the folder above")
	testkit.Same(t, []string{"b.py"}, loaded.Project(t, dir).Below("src", ".py"), "another check")
}
