//go:build linux

package judge_test

import (
	"path/filepath"
	"testing"

	"github.com/amlfix/amlfix/schema/judge"
	"github.com/amlfix/amlfix/schema/testkit"
)

const files = `
-- conda.yml --
dependencies: [python=3.10]
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: python train.py
environment: {image: ubuntu, conda_file: conda.yml}
compute: azureml:cluster
-- unknown.yml --
command: python train.py
environment: azureml:env@latest
comptue: azureml:cluster
-- lost.yml --
command: python train.py
code: nowhere
environment: azureml:env@latest
-- environment.yml --
name: env
image: ubuntu
conda_file: conda.yml
-- compute.yml --
name: gpu
type: amlcompute
-- .azureml/train.runconfig --
script: train.py
nodeCount: 2
environment: {docker: {baseImage: ubuntu, shmSize: 4g}}
-- .azureml/old.runconfig --
ArgumentVector: [train.py, "--x"]
Target: docker
Framework: Python
-- .azureml/docker.compute --
type: localdocker
baseDockerImage: microsoft/mmlspark:plus-0.9.9
-- .azureml/local.compute --
type: local
`

// TestAsk checks that verdicts are the parser's own: good files pass, but a misspelt key, a missing folder and a file
// of another kind do not.
func TestAsk(t *testing.T) {
	dir := testkit.Folder(t, files)
	for _, c := range []struct {
		kind judge.Kind
		file string
		want bool
	}{
		{judge.Job, "job.yml", true},
		{judge.Job, "unknown.yml", false},
		{judge.Job, "lost.yml", false},
		{judge.Job, "conda.yml", false},
		{judge.Environment, "environment.yml", true},
		{judge.Environment, "conda.yml", false},
		{judge.Compute, "compute.yml", true},
		{judge.Compute, "environment.yml", false},
	} {
		if got := judge.Ask(t, c.kind, filepath.Join(dir, c.file)); got.Accepted != c.want {
			t.Errorf("%s as %s: %v", c.file, c.kind, got)
		}
	}
}

// TestRunConfigurations reads values with SDK v1, and shows that its loader of Workbench files, which looks up keys
// after renaming them, ignores everything in such a file, even its target, without an error. (Every Workbench project
// has a local.compute; without it, the loader fails and asks for that file.)
func TestRunConfigurations(t *testing.T) {
	t.Parallel()
	dir := testkit.Folder(t, files)
	pick := func(file string) map[string]any {
		v := judge.Ask(t, judge.RunConfig, filepath.Join(dir, ".azureml", file))
		if !v.Accepted {
			t.Fatal(v)
		}
		return map[string]any{"script": v.Values["script"], "target": v.Values["target"], "arguments": v.Values["arguments"], "nodeCount": v.Values["nodeCount"]}
	}
	want := map[string]any{"script": "train.py", "target": "local", "arguments": []any{}, "nodeCount": 2.0}
	testkit.Same(t, want, pick("train.runconfig"), "SDK v1")
	want = map[string]any{"script": nil, "target": "local", "arguments": nil, "nodeCount": 1.0}
	testkit.Same(t, want, pick("old.runconfig"), "Workbench")
}
