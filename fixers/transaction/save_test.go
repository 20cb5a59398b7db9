//go:build unix

package transaction

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/amlfix/amlfix/schema/testkit"
)

// saves are the ways in which editors write a file.
var saves = map[string]func(name, text string) error{
	"in place": func(name, text string) error { return os.WriteFile(name, []byte(text), 0o644) },
	"by rename": func(name, text string) error {
		if err := os.WriteFile(name+"~", []byte(text), 0o644); err != nil {
			return err
		}
		return os.Rename(name+"~", name)
	},
	"without a change": func(name, _ string) error { // a new file with the old text
		if err := os.WriteFile(name+"~", []byte("old b"), 0o644); err != nil {
			return err
		}
		return os.Rename(name+"~", name)
	},
}

// TestSaveBeforeEveryStep saves the second of four files before each step of a transaction: the save is there
// afterwards, whatever became of the transaction.
func TestSaveBeforeEveryStep(t *testing.T) {
	for how, save := range saves {
		t.Run(how, func(t *testing.T) {
			stopped, done := 0, 0
			for step := 1; ; step++ {
				root, folder := project(t, before)
				s := open(t, folder, root)
				name, n, placed := filepath.Join(root, "b.runconfig"), 0, false
				s.step = func(string) {
					if n++; n == step {
						text, err := os.ReadFile(name)
						placed = err == nil && string(text) == "new b"
						if err := save(name, "mine"); err != nil {
							t.Error(err)
						}
					}
				}
				err := s.Commit(edit(root))
				if n < step {
					break
				}
				mine := "mine"
				if how == "without a change" {
					mine = "old b"
				}
				want := map[string]string{"a.compute": "old a", "b.runconfig": mine, "gone.yml": "old gone"}
				if placed {
					want = map[string]string{"a.compute": "new a", "b.runconfig": mine, "made.yml": "made"}
				}
				same(t, root, want)
				if changed := new(ChangedError); placed != (err == nil) || err != nil && (!errors.As(err, &changed) || filepath.Base(changed.Path) != "b.runconfig") {
					t.Errorf("step %d, placed %v: %v", step, placed, err)
				}
				if err != nil {
					stopped++
				} else {
					done++
				}
			}
			if stopped < 8 || done < 2 {
				t.Errorf("%d were stopped, %d done", stopped, done)
			}
		})
	}
}

// TestSaveAtRandomMoments saves from another goroutine: no save is lost, and a transaction that says it was done was.
func TestSaveAtRandomMoments(t *testing.T) {
	stopped := 0
	for n := range 300 {
		root, folder := project(t, before)
		s := open(t, folder, root)
		name := filepath.Join(root, "b.runconfig")
		mine := fmt.Sprintf("mine %d", n)
		saved := make(chan error)
		go func() {
			time.Sleep(time.Duration(rand.IntN(1500)) * time.Microsecond)
			saved <- saves[[]string{"in place", "by rename"}[n%2]](name, mine)
		}()
		err := s.Commit(edit(root))
		testkit.OK(t, <-saved)
		if err != nil {
			stopped++
		}
		got := testkit.Contents(t, root)
		if got["b.runconfig"] != mine {
			t.Errorf("the save is lost: %q, and the transaction says %v", got["b.runconfig"], err)
		}
		s.Close()
	}
	t.Logf("%d of 300 were stopped", stopped)
}
