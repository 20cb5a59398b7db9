package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestCommit queries a folder of a repository at each stage of its life.
func TestCommit(t *testing.T) {
	top := t.TempDir()
	dir := filepath.Join(top, "a job")
	testkit.OK(t, os.Mkdir(dir, 0o755))
	testkit.Same(t, (*record.Commit)(nil), commit(dir), "no repository")
	testkit.Git(t, top, "init", "-q", "-b", "main")
	testkit.Same(t, (*record.Commit)(nil), commit(dir), "no commit")
	testkit.Write(t, dir, "train.py", "")
	testkit.Git(t, top, "add", "-A")
	testkit.Git(t, top, "commit", "-q", "-m", "x")
	id := strings.TrimSpace(testkit.Git(t, top, "rev-parse", "HEAD"))
	testkit.Write(t, dir, "new.py", "")
	testkit.Write(t, top, "elsewhere.py", "")
	testkit.Git(t, top, "add", "elsewhere.py")
	testkit.Same(t, &record.Commit{ID: id, Branch: "main"}, commit(dir), "changes elsewhere, and a new file")
	testkit.Write(t, dir, "train.py", "changed")
	testkit.Same(t, &record.Commit{ID: id, Branch: "main", Changed: true}, commit(dir), "changed")
	testkit.Git(t, top, "checkout", "-q", "--detach")
	testkit.Same(t, &record.Commit{ID: id, Changed: true}, commit(dir), "detached")
	testkit.OK(t, os.WriteFile(filepath.Join(top, ".git", "index"), []byte("broken"), 0o600))
	testkit.Same(t, &record.Commit{ID: id, Changed: true}, commit(dir), "git status fails")
}

// TestCommitStartsNothing checks that no program is started that the settings of a repository, or of a submodule, name.
func TestCommitStartsNothing(t *testing.T) {
	top := t.TempDir()
	started := testkit.GitArmed(t, top)
	if c := commit(top); c == nil || !c.Changed {
		t.Errorf("%+v", c)
	}
	testkit.Same(t, "", started())
	tree := strings.TrimSpace(testkit.Git(t, top, "rev-parse", "HEAD^{tree}"))
	testkit.OK(t, os.Remove(filepath.Join(top, ".git/objects", tree[:2], tree[2:])))
	if c := commit(top); c == nil || !c.Changed {
		t.Errorf("%+v", c)
	}
	testkit.Same(t, "", started())
}
