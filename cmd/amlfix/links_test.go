//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/schema/testkit"
)

// sharing consists of projects that share files: by a path, by links to a file and to a configuration folder, and by a
// hard link.
const sharing = `
-- shared/conda.yml --
dependencies:
  - pip:
    - numpy=1.0
-- a/aml_config/a.compute --
type: local
-- a/aml_config/a.runconfig --
ArgumentVector: [a.py]
Framework: Python
Target: a
CondaDependenciesFile: ../shared/conda.yml
-- b/aml_config/b.compute --
type: local
pythonLocaton: python
-- b/aml_config/b.runconfig --
ArgumentVector: [a.py]
Framework: Python
Target: b
CondaDependenciesFile: aml_config/conda.yml
`

func laySharing(t *testing.T) string {
	t.Helper()
	dir := testkit.Folder(t, sharing)
	testkit.Git(t, dir, "init", "-q")
	testkit.OK(t, os.Mkdir(filepath.Join(dir, "c"), 0o755))
	for name, to := range map[string]string{
		"b/aml_config/conda.yml": "../../shared/conda.yml", "b/aml_config/again.compute": "b.compute", "c/aml_config": "../b/aml_config",
	} {
		testkit.OK(t, os.Symlink(to, filepath.Join(dir, name)))
	}
	testkit.OK(t, os.Link(filepath.Join(dir, "b/aml_config/b.compute"), filepath.Join(dir, "b/aml_config/hard.compute")))
	return dir
}

// TestSharedFilesCountOnce checks that a file is reported and repaired once, however many names and projects lead to
// it, and that links stay links. A hard link counts as a separate file, as in git, and stays linked to the others.
func TestSharedFilesCountOnce(t *testing.T) {
	dir := laySharing(t)
	want := []string{"b/aml_config/b.compute schema/unknown-key", "b/aml_config/hard.compute schema/unknown-key", "shared/conda.yml conda/pip-equals"}
	testkit.Same(t, want, reported(t, amlfix(t, dir, "--format", "json")))
	for _, name := range []string{"b/aml_config/again.compute", "c/aml_config/b.compute", "c/aml_config/again.compute"} {
		testkit.Same(t, want[:1], reported(t, amlfix(t, dir, "--format", "json", name)), name)
	}
	if r := amlfix(t, dir, "--format", "json"); !strings.Contains(r.out, `"summary":{"projects":3,"files":6,`) {
		t.Errorf("files count more than once: %s", r.out)
	}
	before := contents(t, dir)
	diff := amlfix(t, dir, "--diff", "--raw")
	if n := strings.Count(diff.out, "\n-    - numpy=1.0\n"); n != 1 {
		t.Errorf("the shared file is changed %d times:\n%s", n, diff.out)
	}
	const hard = "b/aml_config/hard.compute"
	if r := amlfix(t, dir, "--apply"); r.code != console.Failure || !strings.Contains(r.err, "amlfix: b/aml_config/b.compute: has 2 hard links") {
		t.Errorf("%+v", r)
	}
	if r := amlfix(t, dir, "undo"); r.code != console.OK { // in the other project
		t.Errorf("%+v", r)
	}
	testkit.Same(t, before, contents(t, dir))
	text := testkit.Read(t, dir, hard)
	testkit.OK(t, os.Remove(filepath.Join(dir, hard)))
	testkit.Write(t, dir, hard, text)
	r := amlfix(t, dir, "--apply")
	applied := contents(t, dir)
	if r.code != console.OK || applied["shared/conda.yml"] != "dependencies:\n  - pip:\n    - numpy==1.0\n" ||
		applied["b/aml_config/b.compute"] != applied["b/aml_config/hard.compute"] || applied["b/aml_config/b.compute"] != "type: local\npythonLocation: python\n" {
		t.Errorf("%+v\n%v", r, applied)
	}
	for _, name := range []string{"b/aml_config/conda.yml", "b/aml_config/again.compute", "c/aml_config"} {
		if info, err := os.Lstat(filepath.Join(dir, name)); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s is no link any more: %v", name, err)
		}
	}
	if r := amlfix(t, dir, "undo"); r.code != console.OK {
		t.Errorf("undo: %+v", r)
	}
	testkit.Same(t, before, contents(t, dir), "undo")
	git := exec.Command("git", "apply", "-")
	git.Dir, git.Stdin = dir, strings.NewReader(diff.out)
	testkit.Output(t, git)
	testkit.Same(t, applied, contents(t, dir), "git apply and --apply differ")
}

