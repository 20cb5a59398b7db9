//go:build unix

package project

import (
	"errors"
	"io"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestPipes checks that pipes in place of files are named in an error, and not waited for: at first, and after the
// folder was listed.
func TestPipes(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   func(dir string) error
	}{
		{".amlignore", func(dir string) error { _, err := Scan(dir); return err }},
		{".gitignore", func(dir string) error { _, err := ScanCode(dir); return err }},
		{".dockerignore", func(dir string) error { return new(Snapshot).JoinContext(dir, "Dockerfile") }},
		{"data.csv", func(dir string) error { return new(Snapshot).Join("d", filepath.Join(dir, "data.csv")) }},
		{"train.py", func(dir string) error {
			s := Snapshot{Root: dir, Entries: []Entry{{Path: "train.py", Size: 1}}}
			_, err := s.Modules()
			return errors.Join(err, s.Tar(t.Context(), io.Discard, TarOptions{}))
		}},
	} {
		dir := t.TempDir()
		testkit.OK(t, syscall.Mkfifo(filepath.Join(dir, tt.name), 0o600))
		ended := make(chan error, 1)
		go func() { ended <- tt.do(dir) }()
		if err := testkit.Receive(t, tt.name, ended); err == nil || !strings.Contains(err.Error(), tt.name+": cannot be") || !strings.Contains(err.Error(), source.ErrIrregular.Error()) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}
