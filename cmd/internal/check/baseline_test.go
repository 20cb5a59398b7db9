package check

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/amlfix/amlfix/cmd/internal/baseline"
	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/settings"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestBaselineKeepsASave checks that changes saved after the baseline was read are not lost.
func TestBaselineKeepsASave(t *testing.T) {
	path := filepath.Join(t.TempDir(), baseline.Name)
	read, saved := []byte("version: 1\n"), "version: 1 # by hand\n"
	testkit.OK(t, os.WriteFile(path, []byte(saved), 0o644))
	content := func() string { return testkit.Read(t, path) }
	err := replaceBaseline(path, Root{Settings: &settings.Settings{}, known: &baseline.Baseline{Source: read}}, []byte("new"))
	if !errors.Is(err, disk.ErrChanged) || content() != saved {
		t.Errorf("%v, and the file contains %q", err, content())
	}
	if err := replaceBaseline(path, Root{Settings: &settings.Settings{}, known: &baseline.Baseline{Source: []byte(saved)}}, []byte("new")); err != nil || content() != "new" {
		t.Errorf("%v, and the file contains %q", err, content())
	}
}
