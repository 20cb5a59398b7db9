//go:build unix

package transaction

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/testkit"
)

// project makes a folder with files of the given content, and its store's place.
func project(t *testing.T, files map[string]string) (root, folder string) {
	t.Helper()
	root, err := disk.Real(t.TempDir())
	testkit.OK(t, err)
	for name, text := range files {
		testkit.OK(t, os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755))
		testkit.OK(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o640))
	}
	return root, t.TempDir()
}

func open(t *testing.T, folder, root string) *Store {
	t.Helper()
	s, recovery, err := Open(folder, root)
	if err != nil || recovery != nil {
		t.Fatalf("open: recovery %v, error %v", recovery, err)
	}
	t.Cleanup(s.Close)
	return s
}

func same(t *testing.T, root string, want map[string]string) {
	t.Helper()
	testkit.Same(t, want, testkit.Contents(t, root), "files")
}

var (
	before = map[string]string{"a.compute": "old a", "b.runconfig": "old b", "gone.yml": "old gone"}
	after  = map[string]string{"a.compute": "new a", "b.runconfig": "new b", "made.yml": "made"}
)

// edit returns the transaction from before to after.
func edit(root string) []File {
	return []File{
		{Path: filepath.Join(root, "a.compute"), Old: []byte("old a"), New: []byte("new a")},
		{Path: filepath.Join(root, "b.runconfig"), Old: []byte("old b"), New: []byte("new b")},
		{Path: filepath.Join(root, "made.yml"), New: []byte("made")},
		{Path: filepath.Join(root, "gone.yml"), Old: []byte("old gone")},
	}
}

func TestCommitAndUndo(t *testing.T) {
	root, folder := project(t, before)
	s := open(t, folder, root)
	testkit.OK(t, s.Commit(edit(root)))
	same(t, root, after)
	info, err := os.Stat(filepath.Join(root, "a.compute"))
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v; want it kept", info.Mode(), err)
	}
	paths, err := s.Undo()
	if err != nil || len(paths) != 4 {
		t.Fatalf("undo: %v, %v", paths, err)
	}
	same(t, root, before)
	if _, err := s.Undo(); !errors.Is(err, ErrNothingToUndo) {
		t.Errorf("second undo: %v", err)
	}
}

func TestUndoDataIsPrivate(t *testing.T) {
	root, folder := project(t, before)
	testkit.OK(t, open(t, folder, root).Commit(edit(root)))
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || path == folder {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: mode %v is open to others", path, info.Mode())
		}
		return err
	})
	testkit.OK(t, err)
}

func TestUndoRefusesEditedFiles(t *testing.T) {
	root, folder := project(t, before)
	s := open(t, folder, root)
	testkit.OK(t, s.Commit(edit(root)))
	testkit.OK(t, os.WriteFile(filepath.Join(root, "b.runconfig"), []byte("mine"), 0o644))
	var edited *EditedError
	if _, err := s.Undo(); !errors.As(err, &edited) || filepath.Base(edited.Path) != "b.runconfig" {
		t.Errorf("got %v, want an EditedError that names b.runconfig", err)
	}
	testkit.Same(t, "new a", testkit.Contents(t, root)["a.compute"], "a.compute holds")
}

