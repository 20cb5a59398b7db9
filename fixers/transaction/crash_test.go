//go:build unix

package transaction

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestMain turns this test binary into the child that is killed: with a root in the environment it runs one transaction
// and stops at the given step.
func TestMain(m *testing.M) {
	root := os.Getenv("AMLFIX_TEST_ROOT")
	if root == "" {
		os.Exit(m.Run())
	}
	os.Exit(child(root, os.Getenv("AMLFIX_TEST_FOLDER"), os.Getenv("AMLFIX_TEST_DO")))
}

// child commits (all files or, as in "commit 2", one) or undoes, reporting each step on its output and killing itself
// before the one that the parent named.
func child(root, folder, do string) int {
	do, one, _ := strings.Cut(do, " ")
	at, _ := strconv.Atoi(os.Getenv("AMLFIX_TEST_STEP")) // 0, no step, when unset
	n := 0
	step := func(string) {
		if n++; n == at {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}
	if do == "recover" {
		firstStep = step
	}
	s, _, err := Open(folder, root)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	s.step = step
	_, _ = os.Stdout.WriteString("open\n")
	switch do {
	case "undo":
		_, err = s.Undo()
	case "commit":
		files := edit(root)
		if n, err := strconv.Atoi(one); err == nil {
			files = files[n : n+1]
		}
		err = s.Commit(files)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func spawn(t *testing.T, root, folder, do string, step int) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "AMLFIX_TEST_ROOT="+root, "AMLFIX_TEST_FOLDER="+folder, "AMLFIX_TEST_DO="+do, "AMLFIX_TEST_STEP="+strconv.Itoa(step))
	cmd.Stderr = os.Stderr
	return cmd
}

func killed(err error) bool {
	exit, ok := err.(*exec.ExitError) //nolint:errorlint // Run returns it unwrapped
	return ok && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL
}

// TestKilledAtEveryStep kills a real process before each numbered step of a transaction of all files, or of one that is
// changed, made or removed, and of its undo. After the next Open all files are old or all new.
func TestKilledAtEveryStep(t *testing.T) {
	with := func(name, text string) map[string]string {
		files := maps.Clone(before)
		files[name] = text
		maps.DeleteFunc(files, func(_, text string) bool { return text == "" })
		return files
	}
	for commit, made := range map[string]map[string]string{
		"commit": after, "commit 0": with("a.compute", "new a"), "commit 2": with("made.yml", "made"), "commit 3": with("gone.yml", ""),
	} {
		t.Run(commit, func(t *testing.T) { killedAtEveryStep(t, commit, commit, made) })
		t.Run("undo "+commit, func(t *testing.T) { killedAtEveryStep(t, commit, "undo", made) })
	}
}

// killedAtEveryStep kills a commit, or the undo of one, which makes other files of before.
func killedAtEveryStep(t *testing.T, commit, do string, made map[string]string) {
	old, updated, least := before, made, 14
	if do == "undo" {
		old, updated = made, before
	}
	if commit != "commit" {
		least = 5
	}
	finished, reverted := 0, 0
	for step := 1; ; step++ {
		root, folder := project(t, before)
		if do == "undo" {
			testkit.OK(t, spawn(t, root, folder, commit, 0).Run())
		}
		err := spawn(t, root, folder, do, step).Run()
		if err == nil {
			if steps := step - 1; steps < least {
				t.Errorf("only %d steps were hit", steps)
			}
			break
		}
		if !killed(err) {
			t.Fatalf("step %d: %v", step, err)
		}
		whole(t, root, old, updated)
		got, recovery := settled(t, root, folder)
		switch {
		case cmp.Equal(got, old):
			reverted++
		case cmp.Equal(got, updated):
			finished++
		default:
			t.Errorf("step %d: neither old nor new:\n%s", step, cmp.Diff(updated, got))
		}
		if recovery != nil && recovery.Finished != cmp.Equal(got, updated) {
			t.Errorf("step %d: %v", step, recovery)
		}
		undoable(t, root, folder, cmp.Equal(got, made))
	}
	if finished == 0 || reverted == 0 {
		t.Errorf("%d finished, %d reverted: both were to happen", finished, reverted)
	}
}

// whole checks that at the instant of the kill each file is old or new, or was to appear or go; a temporary file may be
// beside it.
func whole(t *testing.T, root string, old, updated map[string]string) {
	t.Helper()
	got := testkit.Contents(t, root)
	for name, text := range got {
		if filepath.Base(name)[0] != '.' && text != old[name] && text != updated[name] {
			t.Errorf("%s holds %q", name, text)
		}
	}
	for name := range old {
		if _, stays := updated[name]; stays && got[name] == "" {
			t.Errorf("%s is missing", name)
		}
	}
}

// settle opens the store, as the next amlfix does, and returns the files then.
func settle(t *testing.T, root, folder string) map[string]string {
	t.Helper()
	files, _ := settled(t, root, folder)
	return files
}

// settled also returns what the recovery says.
func settled(t *testing.T, root, folder string) (map[string]string, *Recovery) {
	t.Helper()
	s, recovery, err := Open(folder, root)
	testkit.OK(t, err)
	s.Close()
	if len(Pending(folder, []string{root})) > 0 {
		t.Error("a journal is left after the recovery")
	}
	return testkit.Contents(t, root), recovery
}

// undoable checks that what is done can be undone, and that what was undone is forgotten.
func undoable(t *testing.T, root, folder string, done bool) {
	t.Helper()
	s := open(t, folder, root)
	defer s.Close()
	_, err := s.Undo()
	if done && err != nil || !done && !errors.Is(err, ErrNothingToUndo) {
		t.Errorf("done: %v, and undo says %v", done, err)
	}
	same(t, root, before)
}

// kills is how many processes the next test kills: few in a plain run.
func kills() int {
	if os.Getenv("AMLFIX_TEST_FULL") != "" {
		return 1000
	}
	return 50
}

// TestKilledAgainAndAgain kills a commit or an undo at a random step, and up to three recoveries after it; in between
// kills come from outside, at any instruction.
func TestKilledAgainAndAgain(t *testing.T) {
	dead := 0
	for n := 0; dead < kills(); n++ {
		root, folder := project(t, before)
		do := []string{"commit", "undo"}[n%2]
		if do == "undo" {
			testkit.OK(t, spawn(t, root, folder, "commit", 0).Run())
		}
		for _, what := range []string{do, "recover", "recover", "recover"} {
			cmd := spawn(t, root, folder, what, 1+rand.IntN(28))
			testkit.OK(t, cmd.Start())
			if rand.IntN(3) == 0 {
				time.Sleep(time.Duration(rand.IntN(6000)) * time.Microsecond)
				_ = cmd.Process.Kill()
			}
			if killed(cmd.Wait()) {
				dead++
			}
			whole(t, root, before, after)
		}
		got := settle(t, root, folder)
		if !cmp.Equal(got, before) && !cmp.Equal(got, after) {
			t.Errorf("neither old nor new:\n%s", cmp.Diff(after, got))
		}
		undoable(t, root, folder, cmp.Equal(got, after))
	}
	t.Logf("%d kills", dead)
}

// TestTwoAtOnce runs two real processes on one project: one waits, one repairs.
func TestTwoAtOnce(t *testing.T) {
	root, folder := project(t, before)
	s := open(t, folder, root)
	second := spawn(t, root, folder, "commit", 0)
	testkit.OK(t, second.Start())
	time.Sleep(200 * time.Millisecond)
	same(t, root, before)
	s.Close()
	testkit.OK(t, second.Wait())
	same(t, root, after)
}

// TestRecoveryLeavesEditsAlone checks that what somebody wrote after the crash is not overwritten by the recovery, and
// is named.
func TestRecoveryLeavesEditsAlone(t *testing.T) {
	root, folder := project(t, before)
	const afterTwoRenames = 12
	if err := spawn(t, root, folder, "commit", afterTwoRenames).Run(); !killed(err) {
		t.Fatal(err)
	}
	testkit.Write(t, root, "b.runconfig", "mine")
	s, recovery, err := Open(folder, root)
	testkit.OK(t, err)
	s.Close()
	if recovery == nil || len(recovery.Edited) != 1 || filepath.Base(recovery.Edited[0]) != "b.runconfig" {
		t.Errorf("recovery %v; want b.runconfig named as edited", recovery)
	}
	if got := testkit.Contents(t, root); got["b.runconfig"] != "mine" || got["made.yml"] != "made" {
		t.Errorf("files %v", got)
	}
}

// TestEditAfterKill edits the only file of a repair, or of its undo, that was killed before any of its steps: the edit
// stays. When it is taken back, all repairs can still be undone.
func TestEditAfterKill(t *testing.T) {
	for _, do := range []string{"commit 0", "undo"} {
		for step := 1; ; step++ {
			root, folder := project(t, before)
			testkit.OK(t, spawn(t, root, folder, "commit 1", 0).Run())
			if do == "undo" {
				testkit.OK(t, spawn(t, root, folder, "commit 0", 0).Run())
			}
			if err := spawn(t, root, folder, do, step).Run(); !killed(err) {
				break
			}
			killedAt := testkit.Contents(t, root)["a.compute"]
			testkit.Write(t, root, "a.compute", "mine")
			if got := settle(t, root, folder)["a.compute"]; got != "mine" {
				t.Errorf("%s, step %d: it holds %q", do, step, got)
			}
			testkit.Write(t, root, "a.compute", killedAt)
			s := open(t, folder, root)
			var err error
			for err == nil {
				_, err = s.Undo()
			}
			if got := testkit.Contents(t, root); !errors.Is(err, ErrNothingToUndo) || !cmp.Equal(got, before) {
				t.Errorf("%s, step %d: undo ends with %v and leaves %v", do, step, err, cmp.Diff(before, got))
			}
		}
	}
}
