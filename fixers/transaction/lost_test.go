package transaction

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestLostJournal leaves of a journal what a power failure may: an unfinished transaction is forgotten, and one that
// could be undone is skipped. A journal that is damaged in another way still stops every repair.
func TestLostJournal(t *testing.T) {
	for name, tt := range map[string]struct {
		file, text string
		fails      bool
	}{
		"unfinished, empty":   {journalName, "", false},
		"unfinished, zeros":   {journalName, "\x00\x00\x00", false},
		"unfinished, damaged": {journalName, "{\"version\": 2,", true},
		"finished, empty":     {undoName, "", false},
		"finished, zeros":     {undoName, "\x00\x00\x00", false},
	} {
		t.Run(name, func(t *testing.T) {
			root, folder := project(t, map[string]string{"a.compute": "1"})
			s := open(t, folder, root)
			commit(t, s, one(root, "a.compute", "1", "2"))
			commit(t, s, one(root, "a.compute", "2", "3"))
			dir := filepath.Join(s.dir.Path(), "00000002")
			testkit.OK(t, os.Rename(filepath.Join(dir, undoName), filepath.Join(dir, tt.file)))
			testkit.OK(t, os.WriteFile(filepath.Join(dir, tt.file), []byte(tt.text), 0o600))
			s.Close()
			s, recovery, err := Open(folder, root)
			if tt.fails {
				if err == nil {
					t.Error("a damaged journal was ignored")
				}
				return
			}
			testkit.OK(t, err)
			t.Cleanup(s.Close)
			_, missing := os.Stat(dir)
			if recovery != nil || (tt.file == journalName) != errors.Is(missing, os.ErrNotExist) {
				t.Errorf("recovery %v, and of its folder: %v", recovery, missing)
			}
			commit(t, s, one(root, "a.compute", "3", "2")) // later repairs are not blocked
			for _, want := range []string{"3", "1"} {
				_, err := s.Undo()
				testkit.OK(t, err)
				same(t, root, map[string]string{"a.compute": want})
				if want == "3" {
					testkit.Write(t, root, "a.compute", "2") // as the transaction before the lost one left it
				}
			}
		})
	}
}
