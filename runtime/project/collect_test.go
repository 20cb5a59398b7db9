package project

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/testkit"
)

func TestCollectDir(t *testing.T) {
	work, root, elsewhere := t.TempDir(), t.TempDir(), t.TempDir()
	testkit.Write(t, elsewhere, "secret", "secret")
	testkit.Write(t, work, "outputs/model.bin", "new")
	testkit.Write(t, work, "outputs/sub/a.txt", "a")
	testkit.Write(t, work, "outputs/trap", "trap")
	testkit.Write(t, work, "outputs/dir/x", "x")
	testkit.Write(t, work, "not-outputs", "x")
	link(t, work, "outputs/latest", "sub/a.txt")
	link(t, work, "outputs/steal", filepath.Join(elsewhere, "secret"))
	link(t, work, "outputs/src", "../train.py")
	testkit.Write(t, root, "train.py", "source")
	testkit.Write(t, root, "outputs/model.bin", "old")
	testkit.Write(t, root, "outputs/mine.txt", "mine")
	link(t, root, "outputs/trap", "../train.py") // writing through it would destroy a source
	link(t, root, "outputs/dir", "..")

	got, err := CollectDir(t.Context(), work, root)
	if err == nil || !strings.Contains(err.Error(), "outputs/dir: cannot be copied back") {
		t.Errorf("a folder behind a link that leaves outputs/: %v", err)
	}
	want := map[string]string{"train.py": "source", "outputs": "dir", "outputs/model.bin": "new", "outputs/mine.txt": "mine", "outputs/sub": "dir",
		"outputs/sub/a.txt": "a", "outputs/trap": "trap", "outputs/latest": "-> sub/a.txt", "outputs/dir": "-> .."}
	testkit.Same(t, want, tree(t, root))
	left := map[string]string{}
	for _, w := range got.Warnings {
		left[w.Path] = w.Text
	}
	if d := cmp.Diff(map[string]string{"outputs/steal": "left out: the link is absolute, and only relative links inside outputs/ are copied back",
		"outputs/src": "left out: the link leaves outputs/, or leads into a folder of git or amlfix"}, left); d != "" || got.Files != 3 || got.Bytes != 8 {
		t.Errorf("%+v\n%s", got, d)
	}
	testkit.Same(t, map[string]string{"secret": "secret"}, tree(t, elsewhere))
}

// TestCollectedModes checks that the user may read and write what comes back, that nobody else may write it, and that
// nothing becomes a program that gets another user's rights.
func TestCollectedModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("this system has no such permissions")
	}
	work, root := t.TempDir(), t.TempDir()
	want := map[string]fs.FileMode{}
	var headers []tar.Header
	for mode, kept := range map[fs.FileMode]fs.FileMode{0o644: 0o644, 0o666: 0o644, 0o777: 0o755, 0o400: 0o600, 0o755 | fs.ModeSetuid: 0o755} {
		name := "outputs/" + strconv.FormatUint(uint64(mode), 8)
		want[name] = kept
		testkit.Write(t, work, name, "x")
		testkit.OK(t, os.Chmod(filepath.Join(work, name), mode))
		h := tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: int64(mode.Perm())}
		if mode&fs.ModeSetuid != 0 {
			h.Mode |= 0o4000
		}
		headers = append(headers, h)
	}
	for _, collect := range []func() (Collected, error){
		func() (Collected, error) { return CollectDir(t.Context(), work, root) },
		func() (Collected, error) { return CollectTar(t.Context(), archive(t, headers...), root) },
	} {
		_, err := collect()
		testkit.OK(t, err)
		got := map[string]fs.FileMode{}
		for name := range want {
			info, err := os.Stat(filepath.Join(root, name))
			testkit.OK(t, err)
			got[name] = info.Mode()
		}
		testkit.Same(t, want, got)
		testkit.OK(t, os.RemoveAll(filepath.Join(root, OutputsDir)))
	}
}