// TestRefused checks every reason not to write: nothing at all is changed then.
func TestRefused(t *testing.T) {
	for name, test := range map[string]struct {
		prepare func(t *testing.T, root string)
		want    string
	}{
		"changed since read": {func(t *testing.T, root string) { testkit.Write(t, root, "b.runconfig", "theirs") }, "b.runconfig: changed on disk"},
		"deleted since read": {func(t *testing.T, root string) { remove(t, root, "b.runconfig") }, "b.runconfig: changed on disk"},
		"made since read":    {func(t *testing.T, root string) { testkit.Write(t, root, "made.yml", "theirs") }, "made.yml: changed on disk"},
		"made empty":         {func(t *testing.T, root string) { testkit.Write(t, root, "made.yml", "") }, "made.yml: changed on disk"},
		"repaired since":     {func(t *testing.T, root string) { testkit.Write(t, root, "b.runconfig", after["b.runconfig"]) }, "b.runconfig: changed on disk"},
		"read-only": {func(t *testing.T, root string) {
			testkit.OK(t, os.Chmod(filepath.Join(root, "b.runconfig"), 0o444))
		}, "b.runconfig: is read-only"},
		"link out of the project": {func(t *testing.T, root string) {
			outside := filepath.Join(t.TempDir(), "x")
			testkit.OK(t, os.WriteFile(outside, []byte("old b"), 0o644))
			remove(t, root, "b.runconfig")
			testkit.OK(t, os.Symlink(outside, filepath.Join(root, "b.runconfig")))
		}, "b.runconfig is a link"},
		"hard links": {func(t *testing.T, root string) {
			if err := os.Link(filepath.Join(root, "b.runconfig"), filepath.Join(t.TempDir(), "b")); err != nil {
				t.Skipf("SKIPPED: %v", err)
			}
		}, "b.runconfig: has 2 hard links"},
		"a pipe": {func(t *testing.T, root string) {
			remove(t, root, "made.yml")
			remove(t, root, "gone.yml")
			testkit.OK(t, os.MkdirAll(filepath.Join(root, "gone.yml"), 0o755))
		}, "gone.yml: is not a regular file"},
	} {
		t.Run(name, func(t *testing.T) {
			root, folder := project(t, before)
			test.prepare(t, root)
			want := testkit.Contents(t, root)
			err := open(t, folder, root).Commit(edit(root))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
			if changed, ok := errors.AsType[*ChangedError](err); ok && changed.Repaired != (name == "repaired since") {
				t.Errorf("another amlfix repaired it: %t", changed.Repaired)
			}
			same(t, root, want)
		})
	}
}

func remove(t *testing.T, root, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(root, name)); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
}

// TestFailedRename makes the second of several renames fail: the first file must get its old content back.
func TestFailedRename(t *testing.T) {
	root, folder := project(t, before)
	s := open(t, folder, root)
	places := 0
	s.step = func(name string) {
		if name == "put in place" {
			if places++; places == 2 {
				// a temporary file vanishes, as on a network share that drops
				for _, temp := range temporaries(t, root) {
					if text, err := os.ReadFile(temp); err == nil && string(text) == "new b" {
						remove(t, "", temp)
					}
				}
			}
		}
	}
	if err := s.Commit(edit(root)); err == nil || !strings.Contains(err.Error(), "b.runconfig: cannot be written") {
		t.Errorf("got %v", err)
	}
	same(t, root, before)
}

func temporaries(t *testing.T, root string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(root, ".amlfix-*"))
	testkit.OK(t, err)
	return names
}

// TestReadOnlyDisk: what failed on a read-only file system leaves nothing to recover, and what is to be recovered there
// is said to be.
func TestReadOnlyDisk(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: a read-only disk needs root to mount one: run the tests as root")
	}
	root, folder := project(t, nil)
	if out, err := exec.Command("mount", "-t", "tmpfs", "none", root).CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: no file system can be mounted here: %s", out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", root).Run() })
	remount := func(how string) { testkit.OK(t, exec.Command("mount", "-o", "remount,"+how, root).Run()) }
	for name, text := range before {
		testkit.Write(t, root, name, text)
	}
	remount("ro")
	s := open(t, folder, root)
	if err := s.Commit(edit(root)); err == nil || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("got %v, want read-only", err)
	}
	s.Close()
	open(t, folder, root).Close()
	remount("rw")
	for step := 1; len(temporaries(t, root)) == 0; step++ {
		if err := spawn(t, root, folder, "commit", step).Run(); !killed(err) {
			t.Fatalf("no step leaves a file: %v", err)
		}
	}
	remount("ro")
	if _, _, err := Open(folder, root); err == nil || !strings.Contains(err.Error(), ": an interrupted repair can be neither finished nor undone: read-only file system") {
		t.Errorf("got %v", err)
	}
	remount("rw")
	if s, recovery, err := Open(folder, root); err != nil || recovery == nil {
		t.Errorf("%v, %v", recovery, err)
	} else {
		s.Close()
	}
}

