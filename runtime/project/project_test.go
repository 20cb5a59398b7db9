package project

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/testkit"
)

func link(t *testing.T, dir, name, target string) {
	t.Helper()
	if err := os.Symlink(target, filepath.Join(dir, filepath.FromSlash(name))); err != nil {
		t.Skipf("this system makes no links: %v", err)
	}
}

// tree reads a folder as path → content, "dir" or "-> target".
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	got := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || p == dir {
			return err
		}
		rel, _ := filepath.Rel(dir, p)
		rel = filepath.ToSlash(rel)
		switch {
		case d.IsDir():
			got[rel] = "dir"
		case d.Type()&fs.ModeSymlink != 0:
			target, err := os.Readlink(p)
			got[rel] = "-> " + target
			return err
		default:
			b, err := os.ReadFile(p)
			got[rel] = string(b)
			return err
		}
		return nil
	})
	testkit.OK(t, err)
	return got
}

func sample(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	testkit.Write(t, dir, "train.py", "print(1)\n")
	testkit.Write(t, dir, "aml_config/local.compute", "type: local\n")
	testkit.Write(t, dir, ".git/config", "x")
	testkit.Write(t, dir, "lib/.git", "gitdir: ../.git/modules/lib")
	testkit.Write(t, dir, "lib/a.py", "")
	testkit.Write(t, dir, ".amlfix/undo", "secret")
	testkit.Write(t, dir, "outputs/old.txt", "old")
	testkit.Write(t, dir, "deep/outputs/kept.txt", "kept")
	testkit.Write(t, dir, "data/big.csv", "1,2")
	testkit.Write(t, dir, ".amlignore", "data/\n")
	testkit.Write(t, dir, ".gitignore", "*.py\n") // not read: there is an .amlignore
	link(t, dir, "inside", "lib/a.py")
	link(t, dir, "lib/up", "../train.py")
	link(t, dir, "deep/outputs/far", "../../train.py")
	link(t, dir, "absolute", filepath.Join(dir, "lib"))
	link(t, dir, "outside", "../../etc/passwd")
	link(t, dir, "away", "/etc/passwd")
	link(t, dir, "climbing", "lib/../../x")
	return dir
}

var sampleTree = map[string]string{
	".amlignore": "data/\n", ".gitignore": "*.py\n", "aml_config": "dir", "aml_config/local.compute": "type: local\n",
	"deep": "dir", "deep/outputs": "dir", "deep/outputs/kept.txt": "kept", "deep/outputs/far": "-> ../../train.py", "inside": "-> lib/a.py", "absolute": "-> lib",
	"lib": "dir", "lib/a.py": "", "lib/up": "-> ../train.py", "outputs": "dir", "train.py": "print(1)\n",
}

func TestScan(t *testing.T) {
	dir := sample(t)
	s, err := Scan(dir)
	testkit.OK(t, err)
	var warned []string
	for _, w := range s.Warnings {
		warned = append(warned, w.Path)
	}
	sort.Strings(warned)
	testkit.Same(t, []string{"away", "climbing", "outside"}, warned)
	testkit.Same(t, []Omitted{{Path: "data", By: ".amlignore:1"}}, s.Omitted)
	type found struct {
		Found bool
		By    string
	}
	got := map[string]found{}
	for _, name := range []string{"train.py", "./lib/a.py", "data/big.csv", "nothing.py", "lib", "outputs/old.txt"} {
		f, by := s.Find(name)
		got[name] = found{f, by}
	}
	want := map[string]found{"train.py": {Found: true}, "./lib/a.py": {Found: true}, "data/big.csv": {By: ".amlignore:1"},
		"nothing.py": {}, "lib": {}, "outputs/old.txt": {}}
	testkit.Same(t, want, got)
}