// TestOutputsIsNoFolder checks that what a job has put in place of the outputs folder is not left to be removed.
func TestOutputsIsNoFolder(t *testing.T) {
	file, linked := t.TempDir(), t.TempDir()
	testkit.Write(t, file, OutputsDir, "weights")
	testkit.Write(t, linked, "o/model", "weights")
	link(t, linked, OutputsDir, "o")
	for work, want := range map[string]error{file: errIsFile, linked: errNoFolder} {
		if _, err := CollectDir(t.Context(), work, t.TempDir()); !errors.Is(err, want) {
			t.Errorf("%v, not %v", err, want)
		}
	}
	for kind, want := range map[byte]error{tar.TypeReg: errIsFile, tar.TypeSymlink: errNoFolder, tar.TypeFifo: errNoFolder} {
		if _, err := CollectTar(t.Context(), archive(t, tar.Header{Typeflag: kind, Name: OutputsDir, Linkname: "o"}), t.TempDir()); !errors.Is(err, want) {
			t.Errorf("%c: %v, not %v", kind, err, want)
		}
	}
}

// TestNoPermission checks that the error about a part of the project, or of an input, that this user may not read says
// what helps.
func TestNoPermission(t *testing.T) {
	read := &fs.PathError{Op: "open", Path: "data", Err: syscall.EACCES}
	for what, want := range map[string]string{
		ignoreIt: "data: cannot be read: no permission there: a line in .amlignore leaves it out",
		copyIt:   "data: cannot be read: no permission there: make it readable, or give a copy of what the job needs",
	} {
		if err := advised(unreadable("data", read), what); !errors.Is(err, fs.ErrPermission) || err.Error() != want {
			t.Error(err)
		}
	}
	if err := advised(unreadable("data", fs.ErrNotExist), ignoreIt); strings.Contains(err.Error(), ignoreIt) {
		t.Error(err)
	}
}

// TestCollectInTheWay checks that what is in the way of an output is named, with what to do about it.
func TestCollectInTheWay(t *testing.T) {
	work, root := t.TempDir(), t.TempDir()
	testkit.Write(t, work, "outputs/a", "a")
	testkit.Write(t, work, "outputs/sub/f/x", "x")
	testkit.Write(t, root, "outputs/a/mine", "mine")
	testkit.Write(t, root, "outputs/sub/f", "mine")
	_, err := CollectDir(t.Context(), work, root)
	want := "outputs/a: cannot be copied back: outputs/a is a folder: rename or remove it\n" +
		"outputs/sub/f: cannot be copied back: outputs/sub/f is not a folder: rename or remove it\n" +
		"outputs/sub/f/x: cannot be copied back: outputs/sub/f is not a folder: rename or remove it"
	if err == nil || err.Error() != want {
		t.Error(err)
	}
}

func TestCollectNothingMakesNothing(t *testing.T) {
	for _, setup := range []func(dir string){func(string) {}, func(dir string) {
		testkit.Write(t, dir, "outputs/.x", "")
		_ = os.Remove(filepath.Join(dir, "outputs/.x"))
	}} {
		work, root := t.TempDir(), t.TempDir()
		setup(work)
		if got, err := CollectDir(t.Context(), work, root); err != nil || got.Files != 0 {
			t.Errorf("%+v, %v", got, err)
		}
		testkit.Same(t, map[string]string{}, tree(t, root))
	}
}

func archive(t testing.TB, headers ...tar.Header) *bytes.Buffer {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i, h := range headers {
		text := ""
		if h.Typeflag == tar.TypeReg {
			text = fmt.Sprint("file ", i)
		}
		h.Size, h.ModTime = int64(len(text)), time.Unix(1500000000, 0)
		if h.Mode == 0 {
			h.Mode = 0o644
		}
		testkit.OK(t, w.WriteHeader(&h))
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
	}
	testkit.OK(t, w.Close())
	return &b
}

