//go:build unix

package main

import (
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/schema/testkit"
)

// crashes returns how many processes the crash loop kills: few in a plain run.
func crashes() int {
	if os.Getenv("AMLFIX_TEST_FULL") != "" {
		return 1000
	}
	return 50
}

// crash describes a command to kill, the state it starts from, and what must be true of the files afterwards, before
// another amlfix runs.
type crash struct {
	args    []string
	prepare []string // a command that completes before it
	holds   func(t *testing.T, got, before, after map[string]string)

	took  time.Duration     // by the last one that was not killed
	after map[string]string // the files when it was not killed
}

// eitherWay checks that, after the next amlfix, everything is as before or as after.
func eitherWay(t *testing.T, got, before, after map[string]string) {
	t.Helper()
	if !cmp.Equal(got, before) && !cmp.Equal(got, after) {
		t.Errorf("neither before nor after (-after +got):\n%s", cmp.Diff(after, got))
	}
}

// wholeOrNot checks that every file is as before or as after. A file that a killed process had not renamed yet may be
// beside it, under amlfix's temporary name.
func wholeOrNot(t *testing.T, got, before, after map[string]string) {
	t.Helper()
	settled := map[string]string{}
	for name, text := range got {
		if !strings.Contains(name, ".amlfix-") {
			settled[name] = text
		}
	}
	settled[".amlfix-baseline.yaml"] = got[".amlfix-baseline.yaml"]
	for _, side := range []map[string]string{before, after} {
		side[".amlfix-baseline.yaml"] += ""
	}
	if name := ".amlignore"; got[name] == after[name] { // a migration writes it just before its folder
		before[name] = got[name]
		if got[name] == "" {
			delete(before, name)
		}
	}
	eitherWay(t, settled, before, after)
}

// TestCrashLoop kills --apply, undo, baseline, migrate and a run at random moments.
//
//testkit:norace
func TestCrashLoop(t *testing.T) {
	t.Parallel()
	commands := []*crash{
		{args: []string{"--apply"}, holds: eitherWay},
		{args: []string{"undo"}, prepare: []string{"--apply"}, holds: eitherWay},
		{args: []string{"baseline"}, holds: wholeOrNot},
		{args: []string{"migrate", "--to", "v2", "--out", "v2"}, holds: wholeOrNot},
	}
	project := strings.ReplaceAll(gpuFaults+"-- aml_config/local.compute --\ntype: local\n-- aml_config/local.runconfig --\nFramework: Python\nTarget: local\n-- t.py --\nprint(1)\n", "-- ", "-- p/")
	dead := 0
	for n := 0; dead < crashes(); n++ {
		c := commands[n%len(commands)]
		made := func() string {
			dir := filepath.Join(testkit.Folder(t, project), "p") // migrate names things after the folder
			if c.prepare != nil {
				amlfixAgain(t, dir, c.prepare...)
			}
			return dir
		}
		dir := made()
		before := testkit.Contents(t, dir)
		if c.after == nil {
			whole := made()
			start := time.Now()
			if err := spawn(t, whole, c.args...).Run(); err != nil && c.args[0] != "migrate" {
				t.Fatalf("%v: %v", c.args, err)
			}
			c.took, c.after = time.Since(start), testkit.Contents(t, whole)
			if cmp.Equal(before, c.after) {
				t.Fatalf("%v changes nothing", c.args)
			}
		}
		after := maps.Clone(c.after)
		cmd, start := spawn(t, dir, c.args...), time.Now()
		testkit.OK(t, cmd.Start())
		// it writes in the last third of its time, and what comes after its end kills nothing
		kill := time.AfterFunc(c.took/2+time.Duration(rand.Int64N(int64(c.took)*2/3)), func() { _ = cmd.Process.Signal(syscall.SIGKILL) })
		_ = cmd.Wait()
		kill.Stop()
		if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
			dead++
		} else {
			c.took = time.Since(start) // the machine may do more or less than before
		}
		if c.args[0] == "--apply" || c.args[0] == "undo" {
			amlfixAgain(t, dir) // recovers
		}
		c.holds(t, testkit.Contents(t, dir), before, after)
		if c.args[0] == "undo" {
			if r := amlfixAgain(t, dir, "undo"); r.code == int(console.Failure) {
				t.Errorf("undo after a killed one: %+v", r)
			}
			if got := testkit.Contents(t, dir); !cmp.Equal(got, after) {
				t.Errorf("it cannot be undone any more (-undone +got):\n%s", cmp.Diff(after, got))
			}
		}
	}
	t.Logf("%d kills", dead)
}

// TestCrashOfARun kills a run at random moments: its record is readable or does not exist, and the next command works.
func TestCrashOfARun(t *testing.T) {
	t.Parallel()
	testkit.Program(t, "python3") // which runs t.py
	const project = "-- aml_config/local.compute --\ntype: local\n-- aml_config/local.runconfig --\nFramework: Python\nTarget: local\n-- t.py --\nprint(1)\n"
	dir := testkit.Folder(t, project)
	start := time.Now()
	testkit.OK(t, spawn(t, dir, "run", "-c", "local", "t.py").Run())
	took := time.Since(start)
	for dead := 0; dead < crashes()/5; {
		cmd := spawn(t, dir, "run", "-c", "local", "t.py")
		testkit.OK(t, cmd.Start())
		time.Sleep(time.Duration(rand.Int64N(int64(took))))
		_ = cmd.Process.Signal(syscall.SIGKILL)
		if cmd.Wait() != nil {
			dead++
		}
		if _, err := record.List(dir); err != nil {
			t.Errorf("a record is torn: %v", err)
		}
		if r := amlfix(t, dir, "runs", "list"); r.code != 0 || r.err != "" {
			t.Errorf("%+v", r)
		}
	}
}
