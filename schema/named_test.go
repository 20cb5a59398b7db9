package schema_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

const repository = `
-- .git/HEAD --
ref: refs/heads/main
-- .amlfix.yaml --
fail-on: warning
-- jobs/aml_config/vm.runconfig --
Target: vm
CondaDependenciesFile: ../shared/Train.yml
-- jobs/aml_config/project.json --
{}
-- jobs/.azureml/env/inference.yml --
dependencies: [numpy]
-- more/.azureml/x.runconfig --
environment: {python: {condaDependenciesFile: ../shared/Train.yml}}
-- shared/Train.yml --
dependencies: [numpy]
-- shared/unused.yml --
dependencies: [numpy]
-- v2/job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: python train.py
environment: {image: x, conda_file: ../envs/conda.txt}
-- v2/bare.yml --
command: python train.py
environment: azureml:env@latest
compute: azureml:gpu
-- v2/env.yml --
$schema: https://azuremlschemas.azureedge.net/latest/environment.schema.json
image: x
conda_file: ../envs/used.yml
-- envs/used.yml --
name: used
channels: [conda-forge]
dependencies: [numpy]
-- envs/conda.txt --
dependencies: [numpy]
-- envs/dev.yml --
name: dev
channels: [conda-forge]
dependencies: [numpy]
-- charts/Chart.yaml --
name: chart
dependencies: [{name: redis, repository: "https://charts.example.com"}]
-- roles/meta/main.yml --
dependencies: [common]
-- app/pubspec.yaml --
name: app
dependencies: {http: ^1.0.0}
-- dbt/packages.yml --
packages: [{package: dbt-labs/dbt_utils, version: 1.0.0}]
-- compose.yml --
services: {web: {image: "nginx:1", command: x}}
-- .github/workflows/ci.yml --
on: push
jobs: {build: {runs-on: ubuntu-latest, steps: [{run: conda env update}]}}
-- templates/spark.yaml --
{{ if .Values.image }}
-- train.py --
import azureml
`

// TestNamedFiles names each file of a repository, as pre-commit does: a foreign one stands for no project, and a job's
// file for all projects that read it.
func TestNamedFiles(t *testing.T) {
	dir := testkit.Folder(t, repository)
	want := map[string][]string{
		".amlfix.yaml": {"."}, "jobs/aml_config/vm.runconfig": {"jobs"}, "jobs/aml_config/project.json": {"jobs"}, "more/.azureml/x.runconfig": {"more"},
		"jobs/.azureml/env/inference.yml": nil, // nothing refers to it, and its keys prove nothing
		"shared/Train.yml":                {"jobs", "more"},
		"v2/job.yml":                      {"."}, "v2/env.yml": {"."}, "envs/used.yml": {"."}, "v2/bare.yml": {"."}, "envs/conda.txt": {"."}, "envs/dev.yml": {"envs"},
	}
	err := filepath.WalkDir(dir, func(name string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel := slashes(t, dir, name)
		roots, err := schema.Discover([]string{name})
		var got []string
		for _, r := range roots {
			got = append(got, slashes(t, dir, r.Dir))
		}
		if d := cmp.Diff(want[rel], got); d != "" || err != nil {
			t.Errorf("%s: %v\n%s", rel, err, d)
		}
		return nil
	})
	testkit.OK(t, err)
}

// TestNamedFilesOfTheCorpora names the files that real projects consist of, each in a repository of its own: it must
// lead back to the project.
//
//testkit:norace
func TestNamedFilesOfTheCorpora(t *testing.T) {
	t.Parallel()
	dirs, _ := filepath.Glob(filepath.Join(filepath.Dir(testkit.Corpus(t, "projects")), "..", "corpus*", "projects", "*+*"))
	if len(dirs) == 0 {
		t.Fatal("no projects of several files")
	}
	files := 0
	for _, from := range dirs {
		from, err := filepath.EvalSymlinks(schema.Identity(from))
		testkit.OK(t, err)
		dir := onlyRead(t, from)
		roots, err := schema.Discover([]string{dir})
		if err != nil {
			t.Error(err)
		}
		for _, r := range roots {
			all := schema.Load(r, schema.Options{}).Files
			for i, f := range all {
				if i%(1+len(all)/100) > 0 {
					continue // of a large repository, which is searched for each, some will do
				}
				files++
				back, err := schema.Discover([]string{f.Path})
				if !slices.ContainsFunc(back, func(b schema.Root) bool { return b.Dir == r.Dir }) || err != nil {
					t.Errorf("%s leads to %d projects, not to %s: %v", f.Path, len(back), r.Dir, err)
				}
			}
		}
	}
	if files < 1000 {
		t.Errorf("only %d files", files)
	}
}

// onlyRead copies what a check reads of a folder into a new repository.
func onlyRead(t *testing.T, from string) string {
	t.Helper()
	dir := t.TempDir()
	write := func(rel string, text []byte) {
		name := filepath.Join(dir, rel)
		testkit.OK(t, errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, text, 0o644)))
	}
	write(".git/HEAD", nil)
	roots, err := schema.Discover([]string{from})
	testkit.OK(t, err)
	for _, r := range roots {
		for _, f := range schema.Load(r, schema.Options{}).Files {
			if f.Err == nil {
				write(slashes(t, from, f.Path), f.Source.Text)
			}
		}
	}
	return dir
}

func slashes(t *testing.T, dir, name string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(dir)
	testkit.OK(t, err)
	rel, err := filepath.Rel(dir, strings.TrimSuffix(name, "/"))
	testkit.OK(t, err)
	return filepath.ToSlash(rel)
}