// TestLinksSay checks that a warning about a link names the folder that the link leaves.
func TestLinksSay(t *testing.T) {
	dir := t.TempDir()
	testkit.Write(t, dir, "common/a.py", "")
	testkit.Write(t, dir, "src/train.py", "")
	link(t, dir, "src/common", "../common")
	code, err := ScanCode(filepath.Join(dir, "src"))
	testkit.OK(t, err)
	data, err := Scan(dir)
	testkit.OK(t, err)
	testkit.OK(t, data.Join(".amlfix/inputs/d", filepath.Join(dir, "src")))
	for what, s := range map[string]Snapshot{"the code folder": code, "this folder": data} {
		if len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0].Text, "the link leaves "+what+", ") {
			t.Errorf("%s: %v", what, s.Warnings)
		}
	}
}

func TestCopyTo(t *testing.T) {
	s, err := Scan(sample(t))
	testkit.OK(t, err)
	dst, moved := t.TempDir(), int64(0)
	testkit.OK(t, s.CopyTo(t.Context(), opened(t, dst), func(n int64) { moved = n }))
	testkit.Same(t, sampleTree, tree(t, dst))
	if moved != s.Bytes || moved == 0 {
		t.Errorf("moved %d of %d bytes", moved, s.Bytes)
	}
}

func opened(t *testing.T, dir string) *disk.Dir {
	t.Helper()
	d, err := disk.OpenTemp(dir)
	testkit.OK(t, err)
	t.Cleanup(d.Close)
	return d
}

func TestTar(t *testing.T) {
	dir := sample(t)
	testkit.OK(t, os.Chmod(filepath.Join(dir, "train.py"), 0o700))
	s, err := Scan(dir)
	testkit.OK(t, err)
	for _, open := range []bool{false, true} {
		var b bytes.Buffer
		testkit.OK(t, s.Tar(t.Context(), &b, TarOptions{Prefix: "job", Open: open}))
		got, modes := map[string]string{}, map[string]int64{}
		for tr := tar.NewReader(&b); ; {
			h, err := tr.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			testkit.OK(t, err)
			name := strings.TrimSuffix(strings.TrimPrefix(h.Name, "job/"), "/")
			modes[name] = h.Mode
			switch h.Typeflag {
			case tar.TypeDir:
				got[name] = "dir"
			case tar.TypeSymlink:
				got[name] = "-> " + h.Linkname
			default:
				text, _ := io.ReadAll(tr)
				got[name] = string(text)
			}
		}
		delete(got, "") // the project's own folder
		testkit.Same(t, sampleTree, got)
		want := map[string]int64{"train.py": 0o700, "lib/a.py": 0o644, "lib": 0o755}
		if open {
			want = map[string]int64{"train.py": 0o777, "lib/a.py": 0o666, "lib": 0o777}
		}
		for name, mode := range want {
			if modes[name] != mode {
				t.Errorf("open %v: %s has mode %o, want %o", open, name, modes[name], mode)
			}
		}
	}
}

func TestAddedFilesGoAlong(t *testing.T) {
	dir := t.TempDir()
	testkit.Write(t, dir, "train.py", "1")
	s, err := Scan(dir)
	testkit.OK(t, err)
	s.Add(".amlfix/python/a/b.py", []byte("added"))
	s.Add(".amlfix/python/a/c.py", nil)
	want := map[string]string{"train.py": "1", "outputs": "dir", ".amlfix": "dir", ".amlfix/python": "dir", ".amlfix/python/a": "dir",
		".amlfix/python/a/b.py": "added", ".amlfix/python/a/c.py": ""}
	dst := t.TempDir()
	testkit.OK(t, s.CopyTo(t.Context(), opened(t, dst), nil))
	testkit.Same(t, want, tree(t, dst))
	var b bytes.Buffer
	testkit.OK(t, s.Tar(t.Context(), &b, TarOptions{Prefix: "job"}))
	got := map[string]string{}
	for tr := tar.NewReader(&b); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		testkit.OK(t, err)
		text, _ := io.ReadAll(tr)
		if got[strings.Trim(strings.TrimPrefix(h.Name, "job"), "/")] = string(text); h.Typeflag == tar.TypeDir {
			got[strings.Trim(strings.TrimPrefix(h.Name, "job"), "/")] = "dir"
		}
	}
	delete(got, "")
	testkit.Same(t, want, got)
}

