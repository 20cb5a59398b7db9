//go:build linux

package v2_test

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers/internal/filetest"
	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/migratetest"
	v2 "github.com/amlfix/amlfix/fixers/migrate/v2"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/judge"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestAzureAcceptsTheCorpus checks that azure-ai-ml accepts every file written for every real project. Of files that
// differ only in the project's name, one is checked.
//
//testkit:norace
func TestAzureAcceptsTheCorpus(t *testing.T) {
	t.Parallel()
	asked := map[string]bool{}
	made := t.TempDir()
	for i, root := range filetest.Projects(t) {
		p := schema.Load(root, schema.Options{})
		if len(p.Jobs) == 0 {
			continue
		}
		m, err := migrate.New(p, v2.Emitter{}, migrate.Options{Out: filepath.Join(made, strconv.Itoa(i))})
		if err != nil {
			t.Fatalf("%s: %v", root.Dir, err)
		}
		testkit.OK(t, m.Commit())
		for _, f := range m.Files {
			kind := kindOf(f.Path)
			text := strings.ReplaceAll(string(f.Text), m.Name(), "NAME")
			if kind == judge.Job {
				_, text, _ = strings.Cut(text, "code: ")
				_, text, _ = strings.Cut(text, "\n")
			}
			if kind == "" || asked[text] {
				continue
			}
			asked[text] = true
			verdict := judge.Ask(t, kind, filepath.Join(m.Options.Out, f.Path))
			if strings.Contains(text, "file: "+account.Marker) {
				// a Spark job with an undecided script cannot be valid
				if len(verdict.Faults) != 1 || !strings.Contains(verdict.Faults[0].Message, "doesn't exist") {
					t.Errorf("%s: %s: %v, want only the undecided script to be rejected", root.Dir, f.Path, verdict)
				}
				continue
			}
			if !verdict.Accepted {
				t.Errorf("%s: %s: %v\n%s", root.Dir, f.Path, verdict, f.Text)
			}
		}
	}
	if t.Logf("%d different files", len(asked)); len(asked) < 100 {
		t.Errorf("only %d files were judged", len(asked))
	}
}

// TestAzureAcceptsLooseFiles does the same for the real projects that have conda files or compute targets but no run
// configuration.
func TestAzureAcceptsLooseFiles(t *testing.T) {
	made := t.TempDir()
	projects, files := 0, 0
	for i, root := range filetest.Projects(t) {
		p := schema.Load(root, schema.Options{})
		if len(p.RunConfigurations()) > 0 {
			continue
		}
		m, err := migrate.New(p, v2.Emitter{}, migrate.Options{Out: filepath.Join(made, strconv.Itoa(i))})
		if err != nil {
			t.Logf("%s: %v", root.Dir, err)
			continue
		}
		migratetest.Markers(t, m)
		testkit.OK(t, m.Commit())
		projects++
		for _, f := range m.Files {
			if kind := kindOf(f.Path); kind != "" {
				files++
				if verdict := judge.Ask(t, kind, filepath.Join(m.Options.Out, f.Path)); !verdict.Accepted {
					t.Errorf("%s: %s: %v\n%s", root.Dir, f.Path, verdict, f.Text)
				}
			}
		}
	}
	if t.Logf("%d files of %d projects", files, projects); projects < 5 || files < projects {
		t.Errorf("only %d files of %d projects: is the corpus complete?", files, projects)
	}
}

// TestAzureAcceptsTheGolden does the same for the golden projects, which use what few real ones do.
func TestAzureAcceptsTheGolden(t *testing.T) {
	t.Parallel()
	for _, name := range testkit.Glob(t, "testdata/*.txtar") {
		archive := testkit.Archive(t, name)
		dir := filepath.Join(t.TempDir(), "digits")
		unpack(t, dir, archive)
		m := migrateFolder(t, dir, string(archive.Comment))
		testkit.OK(t, m.Commit())
		for _, f := range m.Files {
			if kind := kindOf(f.Path); kind != "" {
				if verdict := judge.Ask(t, kind, filepath.Join(m.Options.Out, f.Path)); !verdict.Accepted {
					t.Errorf("%s: %s: %v\n%s", name, f.Path, verdict, f.Text)
				}
			}
		}
	}
}

func kindOf(name string) judge.Kind {
	switch {
	case !strings.HasSuffix(name, ".yml"):
		return ""
	case strings.HasPrefix(name, "job-"):
		return judge.Job
	case strings.HasPrefix(name, "environment-"):
		return judge.Environment
	case strings.HasPrefix(name, "compute-"):
		return judge.Compute
	case strings.HasPrefix(name, "endpoint-"):
		return "load_online_endpoint"
	case strings.HasPrefix(name, "deployment-"):
		return "load_online_deployment"
	case strings.HasPrefix(name, "data-"):
		return "load_data"
	case strings.HasPrefix(name, "schedule-"):
		return "load_schedule"
	case strings.HasPrefix(name, "model-"):
		return "load_model"
	}
	return ""
}
