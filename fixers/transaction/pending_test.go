package transaction

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestPending asks for projects of which one has unfinished work, among fewer and among more projects than there are
// stores.
func TestPending(t *testing.T) {
	folder, roots := t.TempDir(), make([]string, 5)
	for i := range roots {
		roots[i] = t.TempDir()
	}
	for _, root := range roots[:3] {
		s, _, err := Open(folder, root)
		testkit.OK(t, err)
		s.Close()
	}
	testkit.Same(t, []string(nil), Pending(folder, roots))
	dir := filepath.Join(storeDir(folder, roots[1]), "t1")
	testkit.OK(t, os.MkdirAll(dir, 0o700))
	testkit.OK(t, os.WriteFile(filepath.Join(dir, journalName), nil, 0o600))
	testkit.Same(t, []string{roots[1]}, Pending(folder, roots))
	testkit.Same(t, []string{roots[1]}, Pending(folder, roots[1:2]))
	testkit.Same(t, []string(nil), Pending(folder, roots[2:3]))
}
