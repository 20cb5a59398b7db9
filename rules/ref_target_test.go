package rules_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestTargetBehindALink checks that a .compute file that is a link out of the project, and so is not read, is not
// reported as missing.
func TestTargetBehindALink(t *testing.T) {
	dir, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "shared.compute")
	config := filepath.Join(dir, "aml_config")
	for _, err := range []error{
		os.Mkdir(config, 0o755),
		os.WriteFile(elsewhere, []byte("type: localdocker\n"), 0o644),
		os.Symlink(elsewhere, filepath.Join(config, "shared.compute")),
		os.WriteFile(filepath.Join(config, "a.runconfig"), []byte("ArgumentVector: [\"$file\"]\nTarget: shared\n"), 0o644),
		os.WriteFile(filepath.Join(config, "b.runconfig"), []byte("ArgumentVector: [\"$file\"]\nTarget: gone\n"), 0o644),
	} {
		testkit.OK(t, err)
	}
	roots, err := schema.Discover([]string{dir})
	if err != nil || len(roots) != 1 {
		t.Fatalf("roots %v, error %v", roots, err)
	}
	var missing []string
	for _, f := range rules.Check(schema.Load(roots[0], schema.Options{})) {
		if f.Rule == "ref/target" {
			missing = append(missing, filepath.Base(f.Source.Path))
		}
	}
	if len(missing) != 1 || missing[0] != "b.runconfig" {
		t.Errorf("missing targets are reported in %v, want b.runconfig alone", missing)
	}
}
