//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/schema/judge"
	"github.com/amlfix/amlfix/schema/testkit"
)

// toCheck is a project whose environment needs packages a and b.
const toCheck = `-- aml_config/docker.compute --
type: localdocker
baseDockerImage: microsoft/mmlspark:plus-0.9.9
-- aml_config/docker.runconfig --
ArgumentVector: [train.py]
Target: docker
Framework: Python
CondaDependenciesFile: aml_config/conda_dependencies.yml
PrepareEnvironment: true
-- aml_config/conda_dependencies.yml --
dependencies:
  - python=3.11
  - pip:
    - amlfix-a==1.0
    - amlfix-b
-- train.py --
print("trained")
`

// TestMigrateCheck resolves the migrated packages with uv, from a folder of packages.
func TestMigrateCheck(t *testing.T) {
	t.Setenv("PATH", filepath.Dir(judge.Python(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("UV_NO_INDEX", "1")
	t.Setenv("UV_FIND_LINKS", testkit.Index(t, "amlfix_a-1.0-cp38-cp38-manylinux2014_x86_64.whl", "amlfix_a-2.0-py3-none-any.whl", "amlfix_b-1.0.tar.gz"))
	dir := testkit.Folder(t, toCheck)

	r := amlfix(t, dir, "migrate", "--to", "v2", "--check")
	for _, want := range []string{
		"conda_dependencies.yml: not solved for Python 3.11\n    amlfix-a==1.0: its wheels are for Python 3.8, not for 3.11\n" +
			"    published only as source, which may fail to build: amlfix-b\n    to change it: `--answer package-amlfix-a=amlfix-a`\n",
		"--answer solve=later",
	} {
		if !strings.Contains(r.out, want) {
			t.Errorf("%q is missing in\n%s%s", want, r.out, r.err)
		}
	}
	if r.code != console.Findings || !strings.Contains(r.err, "checking with uv") {
		t.Errorf("exit status %d, %s", r.code, r.err)
	}
	if text := testkit.Read(t, dir, "azureml/conda_dependencies.yml"); !strings.HasPrefix(text, "# DECIDE: ") {
		t.Errorf("not marked:\n%s", text)
	}
	if text := testkit.Read(t, dir, "azureml/MIGRATION.md"); !strings.Contains(text, "| conda_dependencies.yml | not solved for Python 3.11 | amlfix-a==1.0: its wheels are for Python 3.8, not for 3.11; ") {
		t.Errorf("MIGRATION.md:\n%s", text)
	}

	for _, answer := range []string{"package-amlfix-a=amlfix-a", "solve=later"} {
		if r = amlfix(t, dir, "migrate", "--to", "v2", "--check", "--answer", answer); r.code != console.OK {
			t.Errorf("%s: exit status %d\n%s%s", answer, r.code, r.out, r.err)
		}
	}
	if r = amlfix(t, dir, "migrate", "--to", "v2", "--check", "--answer", "package-amlfix-a=amlfix-a"); !strings.Contains(r.out, "conda_dependencies.yml: source only for Python 3.11\n") {
		t.Errorf("%s%s", r.out, r.err)
	}
}

// TestMigrateCheckWithoutUV checks that amlfix says how to get uv, and writes nothing.
func TestMigrateCheckWithoutUV(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	dir := testkit.Folder(t, toCheck)
	r := amlfix(t, dir, "migrate", "--to", "v2", "--check")
	if r.code != console.Failure || !strings.Contains(r.err, "uv is not on the PATH, so nothing was written: install it with `pip install uv`") {
		t.Errorf("exit status %d\n%s%s", r.code, r.out, r.err)
	}
	if _, err := os.Stat(filepath.Join(dir, "azureml")); err == nil {
		t.Error("something was written")
	}
}
