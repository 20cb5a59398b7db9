package schema

import (
	"path/filepath"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestTextsAgree holds what is said of a text that is not saved yet against what Discover finds once it is.
func TestTextsAgree(t *testing.T) {
	t.Parallel()
	const named, keys, sdk = "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ncommand: a\n", "command: a\nenvironment: azureml:b:1\ncompute: azureml:c\n",
		"script: a.py\ntarget: local\nframework: Python\nenvironment:\n  docker: {enabled: true}\n  python: {}\n"
	found := 0
	for _, c := range []struct{ name, text string }{
		{"a/job.yml", named}, {"a/job.yml", keys}, {"a/job.YAML", keys}, {"a/job.json", `{"command": "a", "environment": "azureml:b:1"}`}, {"a/job.txt", named},
		{"a/flow.dag.yaml", "nodes: []\n"}, {"a/other.yml", "on: push\n"}, {"a/package.json", `{"name": "a", "type": "module"}`},
		{"a/b.runconfig", sdk}, {"a/b.runconfig", named}, {"a/b.yml", sdk}, {"a/b", sdk}, {"a/b.yml", "communicator: None\n" + sdk}, {"a/b.json", `{"script": "a", "target": "b", "framework": "c", "communicator": "d"}`},
		{"a/.azureml/job.yml", named}, {"a/.azureml/job.yml", keys}, {"a/.azureml/job.json", "{\"$schema\": \"https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\"}"},
		{"a/env.yml", "dependencies: [python=3.11, pip: [azureml-core]]\n"}, {"a/env.yml", "dependencies: [python=3.11]\n"}, {"a/.azureml/env.yml", "dependencies: [python=3.11, pip: [azureml-core]]\n"},
		{"a/.azureml/config.json", `{"workspace_name": "a"}`}, {"a/.azureml/b.runconfig", sdk}, {"a/.azureml/b.yml", sdk}, {"a/.azureml/b", sdk}, {"a/.azureml/b", "a"},
		{"a/.azureml/b.yml", "command: a\n" + sdk}, {"a/aml_config/conda_dependencies.yml", "dependencies: []\n"},
	} {
		dir := Identity(t.TempDir())
		testkit.Write(t, dir, ".git/HEAD", "")
		testkit.Write(t, dir, filepath.Dir(c.name)+"/README", "")
		name := filepath.Join(dir, filepath.FromSlash(c.name))
		discovers, home := Discovers(name, []byte(c.text)), ProjectOfText(name, []byte(c.text))
		testkit.Write(t, dir, c.name, c.text)
		roots, err := Discover([]string{dir})
		testkit.OK(t, err)
		of := ""
		for _, r := range roots {
			if r.Files.Contain(name) {
				of = r.Dir
			}
		}
		if discovers != (of != "") || of != "" && home != of {
			t.Errorf("%s with %q: in the project %q, not in %q (%v)", c.name, c.text, of, home, discovers)
		}
		if of != "" {
			found++
		}
	}
	if found < 10 {
		t.Errorf("only %d of them belong to a project", found)
	}
}
