//go:build unix

package source_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestReadWithin tries every way in which a file of a tree can be another one.
func TestReadWithin(t *testing.T) {
	outer := t.TempDir()
	tree := filepath.Join(outer, "tree")
	for name, text := range map[string]string{
		"secret": "SECRET", "treeish/secret": "SECRET", "tree/plain": "plain", "tree/sub/deep": "deep", "tree/.git/config": "SECRET", "tree/sub/.GIT/config": "SECRET", "tree/.gitx/y": "fine",
	} {
		path := filepath.Join(outer, name)
		testkit.OK(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)))
	}
	if err := syscall.Mkfifo(filepath.Join(tree, "pipe"), 0o644); err != nil {
		t.Skipf("SKIPPED: no pipes here: %v", err)
	}
	outside, irregular := source.ErrOutside, source.ErrIrregular
	type path struct {
		name, to string // a link where to is not ""
		read     string // of the file, "" for none
		want     error
	}
	paths := []path{
		{"same", "plain", "plain", nil},
		{"down", "sub/deep", "deep", nil},
		{"sub/up", "../plain", "plain", nil},
		{"absolute", filepath.Join(tree, "plain"), "plain", nil},
		{"twice", "same", "plain", nil},
		{"round", "../tree/plain", "plain", nil},
		{"not-git", ".gitx/y", "fine", nil},
		{"out", "../secret", "", outside},
		{"beside", "../treeish/secret", "", outside},
		{"out-absolute", filepath.Join(outer, "secret"), "", outside},
		{"out-twice", "out", "", outside},
		{"system", "/etc/passwd", "", outside},
		{"process", "/proc/self/environ", "", outside},
		{"device", "/dev/zero", "", outside},
		{"git", ".git/config", "", outside},
		{"sub/git", "../.git/config", "", outside},
		{"git-other-case", "sub/.GIT/config", "", outside},
		{"fifo", "pipe", "", irregular},
		{"folder", "sub", "", irregular},
		{"top", ".", "", irregular},
		{"dangling", "nothing", "", fs.ErrNotExist},
		{"loop", "loop", "", nil},
		{"way", "..", "", outside},
		{"way/secret", "", "", outside},
		{"way/nothing", "", "", outside},
		{"pipe", "", "", irregular},
		{"../secret", "", "", outside},
		{"nothing", "", "", fs.ErrNotExist},
	}
	for _, l := range paths {
		if l.to == "" {
			continue
		}
		testkit.OK(t, os.Symlink(l.to, filepath.Join(tree, l.name)))
	}
	for _, l := range paths {
		text, err := source.ReadWithin(tree, filepath.Join(tree, l.name))
		if string(text) != l.read || (err == nil) != (l.read != "") || l.want != nil && !errors.Is(err, l.want) {
			t.Errorf("%s -> %s: %q, %v", l.name, l.to, text, err)
		}
		if at := new(fs.PathError); err != nil && !errors.As(err, &at) {
			t.Errorf("%s: %T", l.name, err)
		}
	}
	// The folder itself may be reached through a link: whoever names it knows.
	testkit.OK(t, os.Symlink("tree", filepath.Join(outer, "link")))
	if text, err := source.ReadWithin(filepath.Join(outer, "link"), filepath.Join(outer, "link", "same")); string(text) != "plain" {
		t.Errorf("through a link to the folder: %v", err)
	}
	testkit.OK(t, os.WriteFile(filepath.Join(tree, "large"), []byte(strings.Repeat("x", 3*source.MaxSize)), 0o644))
	if text, err := source.ReadWithin(tree, filepath.Join(tree, "large")); len(text) != source.MaxSize+1 || err != nil {
		t.Errorf("%d bytes of a large file, %v", len(text), err)
	}
}
