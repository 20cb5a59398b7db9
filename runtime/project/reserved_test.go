package project

import (
	"archive/tar"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// intruders are names under which a job may try to leave programs for git, and records for amlfix.
var intruders = []string{
	"outputs/.git/hooks/post-commit", "outputs/.GIT/hooks/post-commit", "outputs/sub/.git/config", "outputs/.git", "outputs/.git./x", "outputs/.git /x", "outputs/.git::$INDEX_ALLOCATION/x",
	"outputs/GIT~1/x", "outputs/.g\u200cit/x", "outputs/.amlfix/runs/20261122-091112-abcdef/record.json", "outputs/.AMLFIX/x", `outputs/a\.git\hooks\x`,
	"outputs/../.git/hooks/post-commit", "outputs/x/../../.amlfix/x", "/outputs/.git/x", ".git/hooks/post-commit", "OUTPUTS/x", "Outputs/.git/x", "./.amlfix/x", "//etc/x", "../x", `..\x`, "outputs/..",
}

// intrusion returns a tar stream with a file for each name, and links to and from it.
func intrusion(t *testing.T, names []string) *bytes.Buffer {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	add := func(h *tar.Header, text string) {
		h.Mode, h.Size, h.Format = 0o755, int64(len(text)), tar.FormatPAX
		testkit.OK(t, w.WriteHeader(h))
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	add(&tar.Header{Typeflag: tar.TypeReg, Name: "outputs/model.bin"}, "weights")
	for _, name := range names {
		add(&tar.Header{Typeflag: tar.TypeReg, Name: name}, "#!/bin/sh\n")
		add(&tar.Header{Typeflag: tar.TypeDir, Name: name + ".d/"}, "")
		add(&tar.Header{Typeflag: tar.TypeLink, Name: name + ".hard", Linkname: "outputs/model.bin"}, "")
		add(&tar.Header{Typeflag: tar.TypeSymlink, Name: name + ".soft", Linkname: "model.bin"}, "")
		add(&tar.Header{Typeflag: tar.TypeSymlink, Name: "outputs/to", Linkname: strings.TrimPrefix(name, "outputs/")}, "")
		add(&tar.Header{Typeflag: tar.TypeLink, Name: "outputs/hard", Linkname: name}, "")
		add(&tar.Header{Typeflag: tar.TypeReg, Name: "outputs/to/x"}, "#!/bin/sh\n")
	}
	testkit.OK(t, w.Close())
	return &b
}

// TestNothingIntoGit checks that, whatever a job leaves, nothing is written to the folders of git and amlfix or outside
// outputs/.
func TestNothingIntoGit(t *testing.T) {
	for _, name := range intruders {
		root := t.TempDir()
		testkit.Write(t, root, ".git/config", "mine")
		testkit.Write(t, root, ".amlfix/runs/x", "mine")
		testkit.Write(t, root, "outputs/.git/config", "a repository of the user's own")
		got, err := CollectTar(t.Context(), intrusion(t, []string{name}), root)
		if err == nil && len(got.Warnings) == 0 {
			t.Errorf("%q: nobody was warned", name)
		}
		now := tree(t, root)
		for path, text := range now {
			rest, in := strings.CutPrefix(path, "outputs/")
			if in && !strings.Contains(strings.ToLower(path), ".git") && !strings.Contains(strings.ToLower(path), ".amlfix") && !strings.Contains(path, "~1") {
				continue
			}
			if want := map[string]string{".git": "dir", ".git/config": "mine", ".amlfix": "dir", ".amlfix/runs": "dir", ".amlfix/runs/x": "mine", "outputs": "dir",
				"outputs/.git": "dir", "outputs/.git/config": "a repository of the user's own"}[path]; text != want && !harmlessName(rest) {
				t.Errorf("%q: %q is %q", name, path, text)
			}
		}
		if now["outputs/model.bin"] != "weights" {
			t.Errorf("%q: the rest did not come back: %v, %v", name, now, err)
		}
	}
}

// harmlessName reports whether a name only resembles git's folder: ".git.hard", ".git.d".
func harmlessName(name string) bool {
	return strings.HasSuffix(name, ".hard") || strings.HasSuffix(name, ".soft") || strings.HasSuffix(name, ".d")
}

// TestFolderNothingIntoGit does the same for a job that works in a folder on this machine.
func TestFolderNothingIntoGit(t *testing.T) {
	work, root := t.TempDir(), t.TempDir()
	testkit.Write(t, work, "outputs/.git/hooks/post-commit", "#!/bin/sh\n")
	testkit.Write(t, work, "outputs/sub/.AMLFIX/x", "x")
	testkit.Write(t, work, "outputs/model.bin", "weights")
	link(t, work, "outputs/hooks", ".git/hooks")
	got, err := CollectDir(t.Context(), work, root)
	if err != nil {
		t.Error(err)
	}
	testkit.Same(t, map[string]string{"outputs": "dir", "outputs/model.bin": "weights", "outputs/sub": "dir"}, tree(t, root))
	if len(got.Warnings) != 3 {
		t.Errorf("%v", got.Warnings)
	}
}

// TestLinkAtOutputs checks that nothing is written through a link at outputs/, whether it came with the repository or
// appeared while the job ran.
func TestLinkAtOutputs(t *testing.T) {
	for _, to := range []string{".git", ".git/hooks", "results", ".", "nowhere"} {
		root, work := t.TempDir(), t.TempDir()
		testkit.Write(t, root, ".git/hooks/x", "mine")
		testkit.Write(t, root, "results/x", "mine")
		testkit.Write(t, work, "outputs/post-commit", "#!/bin/sh\n")
		link(t, root, "outputs", to)
		before := tree(t, root)
		_, err := CollectTar(t.Context(), intrusion(t, nil), root)
		_, err2 := CollectDir(t.Context(), work, root)
		if err == nil || err2 == nil {
			t.Errorf("%s: no error: %v, %v", to, err, err2)
		}
		testkit.Same(t, before, tree(t, root), to)
	}
}

// TestLinksInOutputs checks that a link below outputs/ is replaced by a file of the same name, and that nothing is
// written through it.
func TestLinksInOutputs(t *testing.T) {
	for _, to := range []string{"real", "real/sub", ".", "../.git/hooks", "..", "nowhere"} {
		root, work := t.TempDir(), t.TempDir()
		testkit.Write(t, root, ".git/hooks/x", "mine")
		testkit.Write(t, root, "outputs/real/sub/x", "mine")
		testkit.Write(t, root, "outputs/model.bin", "old")
		link(t, root, "outputs/dir", to)
		link(t, root, "outputs/deep", "dir/..")
		link(t, root, "outputs/.amlfix-part", "real/sub/x") // a name formerly used for temporary files
		link(t, root, "outputs/file", "real/sub/x")
		want := tree(t, root)
		want["outputs/model.bin"], want["outputs/file"] = "new", "a file"
		for name, text := range map[string]string{"model.bin": "new", "file": "a file", "dir/x": "hostile", "dir/new/x": "hostile", "deep/x": "hostile"} {
			testkit.Write(t, work, "outputs/"+name, text)
		}
		got, err := CollectDir(t.Context(), work, root)
		if err == nil || got.Files != 2 || !strings.Contains(err.Error(), "outputs/dir/new/x: cannot be copied back: outputs/dir is a link: make it a folder") {
			t.Errorf("%s: %+v, %v", to, got, err)
		}
		testkit.Same(t, want, tree(t, root), to)
	}
}

// TestGitDoesNotTravel checks that the folders of git and amlfix are not sent, in any spelling.
func TestGitDoesNotTravel(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{".git/config", ".GIT/config", "sub/.git", ".amlfix/x", ".AMLFIX/x", "sub/.amlfix/runs/x", "train.py"} {
		if _, err := os.Lstat(filepath.Join(dir, filepath.Dir(name))); name == ".GIT/config" && err == nil {
			continue // this file system is case-insensitive
		}
		testkit.Write(t, dir, name, "x")
	}
	s, err := Scan(dir)
	testkit.OK(t, err)
	var names []string
	for _, e := range s.Entries {
		names = append(names, e.Path)
	}
	testkit.Same(t, []string{"sub", "train.py"}, names)
}
