package project

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

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
