//go:build unix

package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestLink: a second name, in another folder, of a regular file only.
func TestLink(t *testing.T) {
	d, top := tree(t, map[string]string{"sub/file": "1", "sub/link": "-> file", "sub/folder/": "", "in": "-> sub", ".git/config": "git"})
	to, other := tree(t, map[string]string{"taken": "2", "dangling": "-> none", "in": "-> " + top + "/sub"})
	for _, refused := range [][2]string{{"sub/link", "new"}, {"sub/folder", "new"}, {"in/file", "new"}, {".git/config", "new"}, {"none", "new"}, {"sub/file", "taken"},
		{"sub/file", "dangling"}, {"sub/file", "in/new"}, {"sub/file", ".git"}, {"sub/file", "none/new"}} {
		if err := d.Link(refused[0], to, refused[1]); err == nil {
			t.Errorf("%v was not refused", refused)
		}
	}
	testkit.OK(t, d.Link("sub/file", to, "new"))
	testkit.Same(t, map[string]string{"taken": "2", "dangling": "-> none", "in": "-> " + top + "/sub", "new": "1"}, contents(t, other))
	a, err := os.Stat(filepath.Join(top, "sub", "file"))
	b, err2 := os.Stat(filepath.Join(other, "new"))
	if err != nil || err2 != nil || !os.SameFile(a, b) {
		t.Errorf("it is another file: %v, %v", err, err2)
	}
}

// TestOpenTemp: what TempNamed makes is found again by its name, if it is this user's and no link.
func TestOpenTemp(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	d, err := TempNamed("amlfix-x")
	testkit.OK(t, err)
	if info, err := os.Stat(d.Path()); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info, err)
	}
	if _, err := TempNamed("amlfix-x"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("it is made twice: %v", err)
	}
	if err := d.WriteNew(".amlfix", nil, 0o600); err != nil {
		t.Errorf("a project's files may have any name in it: %v", err)
	}
	name := d.Path()
	d.Close()
	sym, file := name+"-sym", name+"-file"
	testkit.OK(t, errors.Join(os.Symlink(name, sym), os.WriteFile(file, nil, 0o600)))
	var link *LinkError
	var other *OtherError
	_, err1 := OpenTemp(sym)
	_, err2 := OpenTemp(file)
	_, err3 := OpenTemp(name + "-none")
	if !errors.As(err1, &link) || !errors.As(err2, &other) || !errors.Is(err3, fs.ErrNotExist) {
		t.Errorf("%v, %v, %v", err1, err2, err3)
	}
	again, err := OpenTemp(name)
	testkit.OK(t, err)
	testkit.OK(t, errors.Join(again.Mkdir("locked", 0o700), os.Chmod(filepath.Join(name, "locked"), 0), os.Chmod(name, 0)))
	if err := again.Destroy(); err != nil || exists(name) {
		t.Errorf("it is not removed: %v", err)
	}
	if os.Getuid() != 0 {
		t.Skip("SKIPPED, IN PART: only root can give files away: run the tests as root")
	}
	testkit.OK(t, errors.Join(os.Mkdir(name, 0o700), os.Chown(name, 65534, 65534)))
	if _, err := OpenTemp(name); !errors.As(err, new(*OwnerError)) {
		t.Errorf("another user's: %v", err)
	}
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

func TestMakeShared(t *testing.T) {
	for name, want := range map[string]string{
		"there": "", "new": "", "a/b/c": "", "sym": "", "sym/new": "", ".hidden/x": "",
		".git/x": "belongs to git", ".git/a/b": "belongs to git", "a/.git": "belongs to git", "a/.GIT/x": "belongs to git", ".amlfix/x": "belongs to git or amlfix", "hooks/x": "belongs to git",
		"file": "is not a folder", "file/x": "not a directory", "dangling": "is a link", "dangling/x": "is a link",
	} {
		t.Run(name, func(t *testing.T) {
			_, top := tree(t, map[string]string{"there/": "", "sym": "-> there", ".git/hooks/h": "", "hooks": "-> .git/hooks", "file": "", "dangling": "-> none"})
			before := contents(t, top)
			err := MakeShared(filepath.Join(top, name), 0o755)
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Fatalf("got %v, want %q", err, want)
			}
			if info, serr := os.Stat(filepath.Join(top, name)); err == nil && (serr != nil || !info.IsDir()) {
				t.Error(serr)
			}
			if err != nil {
				if diff := cmp.Diff(before, contents(t, top)); diff != "" || exists(filepath.Join(top, "none")) || exists(filepath.Join(top, ".git/hooks/x")) {
					t.Error(diff)
				}
			}
		})
	}
}

func TestRemoveOwn(t *testing.T) {
	_, full := tree(t, map[string]string{".amlfix/runs/x": "1"})
	if err := RemoveOwn(full); err == nil || !exists(filepath.Join(full, ".amlfix/runs/x")) {
		t.Errorf("a record is removed: %v", err)
	}
	_, empty := tree(t, map[string]string{".amlfix/": "", "train.py": ""})
	if err := RemoveOwn(empty); err != nil || exists(filepath.Join(empty, ".amlfix")) {
		t.Errorf("%v", err)
	}
}
