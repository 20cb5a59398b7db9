package citest

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/cmd/internal/tooltest"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestInstallFromAClone follows the README in a fresh clone and uses the result: init names the commit, and pre-commit
// finds the newest one without any tag.
func TestInstallFromAClone(t *testing.T) {
	testkit.Set(t, testkit.Channels)
	t.Parallel()
	from, commit := published(t)
	clone, bin, project := filepath.Join(t.TempDir(), "amlfix"), t.TempDir(), t.TempDir()
	testkit.Git(t, from, "clone", "-q", from, clone)
	install := exec.Command("go", "install", "./cmd/amlfix")
	install.Dir, install.Env = clone, buildEnv("GOBIN="+bin, "GOFLAGS=-trimpath -buildvcs=true")
	testkit.Output(t, install)
	testkit.Git(t, project, "init", "-q")
	initialize := exec.Command(filepath.Join(bin, "amlfix"), "init")
	initialize.Dir = project
	testkit.Output(t, initialize)
	if got := testkit.Read(t, project, ".pre-commit-config.yaml"); !strings.Contains(got, "\n  rev: "+commit+"\n") {
		t.Errorf("init names another revision than %s:\n%s", commit, got)
	}
	testkit.Write(t, project, ".pre-commit-config.yaml", "repos:\n- repo: file://"+from+"\n  rev: main\n  hooks: [{id: amlfix}]\n")
	update := exec.Command(filepath.Join(tooltest.Python(t), "pre-commit"), "autoupdate", "--bleeding-edge")
	update.Dir, update.Env = project, buildEnv("PRE_COMMIT_HOME="+t.TempDir())
	if out, err := update.CombinedOutput(); err != nil || !strings.Contains(testkit.Read(t, project, ".pre-commit-config.yaml"), "rev: "+commit) {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestLocalHook checks that the documented local hook sees the same files.
func TestLocalHook(t *testing.T) {
	_, pattern, _ := strings.Cut(testkit.Read(t, top(t), ".pre-commit-hooks.yaml"), "  files: ")
	pattern, _, _ = strings.Cut(pattern, "\n")
	if text := testkit.Read(t, top(t), "docs/ci.md"); pattern == "" || !strings.Contains(text, "\n        files: "+pattern+"\n") {
		t.Errorf("docs/ci.md lacks the pattern %s", pattern)
	}
}
