package check

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestSameFilesEverywhere checks that what discovery finds, wherever and however it is written, counts for --since as a
// change of its project and matches the hooks' pattern.
func TestSameFilesEverywhere(t *testing.T) {
	hooks := testkit.Read(t, filepath.Join("..", "..", ".."), ".pre-commit-hooks.yaml")
	_, pattern, _ := strings.Cut(hooks, "\n  files: ")
	pattern, _, _ = strings.Cut(pattern, "\n")
	hook, err := regexp.Compile(pattern)
	if err != nil || pattern == "" {
		t.Fatalf("%q: %v", pattern, err)
	}
	const address = "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\n"
	files := map[string]string{
		"job.yml": address, "jobs/deep/er/JOB.YAML": address, "json/job.json": "{\"$schema\": \"https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\"}\n",
		"jinja.yml": "{% set x = 1 %}\n" + address, "bom.yml": "\ufeff" + address, "crlf.yml": strings.ReplaceAll(address+"command: a\n", "\n", "\r\n"),
		"keys.yml": "type: pipeline\njobs: {a: {component: a.yml}}\n", "second.yml": "a: 1\n---\n" + address, "flow/flow.dag.yaml": "nodes: []\n",
		"sub/.azureml/v2.yml": address, "sub/.azureml/train.runconfig": "script: train.py\ntarget: local\n", "old/aml_config/vm.compute": "type: local\n",
		"stray/my.runconfig": "Target: vm\n", "own/.amlfix.yaml": "", "own/job.yml": address,
	}
	dir := schema.Identity(t.TempDir())
	testkit.OK(t, os.Mkdir(filepath.Join(dir, ".git"), 0o755))
	for name, text := range files {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	e := &Engine{Dir: dir}
	seen := 0
	for _, r := range e.Discover([]string{dir}).Roots {
		for _, name := range r.Files.All() {
			seen++
			if !hook.MatchString(filepath.ToSlash(name)) {
				t.Errorf("the hooks pass over %s", name)
			}
			touched, err := Touched(context.Background(), e.Discover([]string{dir}).Roots, []string{name})
			testkit.OK(t, err)
			if !slices.ContainsFunc(touched, func(found Root) bool { return found.Dir == r.Dir && (found.scope == nil || found.scope.holds(name)) }) {
				t.Errorf("%s: --since passes over it", name)
			}
		}
	}
	if seen != len(files) {
		t.Errorf("%d files are discovered, want %d", seen, len(files))
	}
}