func TestFullDisk(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: a full disk needs root to mount one: run the tests as root")
	}
	root := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=64k", "none", root).CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: no file system can be mounted here: %s", out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", root).Run() })
	testkit.Write(t, root, "a.compute", "old a")
	testkit.Write(t, root, "b.runconfig", "old b")
	want := testkit.Contents(t, root)
	err := open(t, t.TempDir(), root).Commit([]File{
		{Path: filepath.Join(root, "a.compute"), Old: []byte("old a"), New: []byte("new a")},
		{Path: filepath.Join(root, "b.runconfig"), Old: []byte("old b"), New: make([]byte, 1<<20)},
	})
	if err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("got %v, want no space left", err)
	}
	same(t, root, want)
}

// TestLinksAreNotWrittenThrough: neither a link to a file of the project, nor a folder that is one, nor one that
// appears before undo.
func TestLinksAreNotWrittenThrough(t *testing.T) {
	t.Run("file", func(t *testing.T) {
		root, folder := project(t, map[string]string{"real/a.compute": "old a"})
		link(t, filepath.Join("real", "a.compute"), filepath.Join(root, "a.compute"))
		err := open(t, folder, root).Commit([]File{{Path: filepath.Join(root, "a.compute"), Old: []byte("old a"), New: []byte("new a")}})
		if err == nil || !strings.Contains(err.Error(), "is a link") {
			t.Errorf("got %v", err)
		}
		same(t, root, map[string]string{"a.compute": "old a", "real/a.compute": "old a"})
	})
	t.Run("folder", func(t *testing.T) {
		root, folder := project(t, map[string]string{".git/hooks/pre-commit": "old a"})
		link(t, filepath.Join(".git", "hooks"), filepath.Join(root, "aml_config"))
		err := open(t, folder, root).Commit([]File{{Path: filepath.Join(root, "aml_config", "pre-commit"), Old: []byte("old a"), New: []byte("new a")}})
		if err == nil || !strings.Contains(err.Error(), "is a link") {
			t.Errorf("got %v", err)
		}
		same(t, filepath.Join(root, ".git"), map[string]string{"hooks/pre-commit": "old a"})
	})
	t.Run("before undo", func(t *testing.T) {
		root, folder := project(t, map[string]string{"aml_config/a.compute": "old a", ".git/hooks/a.compute": "new a"})
		s := open(t, folder, root)
		testkit.OK(t, s.Commit([]File{{Path: filepath.Join(root, "aml_config", "a.compute"), Old: []byte("old a"), New: []byte("new a")}}))
		testkit.OK(t, os.RemoveAll(filepath.Join(root, "aml_config")))
		link(t, filepath.Join(".git", "hooks"), filepath.Join(root, "aml_config"))
		if _, err := s.Undo(); err == nil || !strings.Contains(err.Error(), "is a link") {
			t.Errorf("got %v", err)
		}
		same(t, filepath.Join(root, ".git"), map[string]string{"hooks/a.compute": "new a"})
	})
}

// TestReserved: what git runs and amlfix believes is not written to.
func TestReserved(t *testing.T) {
	for _, name := range []string{".git/config", "sub/.git/config", ".GIT/config", ".amlfix/runs/x/record.json", ".git"} {
		root, folder := project(t, map[string]string{name: "old"})
		err := open(t, folder, root).Commit([]File{{Path: filepath.Join(root, name), Old: []byte("old"), New: []byte("new")}})
		if err == nil || !strings.Contains(err.Error(), "belongs to git or amlfix") {
			t.Errorf("%s: got %v", name, err)
		}
		same(t, root, map[string]string{name: "old"})
	}
}

func link(t *testing.T, target, name string) {
	t.Helper()
	testkit.OK(t, os.Symlink(target, name))
}

