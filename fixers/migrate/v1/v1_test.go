//go:build linux

package v1_test

import (
	"errors"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/migratetest"
	v1 "github.com/amlfix/amlfix/fixers/migrate/v1"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/judge"
	"github.com/amlfix/amlfix/schema/testkit"
	"github.com/amlfix/amlfix/schema/testkit/loaded"
)

// meant is what SDK v1 should read from a run configuration.
type meant struct {
	Script, Target, Framework, Image, Conda string
	Arguments                               []string
	Docker, UserManaged                     bool
}

// accepted matches the names that a workspace accepts for compute targets.
var accepted = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]{1,15}$`)

// read returns what SDK v1 reads from a run configuration.
func read(t *testing.T, path string) meant {
	t.Helper()
	v := judge.Ask(t, judge.RunConfig, path)
	if !v.Accepted {
		t.Fatalf("%s: %v", path, v)
	}
	environment, _ := v.Values["environment"].(map[string]any)
	docker, _ := environment["docker"].(map[string]any)
	python, _ := environment["python"].(map[string]any)
	text := func(value any) string { s, _ := value.(string); return s }
	if late, _ := v.Values["docker"].(map[string]any); late["useDocker"] != docker["enabled"] {
		t.Errorf("%s: docker.useDocker is %v, environment.docker.enabled is %v; the SDK goes by the first", path, late["useDocker"], docker["enabled"])
	}
	got := meant{Script: text(v.Values["script"]), Target: text(v.Values["target"]), Framework: text(v.Values["framework"]),
		Image: text(docker["baseImage"]), Docker: docker["enabled"] == true, UserManaged: python["userManagedDependencies"] == true}
	if python["condaDependencies"] != nil {
		got.Conda = "read"
	}
	arguments, _ := v.Values["arguments"].([]any)
	for _, a := range arguments {
		got.Arguments = append(got.Arguments, text(a))
	}
	return got
}

// workbench reports whether a project has only Workbench jobs.
func workbench(p *schema.Project) bool {
	return !slices.ContainsFunc(p.Jobs, func(j *schema.Job) bool { return j.Dialect == schema.SDKv1 })
}

// TestSDKReadsTheCorpus checks that azureml-core reads the right values from what is written for every real Workbench
// project.
func TestSDKReadsTheCorpus(t *testing.T) {
	asked := map[string]bool{}
	count := migratetest.Corpus(t, v1.Emitter{}, func(p *schema.Project) bool { return !workbench(p) }, func(m *migrate.Migration) {
		dir := t.TempDir()
		write(t, dir, m.Files)
		for _, j := range m.Jobs {
			path := filepath.Join(dir, ".azureml", j.Name+".runconfig")
			text := []byte(testkit.Read(t, path))
			if asked[string(text)] {
				continue
			}
			asked[string(text)] = true
			want := meant{Script: j.Script, Target: j.Source.TargetName.Text, Framework: "Python", Docker: j.Source.Target.Container(), UserManaged: j.Conda == nil}
			if j.Script == "" {
				want.Script = "DECIDE.py"
			}
			got := read(t, path)
			if !accepted.MatchString(want.Target) && accepted.MatchString(got.Target) {
				want.Target = got.Target
			}
			if j.Place == migrate.OnLocal {
				want.Target = "local"
			}
			if j.Spark {
				want.Framework = "PySpark"
			}
			if want.Docker && j.Dockerfile == nil {
				want.Image = j.Image.Image
			}
			for _, a := range j.Arguments {
				word, _ := a.Text()
				want.Arguments = append(want.Arguments, word)
			}
			if !want.Docker {
				got.Image = "" // the SDK's own default, which it does not use
			}
			if (got.Conda == "read") != (j.Conda != nil) && !want.UserManaged {
				t.Errorf("%s: %s: conda file %v", m.Project.Root, j.Name, got.Conda)
			}
			got.Conda = ""
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: %s: SDK v1 reads something else (-want +got):\n%s\n%s", m.Project.Root, j.Name, diff, text)
			}
		}
	})
	t.Logf("%d projects, %d different run configurations", count, len(asked))
	if count < 50 || len(asked) < 20 {
		t.Error("is the corpus complete?")
	}
}

func write(t *testing.T, dir string, files []migrate.File) {
	t.Helper()
	for _, f := range files {
		testkit.Write(t, dir, f.Path, f.Text)
	}
}

func load(t *testing.T, dir string, files []migrate.File) *schema.Project {
	t.Helper()
	write(t, dir, files)
	return loaded.Project(t, dir)
}

// TestWhatTheSDKMakesOfWorkbench shows why a migration is needed: the SDK's own loader of Workbench files loses script,
// arguments and target.
func TestWhatTheSDKMakesOfWorkbench(t *testing.T) {
	dir := t.TempDir()
	p := load(t, dir, []migrate.File{
		{Path: "aml_config/docker.compute", Text: []byte("type: localdocker\nbaseDockerImage: example.com/own:1\n")},
		{Path: "aml_config/local.compute", Text: []byte("type: local\n")},
		{Path: "aml_config/docker.runconfig", Text: []byte("ArgumentVector: [train.py, \"010\", $HOME, \"a: b\"]\nTarget: docker\nFramework: Python\nCondaDependenciesFile: aml_config/conda_dependencies.yml\n")},
		{Path: "aml_config/conda_dependencies.yml", Text: []byte("dependencies: [python=3.11, numpy]\n")},
		{Path: "train.py", Text: nil},
	})
	before := read(t, filepath.Join(dir, "aml_config", "docker.runconfig"))
	if before.Script != "" || before.Arguments != nil || before.Target != "local" || before.Docker {
		t.Errorf("the SDK reads more of Workbench files than documented: %+v", before)
	}
	m, err := migrate.New(p, v1.Emitter{}, migrate.Options{})
	testkit.OK(t, err)
	out := t.TempDir()
	write(t, out, m.Files)
	want := meant{Script: "train.py", Target: "local", Framework: "Python", Image: "example.com/own:1", Conda: "read", Arguments: []string{"010", "$HOME", "a: b"}, Docker: true}
	testkit.Same(t, want, read(t, filepath.Join(out, ".azureml", "docker.runconfig")))
}

// TestSDKSourcesAreRefused checks the error for run configurations that are already SDK v1.
func TestSDKSourcesAreRefused(t *testing.T) {
	p := load(t, t.TempDir(), []migrate.File{{Path: ".azureml/a.runconfig", Text: []byte("script: a.py\ntarget: local\n")}})
	_, err := migrate.New(p, v1.Emitter{}, migrate.Options{})
	if config := new(migrate.ConfigError); !errors.As(err, &config) || !strings.Contains(err.Error(), "already an SDK v1") {
		t.Errorf("error %v", err)
	}
}
