//go:build linux

package store

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/schema/testkit"
)

// names are path elements: few, so that files and folders collide.
var names = []string{"a", "b", "c", "a b", "new\nline", "\xff\xfe", "-rf", "*", "é", "outputs", ".hidden", `quote'"`, "tab\t", "x.tmp"}

// world is a folder that is changed at random.
type world struct {
	t   *testing.T
	dir string
	*rand.Rand
}

func (w *world) all() (paths []string) {
	_ = filepath.WalkDir(w.dir, func(name string, _ fs.DirEntry, err error) error {
		if err == nil && name != w.dir {
			paths = append(paths, name)
		}
		return nil
	})
	return paths
}

// some returns a path, mostly of something that exists.
func (w *world) some() string {
	if all := w.all(); len(all) > 0 && w.IntN(3) > 0 {
		return all[w.IntN(len(all))]
	}
	return w.place()
}

func (w *world) place() string {
	dir := w.dir
	for range w.IntN(3) {
		dir = filepath.Join(dir, names[w.IntN(len(names))])
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		dir = w.dir
	}
	return filepath.Join(dir, names[w.IntN(len(names))])
}

// content returns one of few contents, so that some files are equal.
func (w *world) content() []byte {
	return bytes.Repeat([]byte{byte(w.IntN(4))}, []int{0, 1, 100, 100, 70_000}[w.IntN(5)])
}

// change makes one change, or none if something is in the way. It leaves no unreadable file in the project.
func (w *world) change() {
	at := w.some()
	switch w.IntN(11) {
	case 0, 1:
		_ = os.WriteFile(w.place(), w.content(), []fs.FileMode{0o644, 0o755, 0o600}[w.IntN(3)])
	case 2:
		_ = os.RemoveAll(at)
	case 3:
		_ = os.Rename(at, w.place())
	case 4:
		_ = os.Chmod(at, []fs.FileMode{0o700, 0o755, 0o777}[w.IntN(3)])
	case 5:
		_ = os.Symlink([]string{"a", "b", "../a", "nowhere"}[w.IntN(4)], w.place())
	case 6: // another content with the same size and time
		if info, err := os.Lstat(at); err == nil && info.Mode().IsRegular() {
			_ = os.WriteFile(at, bytes.Repeat([]byte{byte(w.IntN(4))}, int(info.Size())), 0o644)
			_ = os.Chtimes(at, info.ModTime(), info.ModTime())
		}
	case 7:
		now := time.Unix(int64(w.IntN(1<<31)), int64(w.IntN(1e9)))
		if info, err := os.Lstat(at); err == nil && info.Mode()&fs.ModeSymlink == 0 {
			_ = os.Chtimes(at, now, now)
		}
	case 8: // a file becomes a folder
		if err := os.Remove(at); err == nil {
			_ = os.MkdirAll(filepath.Join(at, "in it"), 0o755)
		}
	case 9:
		if f, err := os.OpenFile(at, os.O_WRONLY|unix.O_NONBLOCK, 0); err == nil {
			_, _ = f.WriteAt([]byte("changed in place"), int64(w.IntN(10)))
			_ = f.Close()
		}
	case 10:
		_ = os.Link(at, w.place())
	}
}

// spoil does what a job may do in addition.
func (w *world) spoil() {
	w.change()
	at := w.some()
	switch w.IntN(8) {
	case 0:
		_ = os.Chmod(at, 0)
	case 1:
		_ = unix.Mkfifo(at, 0o600)
	case 2:
		_ = os.WriteFile(filepath.Join(w.dir, Mark), nil, 0o644)
	case 3: // a folder is replaced by a link to it
		away := filepath.Join(w.t.TempDir(), "away")
		if os.Rename(at, away) == nil {
			_ = os.Symlink(away, at)
		}
	}
}

// unpack writes a project to a folder as its machine does.
func unpack(t *testing.T, snap project.Snapshot, o project.TarOptions, dir string) {
	t.Helper()
	r, w := io.Pipe()
	go func() { _ = w.CloseWithError(snap.Tar(t.Context(), w, o)) }()
	cmd := exec.Command("tar", "-xf", "-", "-C", dir)
	cmd.Stdin = r
	testkit.Output(t, cmd)
}

// look lists what a job sees.
func look(t *testing.T, dir string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		if strings.HasPrefix(rel, ".amlfix") {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		line := fmt.Sprintf("%q %v", rel, info.Mode())
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			to, _ := os.Readlink(name)
			line += " -> " + to
		case info.Mode().IsRegular():
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			var stat unix.Stat_t
			testkit.OK(t, unix.Lstat(name, &stat))
			line += fmt.Sprintf(" %d %d %x", stat.Nlink, info.ModTime().UnixNano(), text)
		}
		list = append(list, line)
		return nil
	})
	testkit.OK(t, err)
	slices.Sort(list)
	return list
}

// compare runs the script on a folder.
func compare(t *testing.T, dir string, request []byte) []byte {
	t.Helper()
	cmd := exec.Command("python3", "-ESc", Script, dir)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(request), os.Stderr
	said, err := cmd.Output()
	testkit.OK(t, err)
	return said
}

// seeds returns how many projects to try.
func seeds() int {
	if os.Getenv("AMLFIX_TEST_FULL") != "" {
		return 200
	}
	return 4
}

// TestJobSeesTheProject runs random jobs of a project that changes at random, and checks what each of them sees.
func TestJobSeesTheProject(t *testing.T) {
	testkit.Program(t, "python3")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	kept, sent := 0, 0
	for seed := range uint64(seeds()) {
		random := rand.New(rand.NewPCG(seed, 0))
		dir, tree := t.TempDir(), t.TempDir()
		in := &world{t, dir, random}
		for range 30 {
			in.change()
		}
		for round := range 8 {
			_ = os.RemoveAll(filepath.Join(dir, "outputs")) // neither a link nor a file
			snap, err := project.Scan(dir)
			testkit.OK(t, err)
			snap.Add(".amlfix/own.py", []byte("own"))
			use := Begin(t.Context(), "here", fmt.Sprint(seed), snap, false)
			if (round == 0) != (use.Request() == nil) {
				t.Fatalf("seed %d round %d: %v", seed, round, use.Request())
			}
			if use.Request() != nil {
				testkit.OK(t, use.Found(compare(t, tree, use.Request())))
			}
			for _, p := range use.wanted {
				if use.toSend == nil || use.toSend[p.Path] {
					sent++
				} else {
					kept++
				}
			}
			unpack(t, snap, use.Options(project.TarOptions{}), tree)
			begun := time.Now()
			whole := t.TempDir()
			unpack(t, snap, project.TarOptions{}, whole)
			testkit.Same(t, look(t, whole), look(t, tree), fmt.Sprintf("seed %d round %d", seed, round))
			job := &world{t, tree, random}
			for range random.IntN(8) {
				job.spoil()
			}
			if round == 5 { // this job changed nothing
				testkit.OK(t, use.Keep(begun.Add(-time.Hour))) // the clock has jumped
			} else {
				testkit.OK(t, use.Keep(begun))
			}
			use.Close()
			for range random.IntN(6) {
				in.change()
			}
		}
	}
	if kept < sent/5 {
		t.Errorf("%d files were kept, and %d sent: hardly anything is tried", kept, sent)
	}
}
