//go:build linux

package compose_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/types"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/compose"
	"github.com/amlfix/amlfix/fixers/migrate/migratetest"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/judge/container"
	"github.com/amlfix/amlfix/schema/testkit"
	"github.com/amlfix/amlfix/schema/testkit/loaded"
)

// composed reads the compose.yaml of a migration as Compose does, with a value for every secret.
func composed(t *testing.T, m *migrate.Migration) *types.Project {
	t.Helper()
	var variables []string
	for _, j := range m.Jobs {
		for _, v := range j.Variables {
			if v.Secret {
				variables = append(variables, v.Name+"=from-the-shell")
			}
		}
	}
	dir := t.TempDir()
	for _, f := range m.Files {
		if f.Path == "compose.yaml" {
			testkit.OK(t, os.WriteFile(filepath.Join(dir, f.Path), f.Text, 0o600))
		}
	}
	p, err := container.ComposeFile(filepath.Join(dir, "compose.yaml"), variables...)
	if err != nil {
		t.Fatalf("%s: %v", m.Project.Root, err)
	}
	return p
}

// TestComposeAcceptsTheCorpus checks that Compose's own parser accepts what is written for every real project.
//
//testkit:norace
func TestComposeAcceptsTheCorpus(t *testing.T) {
	t.Parallel()
	gpus := 0
	count := migratetest.Corpus(t, compose.Emitter{}, nil, func(m *migrate.Migration) {
		p := composed(t, m)
		if len(p.Services) != len(m.Jobs) {
			t.Errorf("%s: %d services for %d jobs", m.Project.Root, len(p.Services), len(m.Jobs))
		}
		for _, j := range m.Jobs {
			s := p.Services[account.Slug(j.Name)]
			if s.Deploy != nil != j.GPU {
				t.Errorf("%s: %s: GPU %v, but devices %v", m.Project.Root, j.Name, j.GPU, s.Deploy)
			}
			if j.GPU {
				gpus++
			}
		}
		for _, f := range m.Files {
			if f.Path != account.Report && strings.Contains(string(f.Text), "mcr.microsoft.com/azureml/") {
				t.Errorf("%s: %s names an image that is only for Azure", m.Project.Root, f.Path)
			}
		}
	})
	t.Logf("%d projects, %d services with a GPU", count, gpus)
	if count < 100 || gpus == 0 {
		t.Error("is the corpus complete?")
	}
}

// TestComposeAcceptsV2 does the same for v2 command jobs and pipelines.
func TestComposeAcceptsV2(t *testing.T) {
	t.Parallel()
	pipelines, waits := 0, 0
	count := migratetest.V2(t, compose.Emitter{}, func(m *migrate.Migration) {
		p := composed(t, m)
		if len(p.Services) != len(m.Jobs) {
			t.Errorf("%s: %d services for %d jobs", m.Project.Root, len(p.Services), len(m.Jobs))
		}
		for _, j := range m.Jobs {
			if j.Step != nil {
				if n := len(p.Services[account.Slug(j.Name)].DependsOn); n != len(j.Step.After) {
					t.Errorf("%s: %s waits for %d services, but needs %v", m.Project.Root, j.Name, n, j.Step.After)
				}
				waits += len(j.Step.After)
			}
		}
		pipelines += len(m.Pipelines)
	})
	if t.Logf("%d jobs and steps, %d pipelines, %d dependencies", count, pipelines, waits); count < 400 || pipelines < 50 || waits < 100 {
		t.Error("is the corpus complete?")
	}
}

// project writes a project with one job and returns it.
func project(t testing.TB, files map[string]string) *schema.Project {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "digits")
	for name, text := range files {
		testkit.Write(t, dir, name, text)
	}
	return loaded.Project(t, dir)
}

const target = "type: localdocker\nbaseDockerImage: example.com/own:1\n"

func migrated(t *testing.T, files map[string]string, options migrate.Options) *migrate.Migration {
	t.Helper()
	m, err := migrate.New(project(t, files), compose.Emitter{}, options)
	testkit.OK(t, err)
	return m
}

