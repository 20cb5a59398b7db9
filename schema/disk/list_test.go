package disk

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestList: it returns what os.ReadDir does.
func TestList(t *testing.T) {
	dir := t.TempDir()
	testkit.OK(t, os.MkdirAll(filepath.Join(dir, "sub", "empty"), 0o755))
	testkit.OK(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	if err := os.Symlink("sub", filepath.Join(dir, "link")); err != nil {
		t.Log(err) // as on Windows
	}
	for i := range 500 { // more than the system returns at once
		name := fmt.Sprintf("%d-ü %s", i, strings.Repeat("x", i%200))
		testkit.OK(t, os.WriteFile(filepath.Join(dir, "sub", name), nil, 0o600))
	}
	for _, name := range []string{dir, filepath.Join(dir, "sub"), filepath.Join(dir, "sub", "empty"), filepath.Join(dir, "file"),
		filepath.Join(dir, "link"), filepath.Join(dir, "missing"), "", "a\x00b", os.DevNull} {
		got, err := List(name)
		want, wantErr := listAny(name)
		testkit.Same(t, fmt.Sprint(err), fmt.Sprint(wantErr))
		if d := cmp.Diff(want, got); d != "" && len(want) > 0 {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
		if _, ok := errors.AsType[*os.PathError](err); err != nil && !ok {
			t.Errorf("%s: %T", name, err)
		}
	}
}
