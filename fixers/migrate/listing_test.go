package migrate

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestWalk compares walk with filepath.WalkDir, also for a second walk and for folders that are skipped.
func TestWalk(t *testing.T) {
	dir := testkit.Lay(t, map[string]string{"a/b/c.py": "", "a/d.py": "", "a.py": "", "skip/e.py": "", "stop/f.py": "", "z.py": ""})
	testkit.OK(t, os.Symlink("a", filepath.Join(dir, "link")))
	testkit.OK(t, os.Mkdir(filepath.Join(dir, "empty"), 0o755))
	folders := listing{}
	for _, root := range []string{dir, filepath.Join(dir, "a"), filepath.Join(dir, "a.py"), filepath.Join(dir, "link"), filepath.Join(dir, "none")} {
		var want, got []string
		visit := func(met *[]string) fs.WalkDirFunc {
			return func(name string, e fs.DirEntry, err error) error {
				*met = append(*met, fmt.Sprint(name, e, err))
				switch filepath.Base(name) {
				case "skip":
					return fs.SkipDir
				case "f.py":
					return fs.SkipAll
				}
				return nil
			}
		}
		testkit.OK(t, filepath.WalkDir(root, visit(&want)))
		folders.walk(root, visit(&got))
		testkit.Same(t, fmt.Sprint(got), fmt.Sprint(want))
	}
	testkit.OK(t, os.RemoveAll(filepath.Join(dir, "a")))
	met := 0
	folders.walk(filepath.Join(dir, "a"), func(string, fs.DirEntry, error) error { met++; return nil })
	folders.walk(dir, func(string, fs.DirEntry, error) error { met++; return nil })
	testkit.Same(t, met, 1+13) // all that was listed before, and skip/e.py
}
