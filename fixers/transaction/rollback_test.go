//go:build unix

package transaction

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestSaveDuringRollback saves one file while another, changed before, makes the transaction go back: both saves are
// there afterwards.
func TestSaveDuringRollback(t *testing.T) {
	for how, save := range saves {
		for _, name := range []string{"a.compute", "b.runconfig", "made.yml", "gone.yml"} {
			if how == "without a change" && name != "b.runconfig" {
				continue // it saves the old text of that one
			}
			t.Run(how+"/"+name, func(t *testing.T) {
				hits := 0
				for step := 1; step < 8; step++ {
					root, folder := project(t, before)
					s := open(t, folder, root)
					files := append(edit(root), File{Path: filepath.Join(root, "last.yml"), New: []byte("last")})
					reverts := 0
					s.step = func(what string) {
						if what == "put in place" { // the last file is taken, so that the others go back
							_ = os.WriteFile(filepath.Join(root, "last.yml"), []byte("taken"), 0o644)
						}
						if what != "revert a file" {
							return
						}
						if reverts++; reverts == step {
							hits++
							if err := save(filepath.Join(root, name), "mine"); err != nil {
								t.Error(err)
							}
						}
					}
					if err := s.Commit(files); err == nil {
						t.Fatal("done, though a file was in the way")
					}
					if reverts < step {
						break
					}
					want := map[string]string{"last.yml": "taken"}
					maps.Copy(want, before)
					if want[name] = "mine"; how == "without a change" {
						want[name] = "old b"
					}
					same(t, root, want)
				}
				if hits < 4 {
					t.Errorf("only %d saves", hits)
				}
			})
		}
	}
}

// TestSaveIntoReplaced kills a transaction before each of its steps. What an editor that had the file open writes into
// the replaced file is not dropped by the recovery.
func TestSaveIntoReplaced(t *testing.T) {
	saved := 0
	for step, do := 1, "commit"; ; step++ {
		root, folder := project(t, before)
		if err := spawn(t, root, folder, do, step).Run(); !killed(err) {
			if do != "commit" {
				break
			}
			step, do = 0, "commit 1" // the same with one file
			continue
		}
		for name, text := range testkit.Contents(t, root) {
			if strings.HasPrefix(name, ".amlfix-") && text == "old b" {
				saved++
				testkit.Write(t, root, name, "mine")
				settle(t, root, folder)
				same(t, root, map[string]string{"a.compute": "old a", "b.runconfig": "mine", "gone.yml": "old gone"})
			}
		}
	}
	if saved < 5 {
		t.Errorf("only %d saves", saved)
	}
}

// TestFolderGoneAfterKill kills a transaction before each of its steps, and lets its folder go or become a link or a
// file: later commands are not held up.
func TestFolderGoneAfterKill(t *testing.T) {
	for how, gone := range map[string]func(at, aside string) error{
		"removed": func(at, _ string) error { return os.RemoveAll(at) },
		"a link": func(at, aside string) error {
			if err := os.Rename(at, aside); err != nil {
				return err
			}
			return os.Symlink(aside, at)
		},
		"a file": func(at, _ string) error {
			if err := os.RemoveAll(at); err != nil {
				return err
			}
			return os.WriteFile(at, nil, 0o644)
		},
	} {
		t.Run(how, func(t *testing.T) {
			for step := 1; ; step++ {
				root, folder := project(t, before)
				sub := filepath.Join(root, "aml_config")
				testkit.OK(t, os.Mkdir(sub, 0o755))
				testkit.Write(t, root, "aml_config/a.compute", "old a")
				s := open(t, folder, root)
				files := []File{
					{Path: filepath.Join(root, "b.runconfig"), Old: []byte("old b"), New: []byte("new b")},
					{Path: filepath.Join(sub, "a.compute"), Old: []byte("old a"), New: []byte("new a")},
				}
				n := 0
				s.step = func(string) {
					if n++; n == step {
						panic("killed")
					}
				}
				func() {
					defer func() { _ = recover() }()
					_ = s.Commit(files)
				}()
				if s.Close(); n < step {
					break
				}
				testkit.OK(t, gone(sub, filepath.Join(root, "aside")))
				for range 2 {
					again, _, err := Open(folder, root)
					if err != nil {
						t.Fatalf("step %d: %v", step, err)
					}
					again.Close()
				}
				if len(Pending(folder, []string{root})) > 0 {
					t.Errorf("step %d: a journal is left", step)
				}
			}
		})
	}
}
