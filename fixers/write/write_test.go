package write_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/fixers/write"
)

// folder makes a folder with the given files and returns its path.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// holds checks a folder's files, so that nothing may be left behind either.
func holds(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	got := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		got[e.Name()] = string(text)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// fails checks that an error names the file and says why.
func fails(t *testing.T, err error, path, why string) {
	t.Helper()
	if err == nil || !strings.HasPrefix(err.Error(), path+": ") || !strings.Contains(err.Error(), why) {
		t.Errorf("error %v, want one for %s that says %q", err, path, why)
	}
}

func TestFile(t *testing.T) {
	dir := folder(t, map[string]string{"a.yml": "old\r\n", "b.yml": "b"})
	p := filepath.Join(dir, "a.yml")
	if err := os.Chmod(p, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := write.File(p, dir, []byte("old\r\n"), []byte("new\r\n")); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, map[string]string{"a.yml": "new\r\n", "b.yml": "b"})
	info, err := os.Stat(p)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, want it kept", info.Mode())
	}
}

func TestChangedOnDisk(t *testing.T) {
	dir := folder(t, map[string]string{"a.yml": "other"})
	p := filepath.Join(dir, "a.yml")
	err := write.File(p, dir, []byte("old"), []byte("new"))
	fails(t, err, p, "has changed on disk")
	if !errors.Is(err, write.ErrChanged) {
		t.Errorf("%v is not ErrChanged", err)
	}
	holds(t, dir, map[string]string{"a.yml": "other"})
	gone := filepath.Join(dir, "gone.yml")
	fails(t, write.File(gone, dir, []byte("old"), []byte("new")), gone, "no such file")
	fails(t, write.File(dir, dir, []byte("old"), []byte("new")), dir, "not a regular file")
}

func TestReadOnlyFile(t *testing.T) {
	dir := folder(t, map[string]string{"a.yml": "old"})
	p := filepath.Join(dir, "a.yml")
	if err := os.Chmod(p, 0o444); err != nil {
		t.Fatal(err)
	}
	fails(t, write.File(p, dir, []byte("old"), []byte("new")), p, "read-only")
	holds(t, dir, map[string]string{"a.yml": "old"})
}

func TestNewFile(t *testing.T) {
	dir := folder(t, map[string]string{"a.yml": "a"})
	p := filepath.Join(dir, "b.yml")
	if err := write.File(p, dir, nil, []byte("b")); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, map[string]string{"a.yml": "a", "b.yml": "b"})
	fails(t, write.File(p, dir, nil, []byte("c")), p, "exists by now")
	holds(t, dir, map[string]string{"a.yml": "a", "b.yml": "b"})
	lost := filepath.Join(dir, "none", "c.yml")
	fails(t, write.File(lost, dir, nil, []byte("c")), lost, "no such file")
}

func TestLinks(t *testing.T) {
	dir := folder(t, map[string]string{"project/real/a.yml": "old", "outside.yml": "old"})
	project := filepath.Join(dir, "project")
	for link, to := range map[string]string{"in.yml": "real/a.yml", "out.yml": "../outside.yml", "folder": ".."} {
		if err := os.Symlink(to, filepath.Join(project, link)); err != nil {
			t.Skipf("SKIPPED: no symbolic links here: %v", err)
		}
	}
	in := filepath.Join(project, "in.yml")
	if err := write.File(in, project, []byte("old"), []byte("new")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(in); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is not kept: %v, %v", info, err)
	}
	holds(t, filepath.Join(project, "real"), map[string]string{"a.yml": "new"})

	for _, name := range []string{"out.yml", "folder/outside.yml"} {
		p := filepath.Join(project, name)
		fails(t, write.File(p, project, []byte("old"), []byte("new")), p, "outside the project")
	}
	p := filepath.Join(project, "folder", "new.yml")
	fails(t, write.File(p, project, nil, []byte("new")), p, "outside the project")
	if text, err := os.ReadFile(filepath.Join(dir, "outside.yml")); err != nil || string(text) != "old" {
		t.Errorf("the file outside is %q, %v", text, err)
	}
	if err := write.File(filepath.Join(project, "out.yml"), "", []byte("old"), []byte("new")); err != nil {
		t.Errorf("without a root: %v", err)
	}
}

func TestRelativePaths(t *testing.T) {
	dir := folder(t, map[string]string{"p/a.yml": "old"})
	t.Chdir(dir)
	if err := write.File(filepath.Join("p", "a.yml"), "p", []byte("old"), []byte("new")); err != nil {
		t.Fatal(err)
	}
	if err := write.File(filepath.Join(dir, "p", "a.yml"), ".", []byte("new"), []byte("newer")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("beside.yml", []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := write.File(filepath.Join("p", "..", "beside.yml"), "p", []byte("old"), []byte("new")); err != nil {
		t.Errorf("a path outside that is no link: %v", err)
	}
	holds(t, "p", map[string]string{"a.yml": "newer"})
}
