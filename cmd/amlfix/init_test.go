package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/tooltest"
	"github.com/amlfix/amlfix/schema/testkit"
)

// repository returns a new git repository with files.
func repository(t *testing.T, origin, archive string) string {
	t.Helper()
	dir := testkit.Folder(t, archive)
	commands := [][]string{{"init", "-q", "-b", "trunk"}}
	if origin != "" {
		commands = append(commands, []string{"remote", "add", "origin", origin})
	}
	for _, args := range commands {
		testkit.Output(t, exec.Command("git", append([]string{"-C", dir}, args...)...))
	}
	return dir
}

// texts returns the files below dir, except git's.
func texts(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range listFiles(t, dir) {
		if !strings.HasPrefix(name, ".git/") {
			all[name] = testkit.Read(t, dir, name)
		}
	}
	return all
}

const sampleConfig = `
-- jobs/aml_config/vm.compute --
type: local
-- .pre-commit-config.yaml --
repos:
  - repo: https://github.com/psf/black   # our style
    rev: 24.1.0
    hooks:
      - id: black
# the end
`

// TestInit writes what is missing, adds what may be added, and does nothing the second time. The tools for which the
// files are meant accept them.
func TestInit(t *testing.T) {
	t.Parallel()
	const install = "amlfix: next: run `pre-commit install` once in this repository, so that commits start amlfix\n"
	for name, c := range map[string]struct {
		origin, archive, args string
		want                  string
		files                 []string
	}{
		"a repository on GitHub": {"git@github.com:me/jobs.git", sampleConfig, "",
			".amlfix.yaml: written\n.pre-commit-config.yaml: entry added\n.github/workflows/amlfix.yml: written\n",
			[]string{".amlfix.yaml", ".github/workflows/amlfix.yml"}},
		"from inside": {"https://me:secretsecret@github.com/me/jobs", sampleConfig, "jobs/aml_config",
			".amlfix.yaml: written\n.pre-commit-config.yaml: entry added\n.github/workflows/amlfix.yml: written\n",
			[]string{".amlfix.yaml", ".github/workflows/amlfix.yml"}},
		"elsewhere": {"ssh://git@gitlab.example.com:22/me/jobs.git", "-- x --\n", "",
			".amlfix.yaml: written\n.pre-commit-config.yaml: written\namlfix: the repository is at gitlab.example.com, not on GitHub, so no workflow is written\n" + install,
			[]string{".amlfix.yaml", ".pre-commit-config.yaml"}},
		"nowhere yet": {"", "-- x --\n", "",
			".amlfix.yaml: written\n.pre-commit-config.yaml: written\n.github/workflows/amlfix.yml: written\n" + install,
			[]string{".amlfix.yaml", ".github/workflows/amlfix.yml", ".pre-commit-config.yaml"}},
		"all is there": {"", "-- .amlfix.yml --\n-- .github/workflows/ci.yaml --\non: push\njobs: {a: {runs-on: x, steps: [{uses: amlfix/amlfix@v1}]}}\n-- .pre-commit-config.yaml --\nrepos:\n- repo: local\n  hooks:\n  - id: amlfix\n    name: x\n    entry: amlfix\n    language: system\n", "",
			".amlfix.yml: already exists\n.pre-commit-config.yaml: already uses amlfix\n.github/workflows/ci.yaml: already uses amlfix\n", nil},
		"an unusual layout": {"", "-- .amlfix.yaml --\n-- .github/workflows/amlfix.yml --\n# amlfix\n-- .pre-commit-config.yaml --\nrepos: []\n", "",
			".amlfix.yaml: already exists\n.github/workflows/amlfix.yml: already uses amlfix\namlfix: .pre-commit-config.yaml has a form to which an entry cannot be added without other changes; add this to its repos:\n- repo: https://github.com/amlfix/amlfix\n  rev: main\n  hooks:\n    - id: amlfix-go\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			dir := repository(t, c.origin, c.archive)
			before := texts(t, dir)
			r := amlfix(t, dir, append([]string{"init"}, strings.Fields(c.args)...)...)
			if d := cmp.Diff(c.want, r.out+r.err); d != "" || r.code != 0 {
				t.Errorf("exit %d (-want +got):\n%s", r.code, d)
			}
			after := texts(t, dir)
			for _, name := range c.files {
				if _, ok := before[name]; ok || after[name] == "" {
					t.Errorf("%s is not new, or empty", name)
				}
			}
			if len(after) != len(before)+len(c.files) {
				t.Errorf("there is %v, there was %v", maps.Keys(after), maps.Keys(before))
			}
			for name, text := range before {
				if name != ".pre-commit-config.yaml" && after[name] != text {
					t.Errorf("%s was changed", name)
				}
			}
			amlfix(t, dir, "init")
			testkit.Same(t, after, texts(t, dir), "a second time changes something")
			if r := amlfix(t, dir, "--verbose", "--fail-on", "info"); r.code != 0 || r.out != "" {
				t.Errorf("amlfix finds fault with its own files: %s", r.out)
			}
			accepted(t, dir, after)
		})
	}
}