func hostile() []tar.Header {
	return []tar.Header{
		{Typeflag: tar.TypeDir, Name: "outputs/", Mode: 0o755},
		{Typeflag: tar.TypeReg, Name: "outputs/a.txt", Mode: 0o4777},
		{Typeflag: tar.TypeLink, Name: "outputs/hard.txt", Linkname: "outputs/a.txt"},
		{Typeflag: tar.TypeLink, Name: "outputs/stolen.txt", Linkname: "train.py"},
		{Typeflag: tar.TypeReg, Name: "outputs/../train.py"},
		{Typeflag: tar.TypeReg, Name: "/etc/amlfix-test"},
		{Typeflag: tar.TypeReg, Name: "outputs/deep/b.txt"},
		{Typeflag: tar.TypeSymlink, Name: "outputs/out", Linkname: ".."},
		{Typeflag: tar.TypeReg, Name: "outputs/out/train.py"},
		{Typeflag: tar.TypeSymlink, Name: "outputs/here", Linkname: "."},
		{Typeflag: tar.TypeSymlink, Name: "outputs/climb", Linkname: "here/.."},
		{Typeflag: tar.TypeChar, Name: "outputs/null"},
		{Typeflag: tar.TypeReg, Name: "outputs"},
	}
}

func TestCollectTar(t *testing.T) {
	root := t.TempDir()
	testkit.Write(t, root, "train.py", "source")
	got, err := CollectTar(t.Context(), archive(t, hostile()...), root)
	if err == nil || err.Error() != "outputs: cannot be copied back: it is a file" {
		t.Errorf("error %v", err)
	}
	want := map[string]string{"train.py": "source", "outputs": "dir", "outputs/a.txt": "file 1", "outputs/hard.txt": "file 1", "outputs/deep": "dir",
		"outputs/deep/b.txt": "file 6", "outputs/here": "-> .", "outputs/out": "dir", "outputs/out/train.py": "file 8"}
	testkit.Same(t, want, tree(t, root))
	var left []string
	for _, w := range got.Warnings {
		left = append(left, w.Path)
	}
	testkit.Same(t, []string{"outputs/stolen.txt", "outputs/../train.py", "/etc/amlfix-test", "outputs/out", "outputs/climb", "outputs/null"}, left)
	info, err := os.Stat(filepath.Join(root, "outputs/a.txt"))
	if err != nil || info.Mode() != 0o755 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// TestCollectTarBelow checks that the same files are written to a separate folder, and no empty folders.
func TestCollectTarBelow(t *testing.T) {
	root := t.TempDir()
	testkit.Write(t, root, "train.py", "source")
	got, _ := CollectTarBelow(t.Context(), archive(t, append(hostile(), tar.Header{Typeflag: tar.TypeDir, Name: "outputs/empty/"})...), root, "pod-1")
	want := map[string]string{"train.py": "source", "outputs": "dir", "outputs/pod-1": "dir", "outputs/pod-1/a.txt": "file 1", "outputs/pod-1/hard.txt": "file 1", "outputs/pod-1/deep": "dir",
		"outputs/pod-1/deep/b.txt": "file 6", "outputs/pod-1/here": "-> .", "outputs/pod-1/out": "dir", "outputs/pod-1/out/train.py": "file 8"}
	testkit.Same(t, want, tree(t, root))
	if got.Files != 4 || got.List[0].Path != "pod-1/a.txt" {
		t.Errorf("%+v", got)
	}
}

func TestCollectTarCutStream(t *testing.T) {
	b := archive(t, tar.Header{Typeflag: tar.TypeReg, Name: "outputs/a"}, tar.Header{Typeflag: tar.TypeReg, Name: "outputs/b"})
	b.Truncate(1024 + 512 + 3) // in the middle of the second file
	root := t.TempDir()
	got, err := CollectTar(t.Context(), b, root)
	if err == nil || got.Files != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	if d := cmp.Diff(map[string]string{"outputs": "dir", "outputs/a": "file 0"}, tree(t, root)); d != "" {
		t.Error(d) // no partial file
	}
}