// TestTooDeepATree checks that a check does not pass if a tree cannot be searched completely.
func TestTooDeepATree(t *testing.T) {
	dir := testkit.Folder(t, "-- p/aml_config/ok.compute --\ntype: local\n-- jobs/job.yml --\ntype: command\ncommand: echo\nenvironment: {image: python:3.12}\n")
	deep, part := filepath.Join(dir, "deep"), strings.Repeat("d", 200)
	testkit.OK(t, os.Mkdir(deep, 0o755))
	in, err := os.OpenRoot(deep)
	for range 25 {
		if err == nil {
			err = in.Mkdir(part, 0o755)
		}
		testkit.OK(t, err)
		outer := in
		in, err = outer.OpenRoot(part)
		_ = outer.Close()
	}
	testkit.OK(t, err)
	_ = in.Close()
	for _, args := range [][]string{nil, {"deep"}, {"targets"}, {"--diff"}, {"run", "-c", "ok"}} {
		r := amlfix(t, dir, args...)
		if r.code != console.Failure || !strings.Contains(r.err, "too long for this system, so what is below it was not checked") || strings.Count(r.err, "\n") != 1 || len(r.err) > 1000 {
			t.Errorf("%q: %+v", args, r)
		}
	}
	if r := amlfix(t, dir, "p"); r.code != console.OK || r.err != "" {
		t.Errorf("beside it: %+v", r)
	}
	if r := amlfix(t, dir, "run", "jobs/job.yml", "--plan"); r.code != console.OK {
		t.Errorf("a job beside it: %+v", r)
	}
}

// TestReferencesByLinks checks that an environment that is split off is written where the run configuration looks for
// it, even if the shared file is reached by a link.
func TestReferencesByLinks(t *testing.T) {
	dir := testkit.Folder(t, severalJobs)
	shared := filepath.Join(dir, "repo/shared.yml")
	conda := filepath.Join(dir, "repo/aml_config/conda_dependencies.yml")
	testkit.OK(t, os.Rename(conda, shared))
	testkit.OK(t, os.Symlink("../shared.yml", conda))
	before := testkit.Read(t, dir, "repo/shared.yml")
	amlfix(t, filepath.Join(dir, "repo/aml_config"), "--apply")
	if got := testkit.Read(t, dir, "repo/aml_config/conda_dependencies_gpu.yml"); got != strings.Replace(before, "tensorflow=", "tensorflow-gpu=", 1) {
		t.Errorf("the copy: %q", got)
	}
	if got := testkit.Read(t, dir, "repo/shared.yml"); got != before {
		t.Errorf("the shared file: %q", got)
	}
	if r := amlfix(t, dir, "--diff", "repo"); r.code != console.OK || r.out != "" {
		t.Errorf("once more: %+v", r)
	}
}

// TestOneIdentityWithoutARepository does the same for projects outside a repository, where the tree is the project.
func TestOneIdentityWithoutARepository(t *testing.T) {
	var want map[string]string
	for _, name := range []string{"the root", "aml_config", "aml_config, named", "a subfolder", "above", "elsewhere", "through a link", "in a linked aml_config"} {
		base := laidOut(t)
		testkit.OK(t, os.RemoveAll(filepath.Join(base, "repo/.git")))
		at := standpoints(base)[name]
		args := []string{"--apply"}
		if at.arg != "" {
			args = append(args, at.arg)
		}
		amlfix(t, filepath.Join(base, at.cwd), args...)
		got := contents(t, filepath.Join(base, "repo"))
		if want == nil {
			want = got
		}
		if d := cmp.Diff(want, got); d != "" || !strings.Contains(got["aml_config/conda_dependencies_gpu.yml"], "tensorflow-gpu") {
			t.Errorf("%s:\n%s", name, d)
		}
	}
}

// TestBrokenLinks checks what is said of links that lead to nothing, or back to themselves.
func TestBrokenLinks(t *testing.T) {
	dir := t.TempDir()
	for name, want := range map[string]string{
		"loop.yml": "amlfix: loop.yml: a link that leads back to itself\n",
		"gone.yml": "amlfix: gone.yml: no such file or folder; the link leads to nothing\n",
	} {
		testkit.OK(t, os.Symlink(strings.ReplaceAll(name, "gone", "nowhere"), filepath.Join(dir, name)))
		r := amlfix(t, dir, "--settings", name)
		testkit.Has(t, r.err, "amlfix: --settings "+strings.TrimPrefix(strings.Split(want, ";")[0], "amlfix: "))
		r = amlfix(t, dir, name)
		testkit.Same(t, want, r.err, "%s", name)
		testkit.Same(t, console.Failure, r.code, "%s", name)
	}
}
