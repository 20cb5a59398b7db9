package citest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// top returns the root folder of the module.
func top(t *testing.T) string {
	t.Helper()
	return testkit.Root(t)
}

// published returns a git repository with the current working tree committed, as others would clone it, and the commit.
func published(t *testing.T) (dir, commit string) {
	t.Helper()
	dir = t.TempDir()
	list, err := exec.Command("git", "-C", top(t), "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	testkit.OK(t, err)
	for name := range bytes.SplitSeq(list, []byte{0}) {
		from := filepath.Join(top(t), string(name))
		info, err := os.Lstat(from)
		if err != nil || !info.Mode().IsRegular() {
			continue // deleted but not committed yet
		}
		text := []byte(testkit.Read(t, from))
		to := filepath.Join(dir, string(name))
		testkit.OK(t, os.MkdirAll(filepath.Dir(to), 0o755))
		testkit.OK(t, os.WriteFile(to, text, info.Mode().Perm()))
	}
	testkit.Git(t, dir, "init", "-q", "-b", "main")
	testkit.Git(t, dir, "config", "core.compression", "0") // it is cloned a few times and then removed
	testkit.Git(t, dir, "config", "pack.window", "0")
	testkit.Git(t, dir, "add", "-A")
	testkit.Git(t, dir, "commit", "-qm", "as it is")
	return dir, strings.TrimSpace(testkit.Git(t, dir, "rev-parse", "HEAD"))
}

// buildEnv returns an environment in which builds in different folders share the build cache.
func buildEnv(extra ...string) []string {
	return append(append(os.Environ(), "GOFLAGS=-trimpath", "CGO_ENABLED=0"), extra...)
}

// built returns the path of the program, built from this tree.
func built(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "amlfix")
	testkit.OK(t, testkit.Build(program))
	return program
}

// repair makes all safe repairs in a folder with the command line.
func repair(t *testing.T, program, dir string) {
	t.Helper()
	apply := exec.Command(program, "--apply")
	apply.Dir = dir
	if out, err := apply.CombinedOutput(); err != nil && apply.ProcessState.ExitCode() > 1 {
		t.Fatalf("%v\n%s", err, out)
	}
}