func TestScanRefusesWhatCannotComeBack(t *testing.T) {
	t.Run("outputs leaves the project", func(t *testing.T) {
		dir := t.TempDir()
		link(t, dir, "outputs", t.TempDir())
		if _, err := Scan(dir); err == nil || !strings.Contains(err.Error(), "make it a folder") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("outputs is a file", func(t *testing.T) {
		dir := t.TempDir()
		testkit.Write(t, dir, "outputs", "x")
		if _, err := Scan(dir); err == nil || !strings.Contains(err.Error(), "is not a folder") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("no such project", func(t *testing.T) {
		if _, err := Scan(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("outputs is a link inside the project", func(t *testing.T) {
		for _, to := range []string{"results", ".git", "."} {
			dir := t.TempDir()
			testkit.Write(t, dir, "results/x", "x")
			testkit.Write(t, dir, ".git/config", "x")
			link(t, dir, "outputs", to)
			if _, err := Scan(dir); err == nil || !strings.Contains(err.Error(), "make it a folder") {
				t.Errorf("error %v", err)
			}
		}
	})
}

func TestLargeProjectIsWarnedAbout(t *testing.T) {
	dir := t.TempDir()
	testkit.Write(t, dir, "big.bin", "")
	testkit.OK(t, os.Truncate(filepath.Join(dir, "big.bin"), SizeLimit+1))
	s, err := Scan(dir)
	testkit.OK(t, err)
	if len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0].String(), "the project is 25.0 MB in size") {
		t.Errorf("warnings %v", s.Warnings)
	}
}

func TestSendNoticesChanges(t *testing.T) {
	dir := t.TempDir()
	testkit.Write(t, dir, "a.txt", "12345")
	s, err := Scan(dir)
	testkit.OK(t, err)
	testkit.Write(t, dir, "a.txt", "123456789")
	var b bytes.Buffer
	if err := s.Tar(t.Context(), &b, TarOptions{Prefix: "p"}); err != nil {
		t.Errorf("a file that grew: %v", err)
	}
	to := t.TempDir()
	testkit.OK(t, s.CopyTo(t.Context(), opened(t, to), nil))
	testkit.Same(t, map[string]string{"a.txt": "12345", "outputs": "dir"}, tree(t, to))
	testkit.Write(t, dir, "a.txt", "1")
	if err := s.CopyTo(t.Context(), opened(t, t.TempDir()), nil); err == nil || !strings.HasPrefix(err.Error(), "a.txt: ") || !errors.Is(err, errShorter) {
		t.Errorf("a file that shrank: %v", err)
	}
	if err := s.Tar(t.Context(), io.Discard, TarOptions{}); !errors.Is(err, errShorter) {
		t.Errorf("a file that shrank, as a stream: %v", err)
	}
	testkit.OK(t, os.Remove(filepath.Join(dir, "a.txt")))
	if err := s.Tar(t.Context(), io.Discard, TarOptions{}); !errors.Is(err, errGone) {
		t.Errorf("a file that was removed: %v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	cancel(why)
	if err := s.Tar(ctx, io.Discard, TarOptions{}); !errors.Is(err, why) {
		t.Errorf("cancelled: %v", err)
	}
}

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

// TestMoved checks that the progress of a large file is reported while it is copied.
func TestMoved(t *testing.T) {
	dir := t.TempDir()
	testkit.Write(t, dir, "data", strings.Repeat("x", 5<<20+1))
	s, err := Scan(dir)
	testkit.OK(t, err)
	var moved []int64
	testkit.OK(t, s.Tar(t.Context(), io.Discard, TarOptions{Moved: func(n int64) { moved = append(moved, n) }}))
	if len(moved) != 6 || moved[0] != 1<<20 || moved[5] != s.Bytes {
		t.Errorf("%d", moved)
	}
}
