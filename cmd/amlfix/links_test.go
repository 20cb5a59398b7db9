//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/cmd/internal/cli"
)

// sharing is projects that share files: by a path, by links to a file and to a
// configuration folder, and by a hard link.
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
	dir := unpack(t, sharing)
	gitIn(t, dir, "init", "-q")
	if err := os.Mkdir(filepath.Join(dir, "c"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{
		"b/aml_config/conda.yml": "../../shared/conda.yml", "b/aml_config/again.compute": "b.compute", "c/aml_config": "../b/aml_config",
	} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link(filepath.Join(dir, "b/aml_config/b.compute"), filepath.Join(dir, "b/aml_config/hard.compute")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestSharedFilesCountOnce holds that a file is reported once and repaired once,
// by as many names and projects as it is reached, and that links stay links. A
// hard link is a file of its own, as for git, and is not parted from the others.
func TestSharedFilesCountOnce(t *testing.T) {
	dir := laySharing(t)
	want := []string{"b/aml_config/b.compute schema/unknown-key", "b/aml_config/hard.compute schema/unknown-key", "shared/conda.yml conda/pip-equals"}
	if d := cmp.Diff(want, reported(t, amlfix(t, dir, "--format", "json"))); d != "" {
		t.Error(d)
	}
	for _, name := range []string{"b/aml_config/again.compute", "c/aml_config/b.compute", "c/aml_config/again.compute"} {
		if d := cmp.Diff(want[:1], reported(t, amlfix(t, dir, "--format", "json", name))); d != "" {
			t.Errorf("%s:\n%s", name, d)
		}
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
	if r := amlfix(t, dir, "--apply"); r.code != cli.Failure || !strings.Contains(r.err, "amlfix: b/aml_config/b.compute: has 2 hard links") {
		t.Errorf("%+v", r)
	}
	if r := amlfix(t, dir, "undo"); r.code != cli.OK { // of the other project
		t.Errorf("%+v", r)
	}
	if d := cmp.Diff(before, contents(t, dir)); d != "" {
		t.Error(d)
	}
	text := readFile(t, dir, hard)
	if err := os.Remove(filepath.Join(dir, hard)); err != nil {
		t.Fatal(err)
	}
	writeFile(t, dir, hard, []byte(text))
	r := amlfix(t, dir, "--apply")
	applied := contents(t, dir)
	if r.code != cli.OK || applied["shared/conda.yml"] != "dependencies:\n  - pip:\n    - numpy==1.0\n" ||
		applied["b/aml_config/b.compute"] != applied["b/aml_config/hard.compute"] || applied["b/aml_config/b.compute"] != "type: local\npythonLocation: python\n" {
		t.Errorf("%+v\n%v", r, applied)
	}
	for _, name := range []string{"b/aml_config/conda.yml", "b/aml_config/again.compute", "c/aml_config"} {
		if info, err := os.Lstat(filepath.Join(dir, name)); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s is no link any more: %v", name, err)
		}
	}
	if r := amlfix(t, dir, "undo"); r.code != cli.OK {
		t.Errorf("undo: %+v", r)
	}
	if d := cmp.Diff(before, contents(t, dir)); d != "" {
		t.Errorf("undo:\n%s", d)
	}
	git := exec.Command("git", "apply", "-")
	git.Dir, git.Stdin = dir, strings.NewReader(diff.out)
	if out, err := git.CombinedOutput(); err != nil {
		t.Fatalf("git apply: %v\n%s\n%s", err, out, diff.out)
	}
	if d := cmp.Diff(applied, contents(t, dir)); d != "" {
		t.Errorf("git apply and --apply differ:\n%s", d)
	}
}

// TestTooDeepATree holds that a gate does not open because a tree cannot be
// searched to its end.
func TestTooDeepATree(t *testing.T) {
	dir := unpack(t, "-- p/aml_config/ok.compute --\ntype: local\n")
	deep, part := filepath.Join(dir, "deep"), strings.Repeat("d", 200)
	if err := os.Mkdir(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	in, err := os.OpenRoot(deep)
	for range 25 {
		if err == nil {
			err = in.Mkdir(part, 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
		outer := in
		in, err = outer.OpenRoot(part)
		_ = outer.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	_ = in.Close()
	for _, args := range [][]string{nil, {"deep"}, {"targets"}, {"--diff"}} {
		r := amlfix(t, dir, args...)
		if r.code != cli.Failure || !strings.Contains(r.err, "too long for this system, so what is below it was not checked") || len(r.err) > 1000 {
			t.Errorf("%q: %+v", args, r)
		}
	}
	if r := amlfix(t, dir, "p"); r.code != cli.OK || r.err != "" {
		t.Errorf("beside it: %+v", r)
	}
}

// TestReferencesByLinks holds that a split environment is written where the run
// configuration looks for it, when the shared file is reached by a link.
func TestReferencesByLinks(t *testing.T) {
	dir := unpack(t, severalJobs)
	shared := filepath.Join(dir, "repo/shared.yml")
	conda := filepath.Join(dir, "repo/aml_config/conda_dependencies.yml")
	if err := os.Rename(conda, shared); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../shared.yml", conda); err != nil {
		t.Fatal(err)
	}
	before := readFile(t, dir, "repo/shared.yml")
	amlfix(t, filepath.Join(dir, "repo/aml_config"), "--apply")
	if got := readFile(t, dir, "repo/aml_config/conda_dependencies_gpu.yml"); got != strings.Replace(before, "tensorflow=", "tensorflow-gpu=", 1) {
		t.Errorf("the copy: %q", got)
	}
	if got := readFile(t, dir, "repo/shared.yml"); got != before {
		t.Errorf("the shared file: %q", got)
	}
	if r := amlfix(t, dir, "--diff", "repo"); r.code != cli.OK || r.out != "" {
		t.Errorf("once more: %+v", r)
	}
}

// TestOneIdentityWithoutARepository holds the same of projects that no repository
// is around, where the tree is the project.
func TestOneIdentityWithoutARepository(t *testing.T) {
	var want map[string]string
	for _, name := range []string{"the root", "aml_config", "aml_config, named", "a subfolder", "above", "elsewhere", "through a link", "in a linked aml_config"} {
		base := laidOut(t)
		if err := os.RemoveAll(filepath.Join(base, "repo/.git")); err != nil {
			t.Fatal(err)
		}
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