// TestInitBesideLinks writes the workflow even if the hooks are in a file that amlfix may not read.
func TestInitBesideLinks(t *testing.T) {
	t.Parallel()
	for _, target := range []string{"nowhere", filepath.Join(t.TempDir(), "shared.yaml")} {
		dir := repository(t, "", "-- x --\n")
		testkit.OK(t, os.Symlink(target, filepath.Join(dir, ".pre-commit-config.yaml")))
		if r := amlfix(t, dir, "init"); r.code != 0 || r.out != ".amlfix.yaml: written\n.github/workflows/amlfix.yml: written\n" {
			t.Errorf("exit %d: %s%s", r.code, r.out, r.err)
		} else {
			testkit.Has(t, r.err, ".pre-commit-config.yaml is a link to nothing, or to something outside the repository", "- id: amlfix-go")
		}
	}
}

// accepted checks the files with pre-commit and the schema of GitHub's workflows.
func accepted(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	bin := tooltest.Python(t)
	check := func(args ...string) {
		cmd := exec.Command(filepath.Join(bin, args[0]), args[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
	check("pre-commit", "validate-config", ".pre-commit-config.yaml")
	if text := files[".github/workflows/amlfix.yml"]; strings.Contains(text, "jobs:") {
		check("check-jsonschema", "--builtin-schema", "vendor.github-workflows", ".github/workflows/amlfix.yml")
		testkit.Has(t, text, "branches: [trunk]")
	}
}

func TestInitOutsideOfRepositories(t *testing.T) {
	dir := testkit.Folder(t, "-- jobs/readme --\n")
	for range 2 {
		r := amlfix(t, dir, "init", "jobs")
		if r.code != 0 || !strings.Contains(r.err, "jobs is not in a git repository") {
			t.Errorf("%+v", r)
		}
	}
	testkit.Has(t, amlfix(t, filepath.Join(dir, "jobs"), "init").err, "amlfix: this folder is not in a git repository")
	testkit.Same(t, []string{"jobs/.amlfix.yaml", "jobs/readme"}, listFiles(t, dir))
	if r := amlfix(t, dir, "init", "nowhere"); r.code != console.Failure || !strings.Contains(r.err, "nowhere: no such file or folder") {
		t.Errorf("%+v", r)
	}
	if r := amlfix(t, dir, "init", "jobs/readme"); r.code != console.BadUsage {
		t.Errorf("%+v", r)
	}
	testkit.OK(t, os.WriteFile(filepath.Join(dir, "jobs", ".pre-commit-config.yaml"), []byte("repos: [\n"), 0o600))
	testkit.OK(t, os.Mkdir(filepath.Join(dir, "jobs", ".git"), 0o755))
	if r := amlfix(t, dir, "init", "jobs"); r.code != 0 || !strings.Contains(r.err, "jobs/.pre-commit-config.yaml cannot be read: repair it first") {
		t.Errorf("%+v", r)
	}
}

// TestInADeletedFolder checks that every command reports this.
func TestInADeletedFolder(t *testing.T) {
	for line, want := range map[string]int{"init": 3, "": 3, "check": 3, "run x.py": 3, "attach localdocker -n a": 3, "undo": 3, "runs list": 3, "targets": 3, "explain gpu/framework": 0, "--version": 0} {
		cmd := spawn(t, t.TempDir(), strings.Fields(line)...)
		cmd.Args = append([]string{"sh", "-c", `rmdir "$PWD" && exec "$0" "$@"`}, cmd.Args...)
		cmd.Path = "/bin/sh"
		out, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != want || want != 0 && string(out) != "amlfix: the working directory no longer exists, or cannot be read: change to another folder\n" {
			t.Errorf("amlfix %s: exit %d\n%s", line, code, out)
		}
	}
}
