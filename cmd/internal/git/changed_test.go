package git

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/testkit"
)

func TestChanged(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	testkit.OK(t, err)
	testkit.Git(t, dir, "init", "-q", "-b", "main")
	for _, name := range []string{"same", "changed", "staged", "deleted", "old name", "sub/größer \"q\"\n.yml", "committed"} {
		testkit.Write(t, dir, name, name+strings.Repeat("line\n", 20))
	}
	testkit.Write(t, dir, ".gitignore", "ignored\n")
	testkit.Git(t, dir, "add", "-A")
	testkit.Git(t, dir, "commit", "-qm", "one")
	testkit.Write(t, dir, "committed", "x")
	testkit.Git(t, dir, "commit", "-qam", "two")
	testkit.Write(t, dir, "changed", "x")
	testkit.Write(t, dir, "staged", "x")
	testkit.Write(t, dir, "sub/größer \"q\"\n.yml", "x")
	testkit.Write(t, dir, "sub/untracked", "x")
	testkit.Write(t, dir, "ignored", "x")
	testkit.Git(t, dir, "add", "staged")
	testkit.Git(t, dir, "mv", "old name", "new name")
	testkit.OK(t, os.Remove(filepath.Join(dir, "deleted")))
	for revision, want := range map[string][]string{
		"HEAD":            {"changed", "deleted", "new name", "old name", "staged", "sub/größer \"q\"\n.yml", "sub/untracked"},
		"main~1":          {"changed", "committed", "deleted", "new name", "old name", "staged", "sub/größer \"q\"\n.yml", "sub/untracked"},
		"HEAD~1...HEAD":   {"committed", "sub/untracked"},
		"refs/heads/main": {"changed", "deleted", "new name", "old name", "staged", "sub/größer \"q\"\n.yml", "sub/untracked"},
	} {
		got, err := Changed(t.Context(), filepath.Join(dir, "sub"), revision)
		for i, path := range got {
			got[i], _ = filepath.Rel(dir, path)
		}
		slices.Sort(got)
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("%s: %v\n%s", revision, err, d)
		}
	}
	for _, revision := range []string{"nothing", "--output=x", "-", "", "changed", "HEAD:changed"} {
		if got, err := Changed(t.Context(), dir, revision); err == nil {
			t.Errorf("%q is a revision: %q", revision, got)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "x")); err == nil {
		t.Error("a revision was taken for a flag")
	}
}

// TestChangedRepositories asks about a submodule at another commit, one that is edited, one that was never fetched, and
// a repository that is not tracked.
func TestChangedRepositories(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	testkit.OK(t, err)
	for _, name := range []string{"inner", "moved", "edited", "absent", "moved/new", "."} {
		at := filepath.Join(dir, name)
		testkit.Write(t, at, "deep/a.yml", "a")
		testkit.Git(t, at, "init", "-q", "-b", "main")
		if name == "." {
			testkit.Write(t, dir, ".gitignore", "/inner\n/deep\n")
			testkit.Git(t, dir, "add", ".gitignore", "moved", "edited", "absent")
		} else {
			testkit.Git(t, at, "add", "deep")
		}
		testkit.Git(t, at, "commit", "-qm", "one")
	}
	testkit.OK(t, os.RemoveAll(filepath.Join(dir, "absent")))
	testkit.OK(t, os.Mkdir(filepath.Join(dir, "absent"), 0o700))
	testkit.Git(t, filepath.Join(dir, "moved"), "commit", "-q", "--allow-empty", "-m", "two")
	testkit.Write(t, dir, "edited/deep/a.yml", "b")
	testkit.OK(t, os.Rename(filepath.Join(dir, "inner"), filepath.Join(dir, "untracked")))
	got, err := Changed(t.Context(), dir, "HEAD")
	for i, path := range got {
		got[i], _ = filepath.Rel(dir, path)
	}
	slices.Sort(got)
	want := []string{"moved", "moved/deep/a.yml", "moved/new", "moved/new/deep/a.yml", "untracked", "untracked/deep/a.yml"}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("%v\n%s", err, d)
	}
}

