//go:build unix

package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/testkit"
)

// tree makes files below a new folder: a name that ends in "/" is a folder, a text that begins with "-> " a link.
func tree(t *testing.T, files map[string]string) (*Dir, string) {
	t.Helper()
	top := t.TempDir()
	for name, text := range files {
		full := filepath.Join(top, name)
		testkit.OK(t, os.MkdirAll(filepath.Dir(full), 0o755))
		var err error
		switch target, isLink := strings.CutPrefix(text, "-> "); {
		case strings.HasSuffix(name, "/"):
			err = os.MkdirAll(full, 0o755)
		case isLink:
			err = os.Symlink(target, full)
		default:
			err = os.WriteFile(full, []byte(text), 0o644)
		}
		testkit.OK(t, err)
	}
	d, err := Open(top)
	testkit.OK(t, err)
	t.Cleanup(d.Close)
	return d, top
}

// contents returns what is below a folder, links as "-> target".
func contents(t *testing.T, top string) map[string]string {
	t.Helper()
	got := map[string]string{}
	err := filepath.WalkDir(top, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(top, name)
		if e.Type()&fs.ModeSymlink != 0 {
			target, err := os.Readlink(name)
			got[rel] = "-> " + target
			return err
		}
		if !e.Type().IsRegular() {
			got[rel] = e.Type().String()
			return nil
		}
		text, err := os.ReadFile(name)
		got[rel] = string(text)
		return err
	})
	testkit.OK(t, err)
	return got
}

// changes are all the ways in which something below a Dir can be changed.
var changes = map[string]func(*Dir, string) error{
	"Create":      func(d *Dir, name string) error { return closed(d.Create(name, 0o644)) },
	"Link":        func(d *Dir, name string) error { return d.Link(filepath.Join(filepath.Dir(name), "free"), d, name) },
	"Edit":        func(d *Dir, name string) error { return wrote(d.Edit(name, 0o644, false)) },
	"append":      func(d *Dir, name string) error { return wrote(d.Edit(name, 0o644, true)) },
	"WriteNew":    func(d *Dir, name string) error { return d.WriteNew(name, []byte("x"), 0o644) },
	"WriteSoon":   func(d *Dir, name string) error { return d.WriteSoon(name, []byte("x"), 0o644) },
	"Replace":     func(d *Dir, name string) error { return d.Replace(name, []byte("x"), 0o644) },
	"ReplaceSoon": func(d *Dir, name string) error { return d.ReplaceSoon(name, []byte("x"), 0o644) },
	"Mkdir":       func(d *Dir, name string) error { return d.Mkdir(name, 0o755) },
	"MakeSub":     func(d *Dir, name string) error { return sub(d.MakeSub(name, 0o755)) },
	"Remove":      func(d *Dir, name string) error { return d.Remove(name) },
	"RemoveAll":   func(d *Dir, name string) error { return d.RemoveAll(name) },
	"Rename from": func(d *Dir, name string) error { return d.Rename(name, filepath.Join(filepath.Dir(name), "new")) },
	"Rename to":   func(d *Dir, name string) error { return d.Rename(filepath.Join(filepath.Dir(name), "free"), name) },
	"MoveNew": func(d *Dir, name string) error {
		return d.MoveNew(filepath.Join(filepath.Dir(name), "free"), name)
	},
	"MakeAll": func(d *Dir, name string) error {
		return d.MakeAll([]File{{"first", []byte("x")}, {"made/second", nil}, {name, []byte("x")}})
	},
	"MakeFolder": func(d *Dir, name string) error { return d.MakeFolder(name, []File{{"a/b", []byte("x")}}) },
	"Update": func(d *Dir, name string) error {
		old, err := d.ReadFile(name, 1<<20)
		if err != nil {
			old = nil
		}
		return d.Update(name, old, []byte("new"))
	},
	"Symlink": func(d *Dir, name string) error { return d.Symlink("x", name) },
	"Lock":    func(d *Dir, name string) error { return unlocked(d.Lock(name, 0)) },
	"SetTime": func(d *Dir, name string) error { return d.SetTime(name, time0) },
	"Slot": func(d *Dir, name string) error {
		s := Slot{Dir: d, Name: name, Temp: filepath.Join(filepath.Dir(name), TempName()), Mode: 0o644}
		old, err := s.Look(1 << 20)
		if err == nil {
			err = s.Stage([]byte("x"))
		}
		if err == nil {
			err = errors.Join(s.Place(old, []byte("x")), s.Drop())
		}
		return err
	},
}

