package skypilot_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/migratetest"
	"github.com/amlfix/amlfix/fixers/migrate/skypilot"
	"github.com/amlfix/amlfix/schema/testkit"
	"github.com/amlfix/amlfix/schema/testkit/loaded"
)

// TestGolden migrates the projects in testdata. The first lines of each are answers, one per line; the files below
// azureml/ are the expected output.
func TestGolden(t *testing.T) {
	t.Parallel()
	const out = migrate.DefaultOut + "/"
	for _, name := range testkit.Glob(t, "testdata/*.txtar") {
		archive := testkit.Archive(t, name)
		dir := filepath.Join(t.TempDir(), "digits")
		got := &txtar.Archive{Comment: archive.Comment}
		for _, f := range archive.Files {
			if !strings.HasPrefix(f.Name, out) {
				testkit.Write(t, dir, f.Name, f.Data)
				got.Files = append(got.Files, f)
			}
		}
		options := migrate.Options{Answers: map[string]migrate.Answer{}}
		for line := range strings.Lines(string(archive.Comment)) {
			id, answer, _ := strings.Cut(strings.TrimSpace(line), "=")
			options.Answers[id] = migrate.Answer{Value: answer, From: migrate.FromFlag}
		}
		m, err := migrate.New(loaded.Project(t, dir), skypilot.Emitter{}, options)
		testkit.OK(t, err)
		migratetest.Markers(t, m)
		for _, f := range m.Files {
			got.Files = append(got.Files, txtar.File{Name: out + f.Path, Data: f.Text})
		}
		if *migratetest.Update {
			testkit.OK(t, os.WriteFile(name, txtar.Format(got), 0o644))
		}
		testkit.Same(t, testkit.Read(t, filepath.Dir(name), filepath.Base(name)), string(txtar.Format(got)), "%s (-update writes it again)", name)
	}
}
