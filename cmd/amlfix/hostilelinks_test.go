//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// hostileProject is what each repository of TestHostileRepository also contains: fixable problems, and a script that
// runs here.
const hostileProject = "-- aml_config/gpu.compute --\n#!/bin/sh\ntype: remotedocker\naddress: a\nusername: b\nbaseDockerImage: microsoft/mmlspark:plus-0.9.9\nnvidiaDocker: true\n" +
	"-- aml_config/gpu.runconfig --\nArgumentVector: [$file]\nFramework: PySpark\nTarget: gpu\nCondaDependenciesFile: aml_config/conda_dependencies.yml\n" +
	"-- aml_config/conda_dependencies.yml --\ndependencies:\n  - pip:\n    - tensorflow==1.4.0\n" +
	"-- aml_config/local.compute --\ntype: local\n-- aml_config/local.runconfig --\nFramework: Python\nTarget: local\n" +
	"-- train.py --\nimport os\nos.makedirs('outputs/hooks', exist_ok=True)\nopen('outputs/hooks/post-commit', 'w').write('x')\nopen('outputs/config', 'w').write('x')\n"

// TestHostileRepository runs every command that writes in repositories whose links lead to git's folder and out of the
// tree: neither is ever changed.
//
//testkit:norace
func TestHostileRepository(t *testing.T) {
	t.Parallel()
	const victim = "type: remotedocker\naddress: a\nusername: b\nbaseDockerImage: microsoft/mmlspark:plus-0.9.9\nnvidiaDocker: true\n"
	layouts := map[string]map[string]string{ // link: its target; "OUT" is outside the tree
		"the temporary file of old":     {"aml_config/.amlfix-0-gpu.compute.tmp": "../.git/hooks/post-commit"},
		"a file to git's configuration": {"aml_config/gpu.compute": "../.git/config"},
		"a file out of the tree":        {"aml_config/gpu.compute": "OUT/victim"},
		"the conda file":                {"aml_config/conda_dependencies.yml": "OUT/conda.yml"},
		"the copy for GPU targets":      {"aml_config/conda_dependencies_gpu.yml": "../.git/hooks/post-commit"},
		"the configuration folder":      {"aml_config": ".git/hooks"},
		"the baseline":                  {".amlfix-baseline.yaml": ".git/hooks/post-commit"},
		"the settings":                  {".amlfix.yaml": "OUT/new"},
		"pre-commit":                    {".pre-commit-config.yaml": "OUT/precommit"},
		"the workflow":                  {".github": ".git/hooks"},
		"workflows":                     {".github/workflows": "../.git/hooks"},
		"the migrated folder":           {"v2": ".git/hooks"},
		"the folder above it":           {"sub": ".git"},
		"outputs":                       {"outputs": ".git"},
		"outputs to a hook":             {"outputs/config": "../.git/config"},
		"outputs' folder to hooks":      {"outputs/hooks": "../.git/hooks"},
		"records":                       {".amlfix": "OUT"},
		"records to git":                {".amlfix": ".git"},
		"runs":                          {".amlfix/runs": "OUT"},
		"the records' ignore file":      {".amlfix/.gitignore": "../.git/hooks/post-commit"},
	}
	commands := [][]string{
		{"--apply", "--unsafe"}, {"--apply", "--gpu", "gpu"}, {"--add-ignores"}, {"baseline"}, {"init"},
		{"attach", "remotedocker", "--name", "new", "--address", "h", "--username", "u", "--password", "p"},
		{"migrate", "--to", "v2", "--out", "v2"}, {"migrate", "--to", "v2", "--out", "sub/hooks"}, {"--format", "json=outputs/config"},
		{"run", "-c", "local", "train.py"}, {"runs", "clean"}, {"undo"},
	}
	for name, links := range layouts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, out := testkit.Folder(t, hostileProject), t.TempDir()
			testkit.Write(t, dir, ".git/config", victim)
			testkit.Write(t, dir, ".git/hooks/gpu.compute", victim)
			testkit.Write(t, dir, ".git/HEAD", "ref: refs/heads/main\n")
			for _, file := range []string{"victim", "conda.yml", "precommit"} {
				testkit.Write(t, out, file, victim)
			}
			for link, target := range links {
				link = filepath.Join(dir, link)
				testkit.OK(t, os.RemoveAll(link))
				testkit.OK(t, os.MkdirAll(filepath.Dir(link), 0o755))
				testkit.OK(t, os.Symlink(strings.Replace(target, "OUT", out, 1), link))
			}
			git, outside := testkit.Contents(t, filepath.Join(dir, ".git")), testkit.Contents(t, out)
			for _, args := range commands {
				r := amlfix(t, dir, args...)
				testkit.Same(t, git, testkit.Contents(t, filepath.Join(dir, ".git")), "amlfix %s has changed git's folder (-before +after), and says %+v", args, r)
				testkit.Same(t, outside, testkit.Contents(t, out), "amlfix %s has changed what is outside (-before +after), and says %+v", args, r)
				if t.Failed() {
					return // what follows would only repeat it
				}
				for link := range links { // the job's own outputs may replace a link
					if info, err := os.Lstat(filepath.Join(dir, link)); err == nil && info.Mode()&os.ModeSymlink == 0 && args[0] != "migrate" && !strings.HasPrefix(link, "outputs/") {
						t.Errorf("amlfix %s has replaced the link %s, and says %+v", args, link, r)
					}
				}
			}
		})
	}
}
