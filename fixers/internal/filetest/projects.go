// Package filetest gives the fixers' tests copies of the real projects.
package filetest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// Projects returns copies of the real projects beside the checkout, in a temporary folder: those found there, with
// empty files for the scripts they list, and, for each run configuration of the histories, one made of it and the other
// files of its repository. It skips the test, and says so, if there are none.
func Projects(t testing.TB) []schema.Root {
	t.Helper()
	dir := testkit.Corpus(t)
	made := t.TempDir()
	testkit.OK(t, os.CopyFS(filepath.Join(made, "projects"), os.DirFS(filepath.Join(dir, "projects"))))
	lists, err := filepath.Glob(filepath.Join(made, "projects", "*", "PYFILES.txt"))
	testkit.OK(t, err)
	for _, list := range lists {
		makeScripts(t, list)
	}
	history, err := filepath.Glob(filepath.Join(dir, "history", "*"))
	testkit.OK(t, err)
	for _, file := range history {
		if strings.HasSuffix(file, ".runconfig") {
			assemble(t, made, file, history)
		}
	}
	for _, pattern := range []string{"projects/*", "*/aml_config/.."} {
		repositories, err := filepath.Glob(filepath.Join(made, filepath.FromSlash(pattern)))
		testkit.OK(t, err)
		for _, repository := range repositories {
			testkit.OK(t, os.MkdirAll(filepath.Join(repository, ".git"), 0o755)) // nothing reads what others contain
		}
	}
	roots, err := schema.Discover([]string{made})
	testkit.OK(t, err)
	return roots
}

// makeScripts makes the files that a list of names and sizes names.
func makeScripts(t testing.TB, list string) {
	text := testkit.Read(t, list)
	for line := range strings.Lines(text) {
		name, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
		file := filepath.Join(filepath.Dir(list), filepath.FromSlash(name))
		if name == "" || !filepath.IsLocal(filepath.FromSlash(name)) {
			continue
		}
		testkit.OK(t, os.MkdirAll(filepath.Dir(file), 0o755))
		testkit.OK(t, os.WriteFile(file, nil, 0o644))
	}
}

// assemble makes a project of a run configuration and the files of its repository, whose names are
// ID__REPOSITORY__FOLDERS__FILE.
func assemble(t testing.TB, made, file string, history []string) {
	id, rest, _ := strings.Cut(filepath.Base(file), "__")
	repository, _, _ := strings.Cut(rest, "__")
	folder := filepath.Join(made, id, "aml_config")
	testkit.OK(t, os.MkdirAll(folder, 0o755))
	for _, other := range append([]string{file}, history...) {
		_, from, _ := strings.Cut(filepath.Base(other), "__")
		if owner, _, _ := strings.Cut(from, "__"); owner != repository || other != file && strings.HasSuffix(other, ".runconfig") {
			continue
		}
		name := filepath.Join(folder, from[strings.LastIndex(from, "__")+2:])
		if _, err := os.Stat(name); err == nil {
			continue
		}
		text := []byte(testkit.Read(t, other))
		testkit.OK(t, os.WriteFile(name, text, 0o644))
	}
}
