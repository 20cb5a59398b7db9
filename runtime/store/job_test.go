//go:build linux

package store

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/schema/testkit"
)

// rewritten replaces a file's content with another of the same size, and keeps its time.
func rewritten(name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt([]byte("X"), 0)
	return errors.Join(err, f.Close(), os.Chtimes(name, info.ModTime(), info.ModTime()))
}

// TestWhatJobsDo has a job modify its copy of the project. The next job sees the project, and what was not touched is
// not sent again.
func TestWhatJobsDo(t *testing.T) {
	testkit.Program(t, "python3")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for _, tt := range []struct {
		name string
		sent int // how many of the two files the next run sends
		do   func(dir string) error
	}{
		{"nothing", 0, func(string) error { return nil }},
		{"other content with the same size and time", 1, func(dir string) error { return rewritten(filepath.Join(dir, "data/a")) }},
		{"the same, and the mark rewritten", 2, func(dir string) error {
			err := rewritten(filepath.Join(dir, "data/a"))
			time.Sleep(20 * time.Millisecond)
			return errors.Join(err, os.WriteFile(filepath.Join(dir, Mark), nil, 0o644))
		}},
		{"no mark", 2, func(dir string) error { return os.Remove(filepath.Join(dir, Mark)) }},
		{"a link to elsewhere for a folder", 2, func(dir string) error {
			away := filepath.Join(t.TempDir(), "away")
			return errors.Join(os.Rename(filepath.Join(dir, "data"), away), os.Symlink(away, filepath.Join(dir, "data")))
		}},
		{"a second name for a file", 1, func(dir string) error { return os.Link(filepath.Join(dir, "data/a"), filepath.Join(dir, "outputs/a")) }},
		{"a folder moved away", 2, func(dir string) error { return os.Rename(filepath.Join(dir, "data"), filepath.Join(dir, "moved")) }},
		{"a folder for a file", 1, func(dir string) error {
			return errors.Join(os.Remove(filepath.Join(dir, "data/a")), os.MkdirAll(filepath.Join(dir, "data/a/b"), 0))
		}},
		{"all permissions removed", 1, func(dir string) error {
			return errors.Join(os.Chmod(filepath.Join(dir, "data/a"), 0), os.Chmod(filepath.Join(dir, "data"), 0))
		}},
		{"a pipe", 0, func(dir string) error { return unix.Mkfifo(filepath.Join(dir, "pipe"), 0o600) }},
		{"names in the way", 0, func(dir string) error {
			return errors.Join(os.Mkdir(filepath.Join(dir, ".amlfix-aside"), 0o755), os.WriteFile(filepath.Join(dir, ".amlfix-aside-"), nil, 0o644))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, tree := t.TempDir(), t.TempDir()
			testkit.Write(t, dir, "data/a", "aaaaaaaaaa")
			testkit.Write(t, dir, "data/b", "bbbbbbbbbb")
			run := func() int {
				snap, err := project.Scan(dir)
				testkit.OK(t, err)
				use := Begin(t.Context(), "here", t.Name(), snap, false)
				defer use.Close()
				if use.Request() != nil {
					testkit.OK(t, use.Found(compare(t, tree, use.Request())))
				}
				unpack(t, snap, use.Options(project.TarOptions{}), tree)
				whole := t.TempDir()
				unpack(t, snap, project.TarOptions{}, whole)
				testkit.Same(t, look(t, whole), look(t, tree))
				begun := time.Now()
				time.Sleep(20 * time.Millisecond) // no job starts within a tick of the clock
				testkit.OK(t, tt.do(tree))
				testkit.OK(t, use.Keep(begun))
				return len(use.sentNow)
			}
			testkit.Same(t, 2, run())
			testkit.Same(t, tt.sent, run())
		})
	}
}
