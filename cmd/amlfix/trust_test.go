//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestNothingFromOutsideIsPrinted replaces the files that amlfix reads on its own account by links: no command prints a
// byte from outside the tree or from .git, and each command that uses the file says so.
func TestNothingFromOutsideIsPrinted(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir()) // undo reads the records of all repairs
	const secret, why = "TOPSECRET", "it leads out of the repository or into .git, so it is not read"
	targets := map[string]string{
		"a file beside":  "../outside.yaml",
		"absolute":       "", // filled in below
		"through a link": "step/outside.yaml",
		"git":            ".git/config",
		"git, in a way":  "sub/../.git/config",
	}
	commands := [][]string{
		{"check"}, {"--diff"}, {"--apply"}, {"--format", "json"}, {"--format", "sarif"}, {"--verbose", "jobs/aml_config/vm.compute"}, {"targets"}, {"config"}, {"baseline"},
		{"migrate", "--to", "v2", "--dry-run", "jobs"}, {"run", "-c", "vm", "--plan"}, {"init"}, {"--settings", "jobs/.amlfix.yaml"}, {"undo"}, {"runs"},
	}
	for _, name := range []string{".amlfix.yaml", ".amlfix.yml", ".amlfix-baseline.yaml", "jobs/.amlfix.yaml", "jobs/.amlfix-baseline.yaml", ".pre-commit-config.yaml", ".github/workflows/x.yml"} {
		for what, to := range targets {
			t.Run(name+" "+what, func(t *testing.T) {
				t.Parallel()
				outer := testkit.Folder(t, "-- outside.yaml --\n"+secret+": ["+secret+"\n-- tree/.git/config --\n"+secret+": ["+secret+`
-- tree/jobs/aml_config/vm.compute --
type: loal
-- tree/jobs/aml_config/vm.runconfig --
Target: vm
-- tree/sub/x --
-- tree/.github/workflows/y --
`)
				dir := filepath.Join(outer, "tree")
				if what == "absolute" {
					to = filepath.Join(outer, "outside.yaml")
				}
				testkit.OK(t, os.Symlink("..", filepath.Join(dir, "step")))
				if !filepath.IsAbs(to) {
					to = strings.Repeat("../", strings.Count(name, "/")) + to
				}
				link := filepath.Join(dir, filepath.FromSlash(name))
				testkit.OK(t, os.Symlink(to, link))
				before := testkit.Read(t, dir, "../outside.yaml") + testkit.Read(t, dir, ".git/config")
				for _, args := range commands {
					r := amlfix(t, dir, args...)
					if strings.Contains(r.out+r.err, secret) {
						t.Errorf("%q prints it:\n%s%s", args, r.out, r.err)
					}
					if own := strings.Contains(name, "amlfix"); own && args[0] == "check" && (r.code == console.OK || !strings.Contains(r.out+r.err, why)) {
						t.Errorf("%q does not say why: %+v", args, r)
					}
				}
				if after := testkit.Read(t, dir, "../outside.yaml") + testkit.Read(t, dir, ".git/config"); after != before {
					t.Error("it was changed")
				}
			})
		}
	}
}

// TestNothingFromOutsideIsMigrated replaces each file that a migration copies or judges by a link out of the
// repository: what is written and said has nothing of it.
func TestNothingFromOutsideIsMigrated(t *testing.T) {
	t.Parallel()
	const secret = "TOPSECRET"
	files := map[string]string{
		"Dockerfile": "FROM ubuntu\n", "conda.yml": "dependencies: [python=3.9]\n", "pip.txt": "numpy\n", "train.py": "print(1)\n", "params.json": "{}\n",
		"run.py": `from azureml.core import Environment, Experiment, ScriptRunConfig, Workspace
ws = Workspace.from_config("params.json")
one = Environment.from_dockerfile("one", "./Dockerfile", conda_specification="conda.yml")
two = Environment.from_pip_requirements("two", "pip.txt")
Experiment(ws, "x").submit(ScriptRunConfig(".", "train.py", environment=one, compute_target="c"))
Experiment(ws, "y").submit(ScriptRunConfig(".", "train.py", environment=two, compute_target="c"))
`,
	}
	for name := range files {
		outer := t.TempDir()
		testkit.Write(t, outer, "outside", "FROM "+secret+"\n# "+secret+"\nprint '"+secret+"'\n")
		dir := filepath.Join(outer, "tree")
		testkit.Write(t, dir, ".git/x", "")
		for other, text := range files {
			if other != name {
				testkit.Write(t, dir, other, text)
			}
		}
		testkit.OK(t, os.Symlink("../outside", filepath.Join(dir, name)))
		r := amlfix(t, dir, "migrate", "--to", "v2")
		if strings.Contains(r.out+r.err, secret) {
			t.Errorf("%s: it is printed:\n%s%s", name, r.out, r.err)
		}
		testkit.OK(t, os.Remove(filepath.Join(dir, name)))
		for file, text := range testkit.Contents(t, dir) {
			if strings.Contains(text, secret) {
				t.Errorf("%s: it is in %s:\n%s", name, file, text)
			}
		}
	}
}