func TestOwnerIsKept(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: only root can give files away: run the tests as root")
	}
	root, folder := project(t, map[string]string{"a.compute": "old a"})
	name := filepath.Join(root, "a.compute")
	testkit.OK(t, os.Chown(name, 65534, 65534))
	testkit.OK(t, open(t, folder, root).Commit([]File{{Path: name, Old: []byte("old a"), New: []byte("new a")}}))
	info, err := os.Stat(name)
	if err != nil || info.Sys().(*syscall.Stat_t).Uid != 65534 {
		t.Errorf("owner changed: %v, %v", info.Sys(), err)
	}
}

// TestOwnerStays: who cannot give a file back to its owner or its group does not repair it. The child has given up
// root's rights.
func TestOwnerStays(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: only root can make files of two users: run the tests as root")
	}
	for name, tt := range map[string]struct {
		uid, gid int
		mode     os.FileMode
		done     bool
	}{
		"own file":                            {65534, 65534, 0o640, true},
		"own file that gives away its rights": {65534, 65534, 0o755 | os.ModeSetuid | os.ModeSetgid, true},
		"another user's":                      {0, 65534, 0o664, false}, "another group's": {65534, 0, 0o660, false},
		"one that everybody may write": {0, 0, 0o666, true}, "one that gives away its owner's rights": {0, 0, 0o777 | os.ModeSetuid, false},
	} {
		t.Run(name, func(t *testing.T) {
			root, folder := project(t, before)
			for dir := root; dir != os.TempDir(); dir = filepath.Dir(dir) {
				testkit.OK(t, errors.Join(os.Chmod(dir, 0o777), os.Chmod(folder, 0o777), os.Chmod(filepath.Dir(folder), 0o777)))
			}
			for name := range before {
				testkit.OK(t, errors.Join(os.Chown(filepath.Join(root, name), 65534, 65534), os.Chmod(filepath.Join(root, name), 0o644)))
			}
			testkit.OK(t, errors.Join(os.Chown(filepath.Join(root, "b.runconfig"), tt.uid, tt.gid), os.Chmod(filepath.Join(root, "b.runconfig"), tt.mode)))
			cmd := spawn(t, root, folder, "commit", 0)
			cmd.Path = "/proc/self/exe" // the folder of the test binary is root's alone
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
			var said strings.Builder
			cmd.Stderr = &said
			err := cmd.Run()
			if (err == nil) != tt.done || !tt.done && !strings.Contains(said.String(), "b.runconfig: cannot be written: belongs to another user or group") {
				t.Errorf("got %v, %s", err, said.String())
			}
			info, err := os.Stat(filepath.Join(root, "b.runconfig"))
			testkit.OK(t, err)
			if owner := info.Sys().(*syscall.Stat_t); tt.mode != 0o666 && (int(owner.Uid) != tt.uid || int(owner.Gid) != tt.gid) || info.Mode() != tt.mode {
				t.Errorf("it belongs to %d and %d now, with mode %v", owner.Uid, owner.Gid, info.Mode())
			}
			if !tt.done {
				same(t, root, before)
			}
		})
	}
}

// TestProjectOfGit: a project that is in git's own folder, or that goes while it is read, is refused in a sentence.
func TestProjectOfGit(t *testing.T) {
	top, folder := project(t, map[string]string{".git/modules/x/a.compute": "old", "gone/a.compute": "old"})
	for name, want := range map[string]string{".git/modules/x": "belongs to git", "gone": "no such file"} {
		root := filepath.Join(top, name)
		s := open(t, folder, root)
		if name == "gone" {
			testkit.OK(t, os.RemoveAll(root))
		}
		err := s.Commit([]File{{Path: filepath.Join(root, "a.compute"), Old: []byte("old"), New: []byte("new")}})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), root) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	same(t, top, map[string]string{".git/modules/x/a.compute": "old"})
}

