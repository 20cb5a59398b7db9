//go:build unix

package transaction

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/testkit"
)

// lose removes or empties files of the stores, as a power failure may that were not synced.
func lose(t *testing.T, folder string, how func(name string) error, names ...string) {
	t.Helper()
	for _, n := range names {
		list, err := filepath.Glob(filepath.Join(folder, "*", "*", n)) // there may be none
		testkit.OK(t, err)
		for _, name := range list {
			testkit.OK(t, how(name))
		}
	}
}

func empty(name string) error { return os.Truncate(name, 0) }

// TestPowerFailure kills a transaction, or its undo, before each of its steps, and then loses what was not synced: the
// commit mark, old contents, or both. All files are old or all new afterwards, and repairing goes on.
func TestPowerFailure(t *testing.T) {
	for name, test := range map[string]struct {
		how             func(name string) error
		lost            []string
		mark            bool
		finished, names int // how often, for a commit; names counts recoveries that name a file
	}{
		"mark":                              {lost: nil, mark: true},
		"old contents emptied":              {empty, []string{"old-*"}, false, 9, 4},
		"old contents and mark":             {os.Remove, []string{"old-*"}, true, 4, 4},
		"old contents emptied, and mark":    {empty, []string{"old-*"}, true, 4, 4},
		"the first one's content, and mark": {empty, []string{"old-0"}, true, 4, 4},
	} {
		for _, do := range []string{"commit", "undo"} {
			t.Run(name+"/"+do, func(t *testing.T) {
				finished, names := 0, 0
				for step := 1; ; step++ {
					root, folder := project(t, before)
					if do == "undo" {
						s := open(t, folder, root)
						commit(t, s, edit(root))
						s.Close()
					}
					if err := spawn(t, root, folder, do, step).Run(); !killed(err) {
						break
					}
					lose(t, folder, test.how, test.lost...)
					if test.mark {
						lose(t, folder, os.Remove, commitName)
					}
					if r := goesOn(t, root, folder); r != nil && r.Finished {
						finished++
						names += min(len(r.Damaged), 1)
					} else if r != nil && len(r.Damaged) > 0 {
						t.Errorf("step %d: not all files are old: %v", step, r)
					}
				}
				if do == "commit" && (finished != test.finished || names != test.names) {
					t.Errorf("%d finished, %d of them with a name; want %d and %d", finished, names, test.finished, test.names)
				}
			})
		}
	}
}

// goesOn recovers a project after a power failure, makes another repair, and undoes both as the messages advise.
func goesOn(t *testing.T, root, folder string) *Recovery {
	t.Helper()
	s, r, err := Open(folder, root)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got := testkit.Contents(t, root); !cmp.Equal(got, before) && !cmp.Equal(got, after) {
		t.Errorf("neither old nor new: %v; %v", got, r)
	}
	if len(Pending(folder, []string{root})) > 0 {
		t.Error("a journal is left after the recovery")
	}
	commit(t, s, []File{{Path: filepath.Join(root, "next.yml"), New: []byte("next")}})
	for {
		_, err := s.Undo()
		if at, ok := errors.AsType[*PathError](err); ok && errors.Is(err, errDamaged) {
			name := filepath.Base(at.Path)
			if testkit.Contents(t, root)[name] == before[name] {
				t.Fatalf("undo goes on to say %v", err)
			}
			testkit.Write(t, root, name, before[name])
		} else if errors.Is(err, ErrNothingToUndo) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	same(t, root, before)
	return r
}

// TestKilledAfterPowerFailure kills the recovery from a power failure before each of its steps: the next one goes on.
func TestKilledAfterPowerFailure(t *testing.T) {
	for _, stopped := range []int{15, 18} { // the first and the last with a file of which nothing else is left
		for step := 1; ; step++ {
			root, folder := project(t, before)
			if err := spawn(t, root, folder, "commit", stopped).Run(); !killed(err) {
				t.Fatal(err)
			}
			lose(t, folder, empty, "old-*")
			lose(t, folder, os.Remove, commitName)
			err := spawn(t, root, folder, "recover", step).Run()
			goesOn(t, root, folder)
			if !killed(err) {
				if step < 5 {
					t.Errorf("only %d steps", step)
				}
				break
			}
		}
	}
}

// TestPowerFailureSplits loses the old content of a repaired file and the new content of another: the first one stays,
// and is named; the rest is undone, and nothing is held up.
func TestPowerFailureSplits(t *testing.T) {
	root, folder := project(t, before)
	const removesReplaced = 15
	if err := spawn(t, root, folder, "commit", removesReplaced).Run(); !killed(err) {
		t.Fatal(err)
	}
	lose(t, folder, empty, "old-0")
	for _, temp := range temporaries(t, root) {
		testkit.OK(t, os.Remove(temp))
	}
	testkit.Write(t, root, "b.runconfig", before["b.runconfig"])
	s, r, err := Open(folder, root)
	testkit.OK(t, err)
	defer s.Close()
	same(t, root, map[string]string{"a.compute": "new a", "b.runconfig": "old b", "gone.yml": "old gone"})
	if text := r.String(); r.Finished || len(r.Files) != 3 || !strings.Contains(text, "; the old content stored for undo is damaged, so compare with version control what is not undone: "+filepath.Join(root, "a.compute")) {
		t.Error(text)
	}
	commit(t, s, one(root, "a.compute", "new a", "newer"))
	if _, err := s.Undo(); err != nil {
		t.Error(err)
	}
}
