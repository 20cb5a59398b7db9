//go:build linux

package sparktest

import (
	"embed"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

//go:embed all:standin
var standin embed.FS

// StandIn returns the environment of a head node with stand-ins for spark-submit, yarn and hdfs, which identify
// themselves as such. They prove how they are called, and let amlfix's driver run on a node that is only a folder. mark
// is the variable that identifies a run's processes. The cluster's file system is the folder hdfs in the user's home,
// which the caller creates.
func StandIn(t testing.TB, mark string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	err := fs.WalkDir(standin, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if d.IsDir() {
			return os.MkdirAll(path, 0o755)
		}
		text, err := standin.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(path, text, 0o755)
	})
	for _, d := range []string{filepath.Dir(dir), dir} { // the users of the test's sshd must be able to read it
		if err == nil {
			err = os.Chmod(d, 0o755)
		}
	}
	testkit.OK(t, err)
	bin := filepath.Join(dir, "standin")
	return map[string]string{"PATH": bin + ":" + os.Getenv("PATH"), "AMLFIX_STANDIN": bin, "AMLFIX_STANDIN_MARK": mark}
}
