//go:build unix

package transaction

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/amlfix/amlfix/schema/testkit"
)

// one returns a transaction that changes one file.
func one(root, name, from, to string) []File {
	f := File{Path: filepath.Join(root, name), New: []byte(to)}
	if from != "" {
		f.Old = []byte(from)
	}
	return []File{f}
}

func commit(t *testing.T, s *Store, files []File) {
	t.Helper()
	testkit.OK(t, s.Commit(files))
}

// TestUndoOneAfterTheOther: two transactions are undone in turn, also when another project and a failed transaction
// came between.
func TestUndoOneAfterTheOther(t *testing.T) {
	root, folder := project(t, map[string]string{"a.compute": "1"})
	s := open(t, folder, root)
	commit(t, s, one(root, "a.compute", "1", "2"))
	if err := s.Commit(one(root, "a.compute", "1", "3")); err == nil {
		t.Error("a file that changed was overwritten")
	}
	commit(t, s, append(one(root, "a.compute", "2", "3"), one(root, "b.yml", "", "b")...))
	for _, want := range []map[string]string{{"a.compute": "2"}, {"a.compute": "1"}} {
		if _, err := s.Undo(); err != nil {
			t.Fatal(err)
		}
		same(t, root, want)
	}
	if _, err := s.Undo(); !errors.Is(err, ErrNothingToUndo) {
		t.Errorf("got %v", err)
	}
	left, err := os.ReadDir(s.dir.Path())
	if err != nil || len(left) != 1 {
		t.Errorf("the store holds %v, %v; want the lock alone", left, err)
	}
}

// TestUndoAfterAnEditIsUndone: an edit stops undo, and nothing is forgotten by it.
func TestUndoAfterAnEditIsUndone(t *testing.T) {
	root, folder := project(t, before)
	s := open(t, folder, root)
	commit(t, s, edit(root))
	for _, edited := range []string{"mine", ""} {
		testkit.Write(t, root, "b.runconfig", edited)
		if _, err := s.Undo(); err == nil {
			t.Fatal("the edit is lost")
		}
	}
	testkit.Write(t, root, "b.runconfig", "new b")
	if _, err := s.Undo(); err != nil {
		t.Fatal(err)
	}
	same(t, root, before)
}

// TestUndoOnFullDisks fills the project's disk, then the store's: nothing changes, nothing is forgotten, and with room
// again undo works.
func TestUndoOnFullDisks(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: a full disk needs root to mount one: run the tests as root")
	}
	for _, full := range []string{"project", "store"} {
		t.Run(full, func(t *testing.T) {
			root, folder := t.TempDir(), t.TempDir()
			small := map[string]string{"project": root, "store": folder}[full]
			if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=256k", "none", small).CombinedOutput(); err != nil {
				t.Skipf("SKIPPED: no file system can be mounted here: %s", out)
			}
			t.Cleanup(func() { _ = exec.Command("umount", "-l", small).Run() })
			old := strings.Repeat("old ", 10_000)
			testkit.Write(t, root, "a.compute", old)
			testkit.Write(t, root, "b.compute", "b")
			s := open(t, folder, root)
			commit(t, s, append(one(root, "a.compute", old, "new"), one(root, "b.compute", "b", "B")...))
			want := testkit.Contents(t, root)
			filler := filepath.Join(small, "filler")
			if err := os.WriteFile(filler, make([]byte, 1<<20), 0o600); err == nil {
				t.Fatal("the disk is not full")
			}
			if full == "project" {
				want = testkit.Contents(t, root)
			}
			_, err := s.Undo()
			switch {
			case full == "project" && (err == nil || !strings.Contains(err.Error(), "no space left")):
				t.Errorf("got %v", err)
			case full == "store" && (err == nil || !strings.Contains(err.Error(), "compute: the undo data cannot be stored in "+folder)):
				t.Errorf("got %v, which does not say whose", err)
			case err != nil:
				same(t, root, want)
			}
			testkit.OK(t, os.Remove(filler))
			if err != nil {
				if _, err := s.Undo(); err != nil {
					t.Fatal(err)
				}
			}
			same(t, root, map[string]string{"a.compute": old, "b.compute": "b"})
		})
	}
}