// embed makes a folder of a repository look like a bare repository with files, as its author can commit it. Its
// settings name a program, which git starts when it looks at the files.
func embed(t *testing.T, repository, folder string) (started string) {
	t.Helper()
	at := filepath.Join(repository, folder)
	testkit.Git(t, repository, "clone", "-q", "--bare", ".", at)
	started = filepath.Join(t.TempDir(), "started")
	for name, value := range map[string]string{"core.bare": "false", "core.worktree": ".", "filter.x.clean": "touch '" + started + "'; cat"} {
		testkit.Git(t, at, "config", name, value)
	}
	testkit.Write(t, at, "a.yml", "a")
	testkit.Git(t, at, "-c", "filter.x.clean=cat", "add", "a.yml")
	testkit.Write(t, at, ".gitattributes", "* filter=x\n")
	testkit.Write(t, at, "a.yml", "changed")
	return started
}

// TestChangedInHooks asks about a folder of a repository that looks like a bare one, and where a hook's environment
// names another repository.
func TestChangedInHooks(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	testkit.OK(t, err)
	testkit.Git(t, dir, "init", "-q", "-b", "main")
	testkit.Write(t, dir, "sub/same", "x")
	testkit.Git(t, dir, "add", "-A")
	testkit.Git(t, dir, "commit", "-qm", "one")
	testkit.Git(t, dir, "worktree", "add", "-q", filepath.Join(dir, "linked"))
	started := embed(t, dir, "bare")
	testkit.Write(t, dir, ".gitignore", "/bare/[^a]*\n/linked\n")
	for at, want := range map[string][]string{"sub": {".gitignore", "bare/a.yml"}, "bare": {".gitignore", "bare/a.yml"}, "linked/sub": nil} {
		for _, env := range []string{"", filepath.Join(dir, ".git"), filepath.Join(dir, ".git", "worktrees", "linked")} {
			t.Setenv("GIT_DIR", env)
			t.Setenv("GIT_INDEX_FILE", filepath.Join(dir, "no index"))
			if env == "" {
				testkit.OK(t, os.Unsetenv("GIT_DIR"))
			}
			got, err := Changed(t.Context(), filepath.Join(dir, at), "HEAD")
			for i, path := range got {
				got[i], _ = filepath.Rel(dir, path)
			}
			if d := cmp.Diff(want, got); d != "" || err != nil {
				t.Errorf("in %s with %q: %v\n%s", at, env, err, d)
			}
			if _, err := os.Stat(started); err == nil {
				t.Fatalf("in %s, a program of the repository was started", at)
			}
		}
	}
}

// TestChangedStartsNothing checks that no program is started that the repository's settings name.
func TestChangedStartsNothing(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	testkit.OK(t, err)
	started := testkit.GitArmed(t, dir)
	got, err := Changed(t.Context(), dir, "HEAD")
	for i, path := range got {
		got[i], _ = filepath.Rel(dir, path)
	}
	if d := cmp.Diff([]string{"changed", "new", "old"}, got); d != "" || err != nil {
		t.Errorf("%v\n%s", err, d)
	}
	testkit.Same(t, "", started())
}

func TestChangedSaysWhyNot(t *testing.T) {
	if _, err := Changed(t.Context(), t.TempDir(), "HEAD"); err == nil || err.Error() != "this folder is not in a git repository" {
		t.Errorf("outside: %v", err)
	}
	dir := t.TempDir()
	testkit.Git(t, dir, "init", "-q")
	t.Setenv("PATH", "")
	if _, err := Changed(t.Context(), dir, "HEAD"); err == nil || err.Error() != "this needs git, which is not installed" {
		t.Errorf("without git: %v", err)
	}
}
