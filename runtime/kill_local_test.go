//go:build linux

package runtime

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/amlfix/amlfix/runtime/local"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/schema/testkit"
)

// ticking prints 60 lines within a second and a half, one of them to standard error, and exits with 3. Before the last
// 20 lines it waits for the file GATE.
const ticking = `import os, sys, time
from azureml.logging import get_azureml_logger
get_azureml_logger().log("loss", 0.5)
sys.stderr.write("to stderr, no newline")
for i in range(60):
    sys.stdout.buffer.write(b"tick %d\n" % i); sys.stdout.flush(); time.sleep(.025)
    while i == 40 and not os.path.exists("GATE"): time.sleep(.02)
open("outputs/model.bin", "w").write("weights")
sys.stdout.buffer.write(b"\xff\x00\r")
raise SystemExit(3)
`

// checkTicking checks that ticking's output is complete, with every byte exactly once.
func checkTicking(t *testing.T, plan Plan, res Result, err error) {
	t.Helper()
	if err != nil || res.Outcome != Failed || res.Code != 3 || res.JobCode != 3 || res.Outputs.Files != 1 || res.Duration() < time.Second {
		t.Errorf("%+v, %v", res, err)
	}
	out, errs := logOf(t, record.Dir(plan.Project, plan.RunID))
	var mine []string // the logger prints as well
	for line := range strings.Lines(out) {
		if !strings.Contains(line, "loss") {
			mine = append(mine, line)
		}
	}
	testkit.Same(t, []string{ticks(60) + "\xff\x00\r", "to stderr, no newline"}, []string{strings.Join(mine, ""), errs})
	testkit.Same(t, map[string]string{"old.txt": "old", "model.bin": "weights"}, read(t, plan))
	if m := testkit.Read(t, record.Dir(plan.Project, plan.RunID), "metrics.jsonl"); strings.Count(m, "loss") != 1 {
		t.Errorf("%q", m)
	}
	if pids := local.Processes(plan.RunID); len(pids) > 0 {
		t.Errorf("processes are left: %v", pids)
	}
}

// TestLocalKilledAtEveryState kills amlfix in each state of a run on this machine, and resumes the run: either the job
// was never started and nothing is left of it, or its output is complete, with every byte exactly once.
func TestLocalKilledAtEveryState(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		at      progress.State
		started bool
	}{
		{progress.Checking, false}, {progress.Creating, false}, {progress.Uploading, false}, {progress.Starting, false},
		{progress.Running, true}, {progress.Collecting, true},
	} {
		t.Run(string(tt.at), func(t *testing.T) {
			t.Parallel()
			plan := planned(t, strings.Replace(ticking, "GATE", "/", 1), nil, Options{})
			cmd := spawn(t, plan, tt.at)
			if err := cmd.Run(); err == nil || cmd.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
				t.Fatalf("it was not killed: %v", err)
			}
			dir := record.Dir(plan.Project, plan.RunID)
			if before, err := unwatched(dir); err != nil || before.State != tt.at || before.Live {
				t.Fatalf("%+v, %v", before, err)
			}
			res, err := Attach(t.Context(), dir, RunOptions{})
			if tt.started {
				checkTicking(t, plan, res, err)
				return
			}
			if out, _ := logOf(t, dir); err == nil || res.Outcome != NotStarted || res.Code != 125 || out != "" || !strings.Contains(res.Reason, "before it had started the job") {
				t.Errorf("%+v, %v, %q", res, err, out)
			}
		})
	}
}

// TestLocalKilledWhileRunning kills amlfix in the middle of the output, and then the amlfix that resumes the run.
func TestLocalKilledWhileRunning(t *testing.T) {
	t.Parallel()
	gate := filepath.Join(t.TempDir(), "gate") // the job waits for it while amlfix is killed
	plan := planned(t, strings.Replace(ticking, "GATE", gate, 1), nil, Options{})
	killedAfter(t, spawn(t, plan, ""), "tick 15\n")
	dir := record.Dir(plan.Project, plan.RunID)
	if now, err := unwatched(dir); err != nil || now.State != progress.Running || now.Live {
		t.Fatalf("%+v, %v", now, err)
	}
	if list, err := leftOf(t, nil, plan); err != nil || len(list) != 1 || !list[0].Busy {
		t.Errorf("%+v, %v", list, err)
	}
	before := ticksShown(t, dir)
	second := killedAfter(t, attachedChild(t, dir), "tick 30\n")
	if _, err := unwatched(dir); err != nil {
		t.Fatal(err)
	}
	between := ticksShown(t, dir)
	testkit.OK(t, os.WriteFile(gate, nil, 0o600))
	var third bytes.Buffer
	res, err := Attach(t.Context(), dir, RunOptions{Stdout: &third})
	checkTicking(t, plan, res, err)
	// The last piece before the kill may have been shown without being recorded as shown. It is then shown again, and
	// on a busy machine it is long.
	if !strings.HasPrefix(fromTick(second.String()), fmt.Sprintf("tick %d\n", before)) || !strings.HasPrefix(fromTick(third.String()), fmt.Sprintf("tick %d\n", between)) || !strings.Contains(third.String(), "tick 59\n") {
		t.Errorf("shown: %q, expected from %d; then %q, expected from %d", second.String(), before, third.String(), between)
	}
}

