//go:build unix

package transaction

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/testkit"
)

// put writes a file as an editor does; an empty text removes it.
func put(t *testing.T, root, name, text string, r *rand.Rand) {
	t.Helper()
	switch at := filepath.Join(root, name); {
	case text == "":
		_ = os.Remove(at)
	case r.IntN(2) == 0:
		testkit.Write(t, root, name, text)
	default:
		testkit.Write(t, root, "new", text)
		testkit.OK(t, os.Rename(filepath.Join(root, "new"), at))
	}
}

// TestKillsAndEdits kills a commit or an undo at a random step, and recoveries after it, and edits files in between, or
// sets them to what they held before or after it. The other files are all old or all new at the end, what somebody
// wrote stays, and all can be undone once the edits are taken back.
func TestKillsAndEdits(t *testing.T) {
	seed := uint64(os.Getpid())
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range kills() {
		root, folder := project(t, before)
		do := []string{"commit", "undo"}[i%2]
		if do == "undo" {
			testkit.OK(t, spawn(t, root, folder, "commit", 0).Run())
		}
		var log []string
		mine := map[string]string{} // by file, "" for one that was set back
		for k, what := range []string{do, "recover", "recover", "recover"} {
			step := 1 + r.IntN(28)
			_ = spawn(t, root, folder, what, step).Run()
			log = append(log, fmt.Sprint(what, " ", step, " ", testkit.Contents(t, root)))
			if r.IntN(2) == 0 {
				name := []string{"a.compute", "b.runconfig", "made.yml", "gone.yml"}[r.IntN(4)]
				mine[name] = ""
				text := []string{before[name], after[name], fmt.Sprint("mine ", i, k)}[r.IntN(3)]
				if text != before[name] && text != after[name] {
					mine[name] = text
				}
				put(t, root, name, text, r)
				log = append(log, fmt.Sprint("edit ", name, " ", text))
			}
		}
		got := settle(t, root, folder)
		log = append(log, fmt.Sprint("at the end ", got))
		old, updated := true, true
		for _, name := range []string{"a.compute", "b.runconfig", "made.yml", "gone.yml"} {
			text, edited := mine[name]
			if edited && text != "" && got[name] != text {
				t.Errorf("seed %d: the edit of %s is lost: %q", seed, name, log)
			}
			old, updated = old && (edited || got[name] == before[name]), updated && (edited || got[name] == after[name])
		}
		if !old && !updated {
			t.Errorf("seed %d: neither old nor new: %q", seed, log)
		}
		if len(temporaries(t, root)) > 0 {
			t.Errorf("seed %d: left over: %q", seed, log)
		}
		if !updated || old {
			continue
		}
		for name := range mine {
			put(t, root, name, after[name], r)
		}
		s := open(t, folder, root)
		_, err := s.Undo()
		s.Close()
		if got := testkit.Contents(t, root); err != nil || !cmp.Equal(got, before) {
			t.Errorf("seed %d: not undone: %v, %v: %q", seed, err, got, log)
		}
	}
}

// TestRemovedFileWrittenAgain kills a transaction, and writes a file that it removes with its old text, as if that had
// not happened: the recovery may remove it again, and undo then brings it back.
func TestRemovedFileWrittenAgain(t *testing.T) {
	for step := 1; ; step++ {
		root, folder := project(t, before)
		if !killed(spawn(t, root, folder, "commit", step).Run()) {
			break
		}
		testkit.Write(t, root, "gone.yml", before["gone.yml"])
		if got := settle(t, root, folder); got["gone.yml"] != before["gone.yml"] {
			s := open(t, folder, root)
			_, err := s.Undo()
			s.Close()
			testkit.Same(t, before, testkit.Contents(t, root), "step %d: %v", step, err)
		}
		testkit.Same(t, 0, len(temporaries(t, root)), "step %d", step)
	}
}

// TestUndoIsNotReverted kills an undo when its files are restored, and writes one as the repair had: the originals of
// the others stay, since nothing could bring them back.
func TestUndoIsNotReverted(t *testing.T) {
	restored := 0
	for step := 1; ; step++ {
		root, folder := project(t, before)
		testkit.OK(t, spawn(t, root, folder, "commit", 0).Run())
		if !killed(spawn(t, root, folder, "undo", step).Run()) {
			break
		}
		if !cmp.Equal(testkit.Contents(t, root), before) {
			continue
		}
		restored++
		testkit.Write(t, root, "a.compute", after["a.compute"])
		if got := settle(t, root, folder); got["b.runconfig"] != before["b.runconfig"] {
			s := open(t, folder, root)
			_, err := s.Undo()
			s.Close()
			testkit.Same(t, before["b.runconfig"], testkit.Contents(t, root)["b.runconfig"], "step %d: %v", step, err)
		}
	}
	if restored < 4 {
		t.Errorf("only %d steps after all files were restored", restored)
	}
}

