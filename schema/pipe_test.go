//go:build unix

package schema_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestPipe holds that a pipe among the files is an error, not a wait for a writer.
func TestPipe(t *testing.T) {
	dir := t.TempDir()
	testkit.OK(t, os.Mkdir(filepath.Join(dir, "aml_config"), 0o755))
	if err := syscall.Mkfifo(filepath.Join(dir, "aml_config", "g.compute"), 0o644); err != nil {
		t.Skipf("SKIPPED: no pipes here: %v", err)
	}
	roots, err := schema.Discover([]string{dir})
	if err != nil || len(roots) != 1 {
		t.Fatalf("%v, %v", roots, err)
	}
	f := schema.Load(roots[0], schema.Options{}).Files[0]
	if f.Err == nil || !strings.Contains(schema.ReadError(f.Err), "not a regular file") {
		t.Errorf("%v", f.Err)
	}
}