// TestNoWayOut tries every change on every place that is not to be written to: it is refused, and nothing anywhere is
// changed.
func TestNoWayOut(t *testing.T) {
	outside := t.TempDir()
	testkit.OK(t, os.WriteFile(filepath.Join(outside, "free"), []byte("theirs"), 0o644))
	files := map[string]string{
		"free": "ours", "aml_config/free": "ours", "real/free": "ours", ".git/free": "git", ".git/hooks/free": "git", "sub/.git/config": "git",
		".amlfix/runs/r/record.json": "record",
		"out":                        "-> " + outside, "up": "-> ..", "abs": "-> /", "hooks": "-> .git/hooks", "inside": "-> real", "config": "-> sub/.git",
		"chain": "-> inside", "loop": "-> loop",
	}
	for _, name := range []string{
		"out/free", "out/new", "up/free", "abs/etc/new", "hooks/free", "hooks/new", "inside/free", "inside/new", "chain/free", "config/config", "loop/x",
		".git/free", ".git/new", ".git/hooks/free", ".git", "sub/.git", "sub/.git/config", ".GIT/new", ".Git", ".git./new", ".git /new", ".git::$INDEX_ALLOCATION/new",
		"GIT~1/new", ".g\u200cit/new", ".git\ufeff", "sub/.GIT/config",
		".amlfix/runs/r/record.json", ".amlfix", ".AMLFIX/new", "AMLFIX~1/new", "sub/.amlfix/x",
		"../free", "..", "/etc/new", "sub/../../x", "a\x00b", "", "sub/../.git/new",
	} {
		d, top := tree(t, files)
		before, beyond := contents(t, top), contents(t, outside)
		for how, change := range changes {
			if err := change(d, name); err == nil {
				t.Errorf("%s of %q was not refused", how, name)
			}
			testkit.Same(t, before, contents(t, top), "%s of %q", how, name)
			testkit.Same(t, beyond, contents(t, outside), "%s of %q outside", how, name)
		}
	}
}

// TestAllowed shows that the changes of TestNoWayOut do work elsewhere.
func TestAllowed(t *testing.T) {
	for how, change := range changes {
		d, top := tree(t, map[string]string{"sub/free": "ours", "sub/there": "ours", "sub/.amlfix.yaml": "", "sub/.gitignore": ""})
		name := map[bool]string{true: "sub/there", false: "sub/new"}[strings.HasPrefix(how, "Rem") || how == "Rename from" || how == "SetTime"]
		before := contents(t, top)
		if err := change(d, name); err != nil {
			t.Errorf("%s: %v", how, err)
		}
		if how != "Mkdir" && how != "MakeSub" && how != "SetTime" && cmp.Equal(before, contents(t, top)) {
			t.Errorf("%s changed nothing", how)
		}
	}
}

// TestNotThroughLinks: a link, a pipe and a folder in a file's place are refused.
func TestNotThroughLinks(t *testing.T) {
	for how, change := range changes {
		if how == "Remove" || how == "RemoveAll" || strings.HasPrefix(how, "Rename") || how == "SetTime" {
			continue // they are about the entry itself
		}
		d, top := tree(t, map[string]string{"target": "ours", "link": "-> target", "dangling": "-> nothing", "free": "x"})
		testkit.OK(t, syscall.Mkfifo(filepath.Join(top, "pipe"), 0o644))
		before := contents(t, top)
		for _, name := range []string{"link", "dangling", "pipe"} {
			if err := change(d, name); err == nil {
				t.Errorf("%s: %s was not refused", how, name)
			}
		}
		testkit.Same(t, before, contents(t, top), "%s changed", how)
	}
}

// TestOpenResolvesOnce: a link that the user names is followed, git's folder not.
func TestOpenResolvesOnce(t *testing.T) {
	_, top := tree(t, map[string]string{"real/a": "1", "sym": "-> real", ".git/hooks/x": "", "hooks": "-> .git/hooks", "file": ""})
	d, err := Open(filepath.Join(top, "sym"))
	testkit.OK(t, err)
	defer d.Close()
	if err := d.WriteNew("b", []byte("2"), 0o644); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(filepath.Join(top, "real", "b")); string(text) != "2" {
		t.Errorf("%q, %v", text, err)
	}
	for name, want := range map[string]string{"hooks": "belongs to git", ".git": "belongs to git", ".git/hooks": "belongs to git", "none": "no such file", "file": "not a directory"} {
		if d, err := Open(filepath.Join(top, name)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v; want %q", name, d, err, want)
		}
	}
}

// swap exchanges an entry of a folder with the entry link again and again, until stop.
func swap(d *Dir, name string) (stop func() error) {
	over, done := make(chan bool), make(chan error, 1)
	go func() {
		for {
			select {
			case <-over:
				done <- nil
				return
			default:
				if err := exchange(d.root, name, "link"); err != nil {
					done <- err
					return
				}
			}
		}
	}()
	return func() error {
		close(over)
		return <-done
	}
}

// TestFolderSwapped: while a folder and a link are swapped again and again, files land in the folder or nowhere.
func TestFolderSwapped(t *testing.T) {
	d, top := tree(t, map[string]string{"aml_config/": "", "link": "-> .git/hooks", ".git/hooks/": ""})
	stop := swap(d, "aml_config")
	made, refused := 0, 0
	for n, start := 0, time.Now(); n < 5000 || (made == 0 || refused == 0) && time.Since(start) < time.Minute; n++ {
		if d.WriteNew(fmt.Sprintf("aml_config/x%d", n), nil, 0o755) == nil {
			made++
		} else {
			refused++
		}
	}
	if err := stop(); err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	for name := range contents(t, filepath.Join(top, ".git")) {
		t.Errorf("%s was written", name)
	}
	if made == 0 || refused == 0 {
		t.Errorf("%d were written and %d refused: both were to happen", made, refused)
	}
}

