package v2_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/migratetest"
	v2 "github.com/amlfix/amlfix/fixers/migrate/v2"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// written is the folder with the expected output in a golden project.
const written = migrate.DefaultOut + "/"

// TestGolden migrates the projects in testdata. The first lines of each are flags, one per line; the files below
// azureml/ are the expected output.
func TestGolden(t *testing.T) {
	for _, name := range testkit.Glob(t, "testdata/*.txtar") {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive := testkit.Archive(t, name)
			dir := filepath.Join(t.TempDir(), "digits")
			unpack(t, dir, archive)
			m := migrateFolder(t, dir, string(archive.Comment))
			migratetest.Markers(t, m)
			got := &txtar.Archive{Comment: archive.Comment}
			for _, f := range archive.Files {
				if !strings.HasPrefix(f.Name, written) {
					got.Files = append(got.Files, f)
				}
			}
			for _, f := range m.Files {
				got.Files = append(got.Files, txtar.File{Name: written + f.Path, Data: f.Text})
			}
			if *migratetest.Update {
				testkit.OK(t, os.WriteFile(name, txtar.Format(got), 0o644))
			}
			if diff := cmp.Diff(testkit.Read(t, name), string(txtar.Format(got))); diff != "" {
				t.Errorf("(-want +got; -update rewrites it):\n%s", diff)
			}
		})
	}
}

// unpack writes the files of a project.
func unpack(t *testing.T, dir string, archive *txtar.Archive) {
	t.Helper()
	for _, f := range archive.Files {
		if strings.HasPrefix(f.Name, written) {
			continue
		}
		testkit.Write(t, dir, f.Name, f.Data)
	}
}

// migrateFolder migrates the project in dir with the flags of a golden file.
func migrateFolder(t *testing.T, dir, flags string) *migrate.Migration {
	t.Helper()
	roots, err := schema.Discover([]string{dir})
	testkit.OK(t, err)
	roots = migrate.Projects(dir, roots)
	opts := migrate.Options{Answers: map[string]migrate.Answer{}}
	for line := range strings.Lines(flags) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch name {
		case "-c":
			opts.Configs = append(opts.Configs, value)
		case "--script":
			opts.Script = value
		case "--answer":
			id, answer, _ := strings.Cut(value, "=")
			opts.Answers[id] = migrate.Answer{Value: answer, From: migrate.FromFlag}
		}
	}
	i := slices.IndexFunc(roots, func(r schema.Root) bool { return filepath.Clean(r.Dir) == filepath.Clean(dir) })
	m, err := migrate.New(schema.Load(roots[max(i, 0)], schema.Options{}), v2.Emitter{}, opts)
	testkit.OK(t, err)
	return m
}