// TestUndoOfRestoredFiles undoes a repair whose files were all restored by hand: only its record goes, in two steps.
func TestUndoOfRestoredFiles(t *testing.T) {
	root, folder := project(t, before)
	s := open(t, folder, root)
	commit(t, s, one(root, "a.compute", before["a.compute"], "new a"))
	testkit.Write(t, root, "a.compute", before["a.compute"])
	var steps []string
	s.step = func(name string) { steps = append(steps, name) }
	paths, err := s.Undo()
	testkit.OK(t, err)
	testkit.Same(t, 1, len(paths))
	testkit.Same(t, []string{"forget a transaction", "remove its content"}, slices.Compact(steps))
	if _, err := s.Undo(); err != ErrNothingToUndo { //nolint:errorlint // it is returned as it is
		t.Error(err)
	}
}

// TestEditedAfterDamage kills a transaction whose old content is then damaged in the store, while it still lies beside
// a file that somebody edits: undo works once the edit is taken back.
func TestEditedAfterDamage(t *testing.T) {
	root, folder := project(t, before)
	const removesReplaced = 14
	if err := spawn(t, root, folder, "commit", removesReplaced).Run(); !killed(err) {
		t.Fatal(err)
	}
	lose(t, folder, empty, "old-0")
	testkit.Write(t, root, "a.compute", "mine")
	settle(t, root, folder)
	testkit.Write(t, root, "a.compute", after["a.compute"])
	s := open(t, folder, root)
	defer s.Close()
	_, err := s.Undo()
	testkit.OK(t, err)
	same(t, root, before)
}

// TestUnreadableOldContent has something else where an old content was: it holds up nothing.
func TestUnreadableOldContent(t *testing.T) {
	for name, make := range map[string]func(name string) error{
		"a folder":  func(name string) error { return os.Mkdir(name, 0o700) },
		"a link":    func(name string) error { return os.Symlink("/nowhere", name) },
		"too large": func(name string) error { return os.WriteFile(name, make([]byte, sizeLimit+1), 0o600) },
	} {
		for step := 12; step < 19; step++ {
			root, folder := project(t, before)
			if err := spawn(t, root, folder, "commit", step).Run(); !killed(err) {
				t.Fatal(err)
			}
			lose(t, folder, func(name string) error { _ = os.Remove(name); return make(name) }, "old-0")
			if got := settle(t, root, folder); !cmp.Equal(got, before) && !cmp.Equal(got, after) {
				t.Errorf("%s, step %d: neither old nor new: %v", name, step, got)
			}
		}
	}
}

// TestFullStoreAfterDamage fills the store's disk after an old content was damaged: what is still beside the file goes
// back, or nothing more than before is lost.
func TestFullStoreAfterDamage(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: a full disk needs root to mount one: run the tests as root")
	}
	for step := 7; step < 15; step++ {
		root, folder := project(t, before)
		if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=64k", "none", folder).CombinedOutput(); err != nil {
			t.Skipf("SKIPPED: no file system can be mounted here: %s", out)
		}
		t.Cleanup(func() { _ = exec.Command("umount", "-l", folder).Run() })
		if err := spawn(t, root, folder, "commit", step).Run(); !killed(err) {
			t.Fatal(err)
		}
		lose(t, folder, empty, "old-0")
		if os.WriteFile(filepath.Join(folder, "filler"), make([]byte, 1<<20), 0o600) == nil {
			t.Fatal("the disk is not full")
		}
		testkit.Same(t, before, settle(t, root, folder), "step %d", step)
	}
}

// TestExpireLeavesUnfinished checks that nothing expires in a store with an unfinished transaction: an undo goes by
// what is left of the one that it undoes.
func TestExpireLeavesUnfinished(t *testing.T) {
	t.Setenv("AMLFIX_UNDO_DAYS", "0")
	root, folder := project(t, before)
	testkit.OK(t, spawn(t, root, folder, "commit", 0).Run())
	if !killed(spawn(t, root, folder, "undo", 6).Run()) {
		t.Fatal("the undo was not killed")
	}
	list, err := filepath.Glob(filepath.Join(folder, "*", "*", undoName))
	testkit.OK(t, err)
	testkit.Same(t, 1, len(list))
	forget(filepath.Dir(filepath.Dir(list[0])), filepath.Base(filepath.Dir(list[0])))
	if _, err := os.Stat(list[0]); err != nil {
		t.Error(err)
	}
	settle(t, root, folder)
	forget(filepath.Dir(filepath.Dir(list[0])), filepath.Base(filepath.Dir(list[0])))
	if _, err := os.Stat(list[0]); err == nil {
		t.Error("it is kept, though nothing is unfinished")
	}
}
