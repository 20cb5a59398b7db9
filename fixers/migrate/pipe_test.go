//go:build unix

package migrate_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestPipes holds that pipes in place of scripts, and of the report of an earlier migration, are not waited for.
func TestPipes(t *testing.T) {
	dir := schema.Identity(t.TempDir())
	testkit.Write(t, dir, ".azureml/a.runconfig", []byte("script: train.py\ntarget: cpu\n"))
	testkit.OK(t, os.Mkdir(filepath.Join(dir, "old"), 0o755))
	for _, name := range []string{"train.py", "notebook.ipynb", ".azureml/MIGRATION.md", "old/MIGRATION.md"} {
		testkit.OK(t, syscall.Mkfifo(filepath.Join(dir, name), 0o644))
	}
	defer time.AfterFunc(time.Minute, func() { panic("the migration waits for a pipe") }).Stop()
	_, _, err := again(t, dir, emitters[0], "")
	testkit.OK(t, err)
}