func TestListAndExpire(t *testing.T) {
	folder := t.TempDir()
	made := map[string]*Store{}
	for _, at := range []struct {
		name string
		age  time.Duration
	}{{"old", 31 * 24 * time.Hour}, {"young", 29 * 24 * time.Hour}, {"new", 0}} {
		root, _ := project(t, map[string]string{"a.compute": "old"})
		s := open(t, folder, root)
		s.now = func() time.Time { return time.Now().Add(-at.age) }
		commit(t, s, one(root, "a.compute", "old", at.name))
		made[s.bases[0]] = s
		names, err := filepath.Glob(filepath.Join(s.dir.Path(), "*", undoName))
		testkit.OK(t, err)
		testkit.OK(t, os.Chtimes(names[0], s.now(), s.now()))
		s.lock.Close()
	}
	names := func() (list []string) {
		for _, r := range List(folder) {
			text, err := os.ReadFile(r.Files[0])
			if err != nil || filepath.Dir(r.Files[0]) != r.Root {
				t.Errorf("%+v, %v", r, err)
			}
			list = append(list, string(text))
		}
		return list
	}
	testkit.Same(t, []string{"new", "young", "old"}, names())
	for _, step := range []struct {
		days string
		want []string
	}{{"60", []string{"new", "young", "old"}}, {"", []string{"new", "young"}}, {"7", []string{"new"}}, {"0", []string{"new"}}} {
		t.Setenv("AMLFIX_UNDO_DAYS", step.days)
		expire(folder)
		testkit.Same(t, step.want, names(), "%q days", step.days)
	}
}

// TestExpireBySize: the oldest go when there is more than is to be kept.
func TestExpireBySize(t *testing.T) {
	root, folder := project(t, nil)
	s := open(t, folder, root)
	large := strings.Repeat("x", 900_000)
	for n := range 3 {
		name := string(rune('a'+n)) + ".yml"
		testkit.Write(t, root, name, large)
		commit(t, s, one(root, name, large, "small"))
	}
	defer func(size int64) { keepSize = size }(keepSize)
	keepSize = 2_000_000
	s.lock.Close()
	expire(folder)
	if got := len(List(folder)); got != 2 {
		t.Errorf("%d are left, want 2", got)
	}
}

// TestExpireHourly checks that nothing is looked at in the first hour, and within an hour of the last time, unless the
// user says how long undo data is kept.
func TestExpireHourly(t *testing.T) {
	folder := t.TempDir()
	stamp, name := filepath.Join(folder, stampName), filepath.Join(folder, "store", "1", undoName)
	for _, c := range []struct {
		when, days string
		ago        time.Duration // since the stamp was made; 0 to leave it as it is
		kept       bool
	}{
		{"the first time", "", 0, true},
		{"the second time", "", 0, true},
		{"two hours later", "", 2 * time.Hour, false},
		{"soon after that", "", 0, true},
		{"with a number of days", "30", 0, false},
	} {
		t.Setenv("AMLFIX_UNDO_DAYS", c.days)
		testkit.Write(t, folder, filepath.Join("store", "1", undoName), "{}")
		testkit.Write(t, folder, filepath.Join("store", "2", undoName), "{}")
		then := time.Now().AddDate(-1, 0, 0)
		testkit.OK(t, os.Chtimes(name, then, then))
		if c.ago > 0 {
			then = time.Now().Add(-c.ago)
			testkit.OK(t, os.Chtimes(stamp, then, then))
		}
		ExpireHourly(folder)
		_, err := os.Stat(name)
		testkit.Same(t, c.kept, err == nil, c.when)
	}
}

// TestRenamed checks that an error keeps what it says besides the path that is renamed.
func TestRenamed(t *testing.T) {
	base := func(path string) string { return filepath.Base(path) }
	for _, c := range []struct {
		err  error
		want string
	}{
		{&PathError{"/p/a.yml", errors.New("is gone")}, "a.yml: is gone"},
		{fmt.Errorf("%w; others stay", &ChangedError{Path: "/p/a.yml"}), "a.yml: changed on disk since it was read, so nothing was written: run the command again; others stay"},
		{instead(fmt.Errorf("%w; others stay", &ChangedError{Path: "/p/a.yml"}), &ChangedError{Path: "/p/a.yml"}, &EditedError{"/p/a.yml"}), (&EditedError{"a.yml"}).Error() + "; others stay"},
		{ErrNothingToUndo, ErrNothingToUndo.Error()},
	} {
		got := Renamed(c.err, base)
		testkit.Same(t, c.want, got.Error())
		for _, kind := range []any{new(*PathError), new(*ChangedError), new(*EditedError)} {
			testkit.Same(t, errors.As(c.err, kind), errors.As(got, kind), "%T", kind)
		}
	}
}

// TestUndoOfNamesThatAreNoText: a name, and the folder of the project, may hold bytes that are not UTF-8.
func TestUndoOfNamesThatAreNoText(t *testing.T) {
	parent, folder := project(t, map[string]string{})
	root, name := filepath.Join(parent, "p\xff"), "a\xfe\n.compute"
	if err := os.Mkdir(root, 0o700); err != nil {
		t.Skip("SKIPPED: names are text here: ", err)
	}
	testkit.OK(t, os.WriteFile(filepath.Join(root, name), []byte("1"), 0o600))
	s := open(t, folder, root)
	commit(t, s, one(root, name, "1", "2"))
	same(t, root, map[string]string{name: "2"})
	if _, err := s.Undo(); err != nil {
		t.Fatal(err)
	}
	same(t, root, map[string]string{name: "1"})
}
