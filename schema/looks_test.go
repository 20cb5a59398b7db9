package schema_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestDiskIsAskedOnce checks that a project, and those made of it, give the same answer about a path however the disk
// changes meanwhile, and that a project read later gives the new one.
func TestDiskIsAskedOnce(t *testing.T) {
	root := schema.Root{Dir: t.TempDir()}
	p := schema.Load(root, schema.Options{})
	if p.Exists("code/train.py") || p.IsFolder("code") {
		t.Fatal("there is something in an empty folder")
	}
	testkit.Write(t, root.Dir, "code/train.py", "")
	for name, p := range map[string]*schema.Project{"the same": p, "changed": p.With(map[string][]byte{filepath.Join(root.Dir, "a.yml"): nil})} {
		if p.Exists("code/train.py") || p.IsFolder("code") {
			t.Errorf("%s: another answer than before", name)
		}
	}
	if p = schema.Load(root, schema.Options{}); !p.Exists("code/train.py") || !p.IsFolder("code") || p.IsFolder("code/train.py") {
		t.Error("what was written before the project was read is not seen")
	}
	testkit.OK(t, os.RemoveAll(filepath.Join(root.Dir, "code")))
	if !p.Exists("code/train.py") {
		t.Error("another answer than before")
	}
}