// TestArgumentsSurvive checks that arguments that Compose, YAML or a shell could change arrive unchanged in what
// Compose runs.
func TestArgumentsSurvive(t *testing.T) {
	t.Parallel()
	args := []string{"$HOME", "${HOME}", "$$", "$", "a b", "it's", `say "no"`, "a: b", "#c", "", "yes", "010", "-", "[x]", "{y}", "${{inputs.x}}", "tab\there", "line\nbreak", `back\slash`, "ünï", "$(X)", "*", "&a", "%d", "`id`", "1e3", "null", "~"}
	var quoted []string
	for _, a := range args {
		quoted = append(quoted, quoteYAML(a))
	}
	m := migrated(t, map[string]string{
		"aml_config/docker.compute":   target,
		"aml_config/docker.runconfig": "Target: docker\nFramework: Python\nArgumentVector: [train.py, " + strings.Join(quoted, ", ") + "]\nEnvironmentVariables: {A: \"$HOME\", B: \"010\"}\n",
		"train.py":                    "",
	}, migrate.Options{})
	s := composed(t, m).Services["docker"]
	testkit.Same(t, append([]string{"python", "train.py"}, args...), []string(s.Command), "arguments")
	for name, want := range map[string]string{"A": "$HOME", "B": "010"} {
		if got := s.Environment[name]; got == nil || *got != want {
			t.Errorf("%s is %v, want %q", name, got, want)
		}
	}
}

// TestVectors checks that argument vectors arrive unchanged in what Compose runs.
func TestVectors(t *testing.T) {
	for _, vector := range migratetest.Vectors() {
		m := migrated(t, map[string]string{
			"aml_config/docker.compute":   target,
			"aml_config/docker.runconfig": string(migratetest.DockerRun(vector)),
		}, migrate.Options{})
		testkit.Same(t, append([]string{"python"}, vector...), []string(composed(t, m).Services["docker"].Command))
	}
}

func quoteYAML(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(s) + `"`
}

// TestDataAndSecrets checks that folders replace datastores and that secrets come from the shell.
func TestDataAndSecrets(t *testing.T) {
	files := map[string]string{
		".azureml/train.runconfig": `script: train.py
arguments: [--data, $AZUREML_DATAREFERENCE_mnist, --out, DatasetOutputConfig:model]
target: cluster
environment:
  environmentVariables: {STORAGE_ACCOUNT_KEY: c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0, PLAIN: "1"}
  docker: {enabled: true, baseImage: example.com/own:1}
  python: {userManagedDependencies: true}
dataReferences:
  mnist: {dataStoreName: store, pathOnDataStore: mnist, mode: mount}
outputData:
  model: {outputLocation: {dataPath: {datastoreName: store, relativePath: model}}, mechanism: upload}
`,
		"train.py": "",
	}
	m := migrated(t, files, migrate.Options{})
	if open := m.Open(); len(open) != 1 || open[0].ID != "folder-mnist" {
		t.Fatalf("open decisions: %v", open)
	}
	m = migrated(t, files, migrate.Options{Answers: map[string]migrate.Answer{"folder-mnist": {Value: "data/mnist", From: migrate.FromFlag}}})
	if open := m.Open(); len(open) > 0 {
		t.Fatalf("open decisions: %v", open)
	}
	s := composed(t, m).Services["train"]
	testkit.Same(t, []string{"python", "train.py", "--data", "/data/mnist", "--out", "/outputs/model"}, []string(s.Command), "command")
	var mounts []string
	for _, v := range s.Volumes {
		mounts = append(mounts, v.Target)
		if v.ReadOnly != (v.Target == "/data/mnist") {
			t.Errorf("%s: read-only is %v", v.Target, v.ReadOnly)
		}
	}
	slices.Sort(mounts)
	testkit.Same(t, []string{"/data/mnist", "/outputs/model", "/work", "/work/outputs"}, mounts, "mounts")
	if v := s.Environment["STORAGE_ACCOUNT_KEY"]; v == nil || *v != "from-the-shell" {
		t.Errorf("the secret is %v", v)
	}
	if s.ShmSize != 2<<30 {
		t.Errorf("shm_size %d", s.ShmSize)
	}
}

