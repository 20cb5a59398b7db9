package testkit

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// OK ends the test with err unless it is nil.
func OK(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Read returns the text of a file, of whose path it is given the parts.
func Read(t testing.TB, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(path...))
	OK(t, err)
	return string(text)
}

// Glob returns the files that match a pattern, of which it is given the parts. If there are none the test fails.
func Glob(t testing.TB, pattern ...string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(pattern...))
	if err != nil || len(names) == 0 {
		t.Fatalf("nothing matches %s: %v", filepath.Join(pattern...), err)
	}
	return names
}

// Archive reads a file that holds others.
func Archive(t testing.TB, name string) *txtar.Archive {
	t.Helper()
	archive, err := txtar.ParseFile(name)
	OK(t, err)
	return archive
}

// Output runs a command, which must succeed, and returns all that it prints.
func Output(t testing.TB, cmd *exec.Cmd) string {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%q: %v\n%s", cmd.Args, err, out)
	}
	return string(out)
}

// Write writes a file, by its path below dir with slashes, and makes the folders above it.
func Write[T string | []byte](t testing.TB, dir, name string, text T) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
	OK(t, os.WriteFile(path, []byte(text), 0o644))
}

// Lay writes files, by their paths with slashes, below a temporary folder and returns it.
func Lay(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		Write(t, dir, name, text)
	}
	return dir
}

// Contents returns the texts of all files below a folder by their paths with slashes.
func Contents(t testing.TB, dir string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	OK(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			texts[filepath.ToSlash(rel)] = Read(t, path)
		}
		return err
	}))
	return texts
}

// Git runs git in a folder, as a user who can commit and has no hooks, and returns what it prints. Without git the test
// is skipped.
func Git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	own := []string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "core.hooksPath=/dev/null"}
	return Output(t, exec.Command(Program(t, "git"), append(own, args...)...))
}

// Unpack writes files of an archive below a temporary folder and returns it.
func Unpack(t testing.TB, files []txtar.File) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range files {
		Write(t, dir, f.Name, f.Data)
	}
	return dir
}

// Has fails the test for each part that a text lacks.
func Has(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in\n%.9000s", part, text)
		}
	}
}

// Same fails the test when got is not as want, and shows the difference. about says of what: one value, or a format and
// its arguments.
func Same(t testing.TB, want, got any, about ...any) {
	t.Helper()
	if reflect.DeepEqual(want, got) {
		return // much faster than a difference, which tests of thousands of files would compute for each
	}
	diff := cmp.Diff(want, got)
	switch {
	case diff == "":
	case len(about) == 0:
		t.Errorf("(-want +got):\n%s", diff)
	case len(about) == 1:
		t.Errorf("%v (-want +got):\n%s", about[0], diff)
	default:
		t.Errorf("%s (-want +got):\n%s", fmt.Sprintf(fmt.Sprint(about[0]), about[1:]...), diff)
	}
}