// TestOutside: a path that leads out of the project is written only below a folder that the user named.
func TestOutside(t *testing.T) {
	dir, folder := project(t, map[string]string{"shared/conda.yml": "old", "p/a.compute": "a"})
	name := filepath.Join(dir, "p", "..", "shared", "conda.yml")
	files := []File{{Path: name, Old: []byte("old"), New: []byte("new")}}
	if err := open(t, folder, filepath.Join(dir, "p")).Commit(files); err == nil || !strings.Contains(err.Error(), "outside the project") {
		t.Errorf("got %v", err)
	}
	same(t, dir, map[string]string{"shared/conda.yml": "old", "p/a.compute": "a"})
	s, _, err := Open(t.TempDir(), filepath.Join(dir, "p"), dir)
	testkit.OK(t, err)
	defer s.Close()
	testkit.OK(t, s.Commit(files))
	same(t, dir, map[string]string{"shared/conda.yml": "new", "p/a.compute": "a"})
	if _, err := s.Undo(); err != nil {
		t.Fatal(err)
	}
	same(t, dir, map[string]string{"shared/conda.yml": "old", "p/a.compute": "a"})
}

// TestFolderSwapped: a folder of which a link has taken the place is not written through, whenever that happens, even
// if the same files are where the link leads.
func TestFolderSwapped(t *testing.T) {
	for _, swapped := range []string{"repository", "repository/p"} {
		for _, when := range []string{"before Open", "after Open", "before Undo"} {
			dir, folder := project(t, map[string]string{"repository/p/a.compute": "old a", "outside/p/a.compute": "old a", "outside/a.compute": "old a"})
			root := filepath.Join(dir, "repository", "p")
			swap := func(at string) {
				if at == when {
					testkit.OK(t, os.Rename(filepath.Join(dir, swapped), filepath.Join(dir, "moved")))
					testkit.OK(t, os.Symlink(filepath.Join(dir, "outside"), filepath.Join(dir, swapped)))
				}
			}
			swap("before Open")
			s := open(t, folder, root)
			swap("after Open")
			err := s.Commit([]File{{Path: filepath.Join(root, "a.compute"), Old: []byte("old a"), New: []byte("new a")}})
			if when == "before Undo" {
				testkit.OK(t, err)
				swap("before Undo")
				testkit.Write(t, dir, "outside/p/a.compute", "new a")
				testkit.Write(t, dir, "outside/a.compute", "new a")
				_, err = s.Undo()
			}
			if link := new(disk.LinkError); !errors.As(err, &link) {
				t.Errorf("%s, %s: got %v", swapped, when, err)
			}
			want := map[string]string{"before Undo": "new a"}[when]
			for name, text := range testkit.Contents(t, filepath.Join(dir, "outside")) {
				testkit.Same(t, cmp.Or(want, "old a"), text, "%s, %s: %s", swapped, when, name)
			}
		}
	}
}

// TestAttributes: the setuid bit, extended attributes and the mode of a file stay.
func TestAttributes(t *testing.T) {
	root, folder := project(t, map[string]string{"a.compute": "old a"})
	name := filepath.Join(root, "a.compute")
	testkit.OK(t, os.Chmod(name, 0o751|os.ModeSetuid|os.ModeSetgid))
	if err := unix.Setxattr(name, "user.note", []byte("mine"), 0); err != nil {
		t.Skipf("SKIPPED: no extended attributes here: %v", err)
	}
	s := open(t, folder, root)
	check := func(when string) {
		t.Helper()
		info, err := os.Stat(name)
		if err != nil || info.Mode() != 0o751|os.ModeSetuid|os.ModeSetgid {
			t.Errorf("%s: mode %v, %v", when, info.Mode(), err)
		}
		value := make([]byte, 9)
		if n, err := unix.Getxattr(name, "user.note", value); err != nil || string(value[:n]) != "mine" {
			t.Errorf("%s: attribute %q, %v", when, value[:n], err)
		}
	}
	testkit.OK(t, s.Commit([]File{{Path: name, Old: []byte("old a"), New: []byte("new a")}}))
	check("after a commit")
	if _, err := s.Undo(); err != nil {
		t.Fatal(err)
	}
	check("after undo")
}

// TestAdvice checks that no folder is blamed where there are too many open files.
func TestAdvice(t *testing.T) {
	for err, want := range map[error]string{syscall.EMFILE: "raise the limit of open files, as with ulimit -n 1024", syscall.EACCES: "another folder"} {
		testkit.Same(t, want, advice(&fs.PathError{Op: "open", Path: "lock", Err: err}, "another folder"))
	}
}
