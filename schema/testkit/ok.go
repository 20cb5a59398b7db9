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
	"time"

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

// GitArmed makes a repository with changes, whose settings name programs that git starts when it compares files.
// started lists those that were started.
func GitArmed(t testing.TB, dir string) (started func() string) {
	t.Helper()
	list := filepath.Join(t.TempDir(), "started")
	arm := func(dir, who string) {
		OK(t, os.MkdirAll(dir, 0o755))
		Git(t, dir, "init", "-q")
		Write(t, dir, "old", strings.Repeat(who+"\n", 100))
		Write(t, dir, "changed", who)
		Write(t, dir, ".gitattributes", "changed filter="+who+"\n")
		Git(t, dir, "add", "-A")
		Git(t, dir, "commit", "-qm", who)
		Git(t, dir, "config", "filter."+who+".clean", "printf '%s filter ' "+who+" >>'"+list+"'; cat")
		Write(t, dir, "changed", "W"+who[1:]) // as long as before: git has to read it
		OK(t, os.Chtimes(filepath.Join(dir, ".gitattributes"), time.Time{}, time.Unix(1, 0)))
	}
	arm(filepath.Join(dir, "sub"), "submodule")
	arm(dir, "repository")
	Write(t, dir, ".git/hooks/post-index-change", "#!/bin/sh\nprintf 'hook ' >>'"+list+"'\n")
	OK(t, os.Chmod(filepath.Join(dir, ".git/hooks/post-index-change"), 0o755))
	old := strings.TrimSpace(Git(t, dir, "rev-parse", "HEAD:old"))
	Write(t, dir, "new", strings.Repeat("repository\n", 99)) // git compares it with the old file, and fetches that
	OK(t, os.Remove(filepath.Join(dir, "old")))
	Git(t, dir, "-c", "filter.repository.clean=cat", "add", "old", "new")
	OK(t, os.Remove(filepath.Join(dir, ".git/objects", old[:2], old[2:])))
	for name, value := range map[string]string{"core.fsmonitor": "printf 'monitor ' >>'" + list + "'; false", "core.sshCommand": "printf 'fetch ' >>'" + list + "'; false", "core.repositoryFormatVersion": "1",
		"extensions.partialClone": "origin", "remote.origin.url": "ssh://nowhere.invalid/x", "remote.origin.promisor": "true"} {
		Git(t, dir, "config", name, value)
	}
	return func() string {
		text, _ := os.ReadFile(list)
		return string(text)
	}
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

// Folder is Unpack for an archive's text.
func Folder(t testing.TB, archive string) string {
	t.Helper()
	return Unpack(t, txtar.Parse([]byte(archive)).Files)
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