// TestFoldersElsewhere checks that data may be outside the project's folder.
func TestFoldersElsewhere(t *testing.T) {
	t.Setenv("HOME", "/home/me")
	files := map[string]string{
		".azureml/train.runconfig": "script: train.py\ntarget: cluster\nenvironment: {docker: {enabled: true, baseImage: example.com/own:1}, python: {userManagedDependencies: true}}\n" +
			"dataReferences:\n  a: {dataStoreName: s, pathOnDataStore: a}\n  b: {dataStoreName: s, pathOnDataStore: b.csv}\n  c: {dataStoreName: s, pathOnDataStore: c}\n  d: {dataStoreName: s, pathOnDataStore: d}\n",
		"train.py": "",
	}
	answers := map[string]migrate.Answer{}
	for id, folder := range map[string]string{"folder-a": "/data/images/", "file-b": "~/b.csv", "folder-c": "~/c", "folder-d": "../$d"} {
		answers[id] = migrate.Answer{Value: folder, From: migrate.FromFlag}
	}
	m := migrated(t, files, migrate.Options{Answers: answers})
	got := map[string]string{}
	for _, v := range composed(t, m).Services["train"].Volumes {
		got[v.Target] = v.Source
	}
	testkit.Same(t, "/data/images", got["/data/a"])
	testkit.Same(t, "/home/me/b.csv", got["/data/b/b.csv"])
	testkit.Same(t, "/home/me/c", got["/data/c"])
	if !strings.HasSuffix(got["/data/d"], "/$d") || strings.Contains(got["/data/d"], "..") {
		t.Errorf("a folder beside the project is %q", got["/data/d"])
	}
}

// TestDollars checks that Compose replaces nothing in the name of a folder, and that a secret whose name it would
// misread is asked about.
func TestDollars(t *testing.T) {
	files := map[string]string{
		"a$src/job.yml":  "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ncommand: python train.py\ncode: .\nenvironment: {image: \"python:3.12\"}\nenvironment_variables: {storage-key: abc, A_KEY: abc, a.b: x}\n",
		"a$src/train.py": "",
	}
	m := migrated(t, files, migrate.Options{})
	s := composed(t, m).Services["job"]
	testkit.Same(t, "/work/a$src", s.WorkingDir)
	testkit.Same(t, "/work/a$src/outputs", s.Volumes[1].Target)
	var open []string
	for _, d := range m.Open() {
		open = append(open, d.ID)
	}
	testkit.Same(t, []string{"variable-storage-key"}, open)
	if v := s.Environment["A_KEY"]; v == nil || *v != "from-the-shell" || s.Environment["storage-key"] != nil || s.Environment["a.b"] == nil {
		t.Errorf("variables: %v", s.Environment)
	}
	for _, f := range m.Files {
		if f.Path == "compose.yaml" && !strings.Contains(string(f.Text), "DECIDE: a variable is left out because of its name") {
			t.Errorf("nothing marks the variable:\n%s", f.Text)
		}
	}
}

// TestOwnDockerfile checks that an image built from the project's Dockerfile and one built from a written Dockerfile
// have different names, whichever job comes first.
func TestOwnDockerfile(t *testing.T) {
	own := "script: train.py\ntarget: cluster\nenvironment: {docker: {baseDockerfile: Dockerfile}, python: {userManagedDependencies: true}}\n"
	conda := "script: train.py\ntarget: cluster\nenvironment: {python: {condaDependenciesFile: conda.yml}}\n"
	for _, test := range []struct{ a, b string }{{own, conda}, {conda, own}} {
		m := migrated(t, map[string]string{
			".azureml/a.runconfig": test.a,
			".azureml/b.runconfig": test.b,
			"conda.yml":            "dependencies: [python=3.12, numpy=2.1]\n",
			"Dockerfile":           "FROM python:3.12\n",
			"train.py":             "",
		}, migrate.Options{})
		services := composed(t, m).Services
		if a, b := services["a"], services["b"]; a.Image == b.Image || a.Build == nil || b.Build == nil {
			t.Errorf("%q and %q are built from %v and %v", a.Image, b.Image, a.Build, b.Build)
		}
	}
}