// fromTick returns ticking's output from the first tick on.
func fromTick(out string) string { return out[max(strings.Index(out, "tick "), 0):] }

// ticksShown returns how many lines of ticking the record of a killed run counts as shown.
func ticksShown(t *testing.T, dir string) int {
	t.Helper()
	position, err := os.ReadFile(filepath.Join(dir, "log.shown"))
	if errors.Is(err, fs.ErrNotExist) {
		return 0
	}
	testkit.OK(t, err)
	n, err := strconv.Atoi(strings.TrimSpace(string(position)))
	testkit.OK(t, err)
	log := []byte(testkit.Read(t, dir, "log"))
	return strings.Count(string(log[:n]), "tick ")
}

// TestLocalTimeLimitWithoutAmlfix checks that a job's time limit applies even if nobody watches it.
func TestLocalTimeLimitWithoutAmlfix(t *testing.T) {
	t.Parallel()
	plan := planned(t, "import time\nopen('outputs/partial', 'w').write('x')\nprint('up', flush=True)\ntime.sleep(600)\n", nil, Options{Timeout: testkit.Limit})
	killedAfter(t, spawn(t, plan, ""), "up")
	testkit.Until(t, "the job is stopped", func() bool { return len(local.Processes(plan.RunID)) == 0 })
	res, err := Attach(t.Context(), record.Dir(plan.Project, plan.RunID), RunOptions{})
	if err != nil || res.Outcome != TimedOut || res.Code != 124 || res.JobCode != 143 || res.Reason != "the time limit was "+testkit.Limit.String() || read(t, plan)["partial"] != "x" {
		t.Errorf("%+v, %v", res, err)
	}
	if d := res.Duration(); d < testkit.Limit || d > testkit.Limit+testkit.Patience {
		t.Errorf("it ran for %v", d)
	}
}

// TestLocalKilledWhileStopping checks that a request made before the kill counts: the job is still stopped.
func TestLocalKilledWhileStopping(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		signal  os.Signal
		code    int
		jobCode int
	}{{"Ctrl-C", os.Interrupt, 130, 130}, {"SIGTERM", syscall.SIGTERM, 143, 143}} {
		t.Run(tt.name, func(t *testing.T) {
			plan := planned(t, "import time\nprint('up', flush=True)\ntime.sleep(600)\n", nil, Options{})
			cmd := spawn(t, plan, progress.Stopping)
			var out testkit.Buffer
			cmd.Stdout = &out
			testkit.OK(t, cmd.Start())
			out.Await(t, "up")
			_ = cmd.Process.Signal(tt.signal)
			_ = cmd.Wait()
			if cmd.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
				t.Fatal("it was not killed")
			}
			res, err := Attach(t.Context(), record.Dir(plan.Project, plan.RunID), RunOptions{})
			if err != nil || res.Outcome != Cancelled || res.Code != tt.code || res.JobCode != tt.jobCode {
				t.Errorf("%+v, %v", res, err)
			}
		})
	}
}

// TestLocalFolderGone removes the working folder of a run whose amlfix was killed.
func TestLocalFolderGone(t *testing.T) {
	t.Parallel()
	plan := planned(t, "import time\ntime.sleep(600)\n", nil, Options{})
	_ = spawn(t, plan, progress.Running).Run()
	folder := tempOf(plan)
	testkit.OK(t, local.End(t.Context(), plan.RunID, folder))
	testkit.OK(t, os.RemoveAll(folder))
	res, err := Attach(t.Context(), record.Dir(plan.Project, plan.RunID), RunOptions{})
	if err == nil || res.Outcome != Lost || res.Code != 125 || !strings.Contains(res.Reason, "its working folder no longer exists") {
		t.Errorf("%+v, %v", res, err)
	}
	if after, err := record.ReadDir(record.Dir(plan.Project, plan.RunID)); err != nil || !after.Over() {
		t.Errorf("%+v, %v", after, err)
	}
}
