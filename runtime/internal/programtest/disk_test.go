//go:build linux

package programtest_test

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/internal/enginetest"
)

// TestSmallDisk checks that an engine whose disk has no room for a job is reported before the run, and that nothing is
// started.
func TestSmallDisk(t *testing.T) {
	e := enginetest.StartSmall(t, 32<<20)
	m := machine{engine: e}
	dir := project(t, m, jobs, "$IMAGE", e.Job(t), "$ADDRESS", "127.0.0.1:1")
	said := " of the engine's disk (" + e.Dir + "/data) is free"
	check := do(t, m, dir, "run", "-c", "container", "--check", "wait.py")
	if check.code != 125 || !strings.Contains(check.out, "\nfailed    disk         only ") || !strings.Contains(check.out, said+"\n                       -> free some space with `docker system prune -a`, or give the engine a larger disk\n") {
		t.Errorf("check: exit %d\n%s%s", check.code, check.out, check.err)
	}
	run := do(t, m, dir, "run", "-c", "container", "wait.py")
	if run.code != 125 || run.out != "" || !strings.Contains(run.err, "amlfix: not started: only ") || !strings.Contains(run.err, said+": free some space with `docker system prune -a`") {
		t.Errorf("run: exit %d, %q\n%s", run.code, run.out, run.err)
	}
	nothingLeft(t, m, "")
}
