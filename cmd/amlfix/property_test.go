package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestApplyProperties repairs whole projects, both as they are and as other editors would have saved them, including
// with flags that lead to further repairs. It checks that --apply is idempotent, that `git apply` of --diff --raw
// writes the same bytes, and that undo restores the original ones.
//
//testkit:norace
func TestApplyProperties(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatal("git is needed")
	}
	root := filepath.Join("..", "..")
	t.Run("testdata", func(t *testing.T) {
		t.Parallel()
		applyAll(t, filepath.Join(root, "testdata", "*"))
	})
	t.Run("transcripts", func(t *testing.T) {
		t.Parallel()
		names := testkit.Glob(t, "testdata/*.txtar")
		repaired := 0
		for _, name := range names {
			archive := testkit.Archive(t, name)
			repaired += applyVariants(t, name, testkit.Contents(t, testkit.Unpack(t, archive.Files)))
		}
		if repaired == 0 {
			t.Error("nothing was repaired")
		}
	})
	t.Run("corpus", func(t *testing.T) {
		t.Parallel()
		applyAll(t, filepath.Join(testkit.Corpus(t, "projects"), "*"))
	})
}

func applyAll(t *testing.T, pattern string) {
	dirs := testkit.Glob(t, pattern)
	repaired := 0
	for _, dir := range dirs {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			repaired += applyVariants(t, dir, testkit.Contents(t, dir))
		}
	}
	if repaired == 0 {
		t.Error("nothing was repaired")
	}
	t.Logf("%d projects, %d repairs of them or a variant", len(dirs), repaired)
}

// variants save a text in the way of other editors.
var variants = map[string]func([]byte) []byte{
	"as it is": func(b []byte) []byte { return b },
	"CRLF": func(b []byte) []byte {
		return bytes.ReplaceAll(bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n"))
	},
	"byte order mark":  func(b []byte) []byte { return append([]byte("\xef\xbb\xbf"), b...) },
	"no final newline": func(b []byte) []byte { return bytes.TrimRight(b, "\r\n") },
}

func applyVariants(t *testing.T, name string, files map[string]string) (repaired int) {
	t.Helper()
	for variant, save := range variants {
		original := map[string]string{}
		for path, text := range files {
			original[path] = string(save([]byte(text)))
		}
		if applyOne(t, name+" ("+variant+")", original) {
			repaired++
		}
	}
	for _, flags := range requests(t, files) {
		if applyOne(t, name+" "+strings.Join(flags, " "), files, flags...) {
			repaired++
		}
	}
	return repaired
}

// requests returns the flags that lead to further repairs of a project: unsafe ones, all targets as GPU targets, and
// all as CPU targets.
func requests(t *testing.T, files map[string]string) [][]string {
	t.Helper()
	dir := t.TempDir()
	for path, text := range files {
		testkit.Write(t, dir, path, text)
	}
	roots, err := schema.Discover([]string{dir})
	testkit.OK(t, err)
	var targets []string
	for _, r := range roots {
		for _, target := range schema.Load(r, schema.Options{}).Targets {
			if name := target.Name; name != "" && !strings.ContainsAny(name, ", ") && !slices.Contains(targets, name) {
				targets = append(targets, name)
			}
		}
	}
	list := [][]string{{"--unsafe"}}
	gpu, cpu := []string{"--choose", "cuda=9.0"}, []string(nil)
	for _, name := range targets {
		gpu, cpu = append(gpu, "--gpu", name), append(cpu, "--cpu", name)
	}
	if len(targets) > 0 {
		list = append(list, gpu, cpu)
	}
	return list
}

func applyOne(t *testing.T, name string, original map[string]string, flags ...string) bool {
	t.Helper()
	dir, patched := t.TempDir(), t.TempDir()
	for path, text := range original {
		testkit.Write(t, dir, path, text)
		testkit.Write(t, patched, path, text)
	}
	diff := amlfix(t, dir, append([]string{"--diff", "--raw"}, flags...)...)
	if diff.out == "" {
		return false
	}
	if first := amlfix(t, dir, append([]string{"--apply"}, flags...)...); first.code > console.Findings && !strings.Contains(first.err, "the baseline cannot be used") {
		t.Errorf("%s: --apply: %+v", name, first)
	}
	after := testkit.Contents(t, dir)

	if again := amlfix(t, dir, append([]string{"--diff"}, flags...)...); again.out != "" {
		t.Errorf("%s: a second --apply would change:\n%s", name, again.out)
	}
	git := exec.Command("git", "apply", "--whitespace=nowarn", "-")
	git.Dir, git.Stdin = patched, bytes.NewReader([]byte(diff.out))
	if out, err := git.CombinedOutput(); err != nil {
		t.Errorf("%s: git apply: %v: %s", name, err, out)
	} else if d := cmp.Diff(after, testkit.Contents(t, patched)); d != "" {
		t.Errorf("%s: git apply differs from --apply:\n%s", name, d)
	}
	if undone := amlfix(t, dir, "undo"); undone.code != console.OK {
		t.Errorf("%s: undo: %+v", name, undone)
	}
	testkit.Same(t, original, testkit.Contents(t, dir), "%s: undo left a difference", name)
	return true
}
