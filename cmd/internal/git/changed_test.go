package git

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/testkit"
)

// do runs git in dir.
func do(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	name = filepath.Join(dir, name)
	testkit.OK(t, os.MkdirAll(filepath.Dir(name), 0o755))
	testkit.OK(t, os.WriteFile(name, []byte(text), 0o600))
}

func TestChanged(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	testkit.OK(t, err)
	do(t, dir, "init", "-q", "-b", "main")
	for _, name := range []string{"same", "changed", "staged", "deleted", "old name", "sub/größer \"q\"\n.yml", "committed"} {
		write(t, dir, name, name+strings.Repeat("line\n", 20))
	}
	write(t, dir, ".gitignore", "ignored\n")
	do(t, dir, "add", "-A")
	do(t, dir, "commit", "-qm", "one")
	write(t, dir, "committed", "x")
	do(t, dir, "commit", "-qam", "two")
	write(t, dir, "changed", "x")
	write(t, dir, "staged", "x")
	write(t, dir, "sub/größer \"q\"\n.yml", "x")
	write(t, dir, "sub/untracked", "x")
	write(t, dir, "ignored", "x")
	do(t, dir, "add", "staged")
	do(t, dir, "mv", "old name", "new name")
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
	if _, err := Changed(t.Context(), t.TempDir(), "HEAD"); err == nil || err.Error() != "git is needed for it, and is not installed" {
		t.Errorf("without git: %v", err)
	}
}