// TestRealPathSwapped: while a folder, or one above it, and a link to the outside are swapped again and again, OpenReal
// opens the folder or refuses.
func TestRealPathSwapped(t *testing.T) {
	for _, in := range []string{".", "a"} {
		d, _ := tree(t, map[string]string{"a/b/ours": "", "outside/b/theirs": "", "outside/theirs": "", "link": "-> outside", "a/link": "-> ../outside"})
		parent, err := d.Sub(in)
		testkit.OK(t, err)
		defer parent.Close()
		stop := swap(parent, map[string]string{".": "a", "a": "b"}[in])
		opened, refused := 0, 0
		for n, start := 0, time.Now(); n < 5000 || (opened == 0 || refused == 0) && time.Since(start) < time.Minute; n++ {
			got, err := OpenReal(d.Name("a/b"))
			if err != nil {
				refused++
				continue
			}
			opened++
			if got.Exists("theirs") {
				t.Errorf("in %s: the outside was opened", in)
			}
			got.Close()
		}
		if err := stop(); err != nil {
			t.Skipf("SKIPPED: %v", err)
		}
		if opened == 0 || refused == 0 {
			t.Errorf("in %s: opened %d times and refused %d times: both were to happen", in, opened, refused)
		}
	}
}

// TestReadWhileReplaced reads a file that another process keeps replacing as a whole: it is never taken for a link.
func TestReadWhileReplaced(t *testing.T) {
	d, err := Open(t.TempDir())
	testkit.OK(t, err)
	defer d.Close()
	testkit.OK(t, d.Replace("record", []byte("0"), 0o600))
	over, writer := make(chan struct{}), sync.WaitGroup{}
	writer.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-over:
				return
			default:
				if err := d.ReplaceSoon("record", fmt.Append(nil, i), 0o600); err != nil {
					t.Error(err)
					return
				}
			}
		}
	})
	for range 20_000 {
		if _, err := d.ReadFile("record", 100); err != nil {
			t.Error(err)
			break
		}
	}
	close(over)
	writer.Wait()
}

func TestOpenOwn(t *testing.T) {
	for name, test := range map[string]struct {
		files map[string]string
		want  string
	}{
		"absent":            {nil, ""},
		"there":             {map[string]string{".amlfix/runs/": ""}, ""},
		"a link":            {map[string]string{".amlfix": "-> elsewhere", "elsewhere/": ""}, "is a link"},
		"a dangling link":   {map[string]string{".amlfix": "-> elsewhere"}, "is a link"},
		"a file":            {map[string]string{".amlfix": "x"}, "is not a folder"},
		"of another user's": {map[string]string{".amlfix/": "", "theirs": ""}, "belongs to another user"},
	} {
		t.Run(name, func(t *testing.T) {
			_, top := tree(t, test.files)
			if _, theirs := test.files["theirs"]; theirs {
				if err := os.Chown(filepath.Join(top, ".amlfix"), 65534, 65534); err != nil {
					t.Skipf("SKIPPED: only root can give files away: run the tests as root: %v", err)
				}
			}
			own, err := OpenOwn(top, true)
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Fatalf("got %v, want %q", err, test.want)
			}
			if err == nil {
				defer own.Close()
				if err := own.WriteNew("runs-x", nil, 0o600); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func TestRemoveAllOfLockedFolders(t *testing.T) {
	d, top := tree(t, map[string]string{"job/a/b": "x", "keep": "y"})
	for _, name := range []string{"job/a", "job"} {
		testkit.OK(t, os.Chmod(filepath.Join(top, name), 0))
	}
	if err := d.RemoveAll("job"); err != nil {
		t.Error(err)
	}
	testkit.Same(t, map[string]string{"keep": "y"}, contents(t, top))
}

func TestLock(t *testing.T) {
	d, _ := tree(t, nil)
	first, err := d.Lock("lock", 0)
	if err != nil || !d.Locked("lock") || d.Locked("other") {
		t.Fatal(err, d.Locked("lock"), d.Locked("other"))
	}
	if _, err := d.Lock("lock", 0); !errors.Is(err, ErrBusy) {
		t.Errorf("got %v", err)
	}
	first.Close()
	second, err := d.Lock("lock", 0)
	testkit.OK(t, err)
	second.Close()
}

// TestReadFails reads a file that can be opened, but not read, as on a damaged disk.
func TestReadFails(t *testing.T) {
	const name = "/proc/self/mem" // nothing is mapped at its beginning
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		t.Skip("SKIPPED: no such file on this system")
	}
	for _, read := range []func(string, int) ([]byte, int64, error){ReadUpTo, ReadListed} {
		if text, _, err := read(name, 100); err == nil || text != nil {
			t.Errorf("got %q and %v", text, err)
		}
	}
}
