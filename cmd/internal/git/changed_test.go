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

func TestChangedSaysWhyNot(t *testing.T) {
	if _, err := Changed(t.Context(), t.TempDir(), "HEAD"); err == nil || !strings.HasPrefix(err.Error(), "git says: not a git repository") {
		t.Errorf("outside: %v", err)
	}
	t.Setenv("PATH", "")
	if _, err := Changed(t.Context(), t.TempDir(), "HEAD"); err == nil || err.Error() != "this needs git, which is not installed" {
		t.Errorf("without git: %v", err)
	}
}