// TestSettingsThroughALink checks that links inside the repository work, wherever amlfix is started.
func TestSettingsThroughALink(t *testing.T) {
	dir := testkit.Folder(t, "-- .git/x --\n-- shared/rules.yaml --\nignore: [schema/value]\n-- shared/known.yaml --\nversion: 1\nfindings: []\n-- jobs/aml_config/vm.compute --\ntype: loal\n")
	for link, to := range map[string]string{"jobs/.amlfix.yaml": "../shared/rules.yaml", "jobs/.amlfix-baseline.yaml": "../shared/known.yaml"} {
		testkit.OK(t, os.Symlink(to, filepath.Join(dir, link)))
	}
	for _, at := range []string{"", "jobs", "jobs/aml_config", "shared/../jobs"} {
		if r := amlfix(t, filepath.Join(dir, at)); r.code != console.OK || r.out != "" || !strings.Contains(r.err, "1 finding suppressed by ") {
			t.Errorf("in %q: %+v", at, r)
		}
	}
}

// TestOwnFilesThatAreNone checks that pipes and folders in place of settings and baselines neither make amlfix wait nor
// are silently ignored.
func TestOwnFilesThatAreNone(t *testing.T) {
	for _, name := range []string{".amlfix.yaml", ".amlfix-baseline.yaml"} {
		for what, place := range map[string]func(path string) error{
			"pipe":   func(path string) error { return syscall.Mkfifo(path, 0o644) },
			"folder": func(path string) error { return os.Mkdir(path, 0o755) },
		} {
			dir := testkit.Folder(t, "-- .git/x --\n-- aml_config/vm.compute --\ntype: local\n")
			if err := place(filepath.Join(dir, name)); err != nil {
				t.Skipf("SKIPPED: no %ss here: %v", what, err)
			}
			if r := amlfix(t, dir); r.code == console.OK || !strings.Contains(r.out+r.err, "it is not a regular file") {
				t.Errorf("a %s as %s: %+v", what, name, r)
			}
			if r := amlfix(t, dir, "--isolated"); r.code != console.OK || r.out+r.err != "" {
				t.Errorf("%s is none of our business: %+v", name, r)
			}
		}
	}
}

// TestUndoInWhatSettingsExclude undoes a repair in files that the settings in the tree now exclude.
func TestUndoInWhatSettingsExclude(t *testing.T) {
	dir := testkit.Folder(t, "-- .amlfix.yaml --\nexclude: ['**']\n-- aml_config/vm.compute --\ntype: remotedocker\naddress: a\nusername: me\nbaseDockerImage: microsoft/mmlspark:plus-gpu-0.9.9\n")
	before := texts(t, dir)
	if r := amlfix(t, dir, "--apply"); r.code != console.OK || r.out != "" || !strings.Contains(r.err, "1 file excluded by .amlfix.yaml (--isolated shows them)") {
		t.Errorf("%+v", r)
	}
	if r := amlfix(t, dir, "--apply", "--isolated"); !strings.Contains(r.out, "1 repaired") {
		t.Errorf("%+v", r)
	}
	if r := amlfix(t, dir, "undo"); r.code != console.OK || len(before) != len(texts(t, dir)) || before["aml_config/vm.compute"] != texts(t, dir)["aml_config/vm.compute"] {
		t.Errorf("%+v", r)
	}
}
