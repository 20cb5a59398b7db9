package project

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// ignoreText and ignorePaths are used to compare our matcher with git itself.
const ignoreText = "\ufeff" + `*.log
# comment
!keep.log
/build
data/
**/cache/*.bin
docs/**/draft.md
models/**
a?c
[!x]z1
name with space
trailing   
\#hash
\!bang
x[
sub/only
*.py[co]
`

var ignorePaths = []string{
	"train.py", "train.pyc", "a.log", "keep.log", "deep/b.log", "deep/keep.log", "build/x", "deep/build/x", "data/x.csv", "deep/data/x.csv",
	"cache/a.bin", "deep/cache/a.bin", "cache/a.txt", "docs/draft.md", "docs/a/b/draft.md", "docs/final.md", "models/m/x", "models2/x", "abc", "a/c",
	"az1", "xz1", "name with space", "trailing", "#hash", "!bang", "x[", "sub/only", "deep/sub/only", "deep/models/x",
}

func excluded(ig ignore, p string) bool {
	parts := strings.Split(p, "/")
	for i := range parts {
		if _, out := ig.excludes(strings.Join(parts[:i+1], "/"), i < len(parts)-1); out {
			return true
		}
	}
	return false
}

func TestIgnoreAgreesWithGit(t *testing.T) {
	git := testkit.Program(t, "git")
	dir := t.TempDir()
	run := func(args ...string) ([]byte, error) {
		cmd := exec.Command(git, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
		return cmd.CombinedOutput()
	}
	if out, err := run("init", "-q"); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	testkit.Write(t, dir, ".gitignore", ignoreText)
	for _, p := range ignorePaths {
		if info, err := os.Stat(filepath.Join(dir, p)); err == nil && info.IsDir() {
			t.Fatalf("%s is both file and folder", p)
		}
		testkit.Write(t, dir, p, "x")
	}
	ig := parseIgnore(".gitignore", ignoreText)
	for _, p := range ignorePaths {
		_, err := run("check-ignore", "-q", "--no-index", "--", p)
		if want, got := err == nil, excluded(ig, p); got != want {
			t.Errorf("%q: excluded = %v, git says %v", p, got, want)
		}
	}
}

func FuzzIgnore(f *testing.F) {
	for line := range strings.SplitSeq(ignoreText, "\n") {
		f.Add(line, "a/b.log")
	}
	f.Add("[z-a]", "b")
	f.Add("[]a]", "]")
	f.Add("\xff[\xfe", "\xff")
	f.Fuzz(func(t *testing.T, text, path string) {
		ig := parseIgnore("f", text)
		ig.excludes(path, true) // must not panic
		for _, r := range ig.rules {
			if r.line < 1 || r.line > strings.Count(text, "\n")+1 {
				t.Errorf("line %d of %q", r.line, text)
			}
		}
	})
}
