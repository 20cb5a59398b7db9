//go:build linux

package runtime

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/runtime/internal/sshtest"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/ssh"
	"github.com/amlfix/amlfix/schema/testkit"
)

// brief is a patience short enough for tests.
const brief = 300 * time.Millisecond

// TestAwayForTooLong takes the engine or the machine of a running job away for longer than amlfix's patience: the run
// is lost, the job is left alone, and once the connection is back the run is resumed without losing or repeating a
// byte.
func TestAwayForTooLong(t *testing.T) {
	e := enginetest.StartOwn(t, "away")
	t.Setenv("DOCKER_HOST", e.Host)
	s := sshtest.Start(t, sshtest.Options{Env: map[string]string{"DOCKER_HOST": e.Host}})
	gate := filepath.Join(readable(t), "gate") // the job waits for it until the connection is back
	program := "import os, time\nfor i in range(100):\n  print('tick', i, flush=True); time.sleep(.02)\nwhile not os.path.exists('" + gate + "'): time.sleep(.02)\nopen('outputs/partial', 'w').write('x')\nraise SystemExit(5)\n"
	container := []string{"tick:100", "await:/go", "write:outputs/partial=x", "exit:5"}
	crash := func() error { return e.Crash(syscall.SIGKILL) }
	leave := func() error { s.Stop(t); return nil }
	comeBack := func() error { s.Restart(t); return nil }
	for _, tt := range []struct {
		name       string
		plan       func(*testing.T) Plan
		goes, back func() error
		reason     string
		mayLose    bool // an engine that is killed loses what it has read but not yet written
		left       func(plan Plan, res Result) bool
	}{
		{"engine", func(t *testing.T) Plan { return steps(inContainer(t, e, "", e.Job(t), "", Options{}), container...) }, crash, e.Relaunch,
			"no Docker engine answers at " + e.Host + ": start it", true, func(plan Plan, res Result) bool { return res.Container == docker.ContainerName(plan.RunID.String()) }},
		{"machine", func(t *testing.T) Plan { return onHost(t, s, program, "pythonLocation: python3\n") }, leave, comeBack,
			"worker@" + s.Address(), false, func(plan Plan, res Result) bool {
				return strings.HasSuffix(res.Folder, "/.amlfix/runs/"+plan.RunID.String())
			}},
		{"machine of an engine", func(t *testing.T) Plan {
			return steps(onEngineThere(t, s, sshtest.Root, "", e.Job(t), ""), container...)
		}, leave, comeBack,
			"root@" + s.Address(), false, func(plan Plan, res Result) bool { return res.Container == docker.ContainerName(plan.RunID.String()) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			plan := tt.plan(t)
			opts := RunOptions{SSH: ssh.Options{Home: s.Home}, Patience: brief}
			var first, second bytes.Buffer
			gone := make(chan error, 1)
			opts.Stdout = io.MultiWriter(&first, &cancelAt{text: "tick 10\n", cancel: func() { go func() { gone <- tt.goes() }() }})
			began := time.Now()
			res, err := Run(t.Context(), plan, opts)
			took := time.Since(began)
			testkit.OK(t, <-gone)
			if err == nil || res.Outcome != Lost || res.Code != CodeNotStarted || !tt.left(plan, res) || took < brief {
				t.Fatalf("%+v, %v after %v", res, err, took)
			}
			if sentence := res.Sentence(); !strings.Contains(sentence, "lost") || !strings.Contains(sentence, tt.reason) || !strings.HasSuffix(sentence, "resume the run with `amlfix runs attach "+plan.RunID.String()+"`") {
				t.Errorf("it said: %s", sentence)
			}
			rec, err := record.ReadDir(res.Record)
			if err != nil || rec.Over() || rec.State != progress.Detached || rec.Outcome != string(Lost) {
				t.Errorf("recorded %+v, %v", rec.Record, err)
			}
			testkit.OK(t, tt.back())
			testkit.OK(t, os.WriteFile(gate, nil, 0o600))
			if res.Container != "" {
				goOn(t, e, plan)
			}
			opts.Stdout, opts.Patience = &second, 0
			res, err = Attach(t.Context(), res.Record, opts)
			if err != nil || res.Outcome != Failed || res.Code != 5 || res.Outputs.Files != 1 {
				t.Errorf("picked up: %+v, %v", res, err)
			}
			got, want := first.String()+second.String(), ticks(100)
			if got != want && (!tt.mayLose || !enginetest.LacksOneBlock(got, want, len(ticks(11)))) {
				t.Error(cmp.Diff(want, got))
			}
			e.NothingLeft(t, plan.RunID.String())
			if _, err := os.Stat(filepath.Join(s.HomeOf(sshtest.Worker), ".amlfix", "runs", plan.RunID.String())); err == nil {
				t.Error("the run's folder is left")
			}
		})
	}
}

// readable returns a temporary folder that other users of this machine can read.
func readable(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	testkit.OK(t, os.Chmod(filepath.Dir(dir), 0o755))
	return dir
}

// TestStoppedWhileAway requests a job to stop while there is no engine: it is stopped as soon as the engine is back.
func TestStoppedWhileAway(t *testing.T) {
	e := enginetest.StartOwn(t, "away")
	t.Setenv("DOCKER_HOST", e.Host)
	plan := steps(inContainer(t, e, "", e.Job(t), "", Options{}), "write:outputs/partial=x", "graceful:bye", "out:up\n", "sleep:600s")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	failed := make(chan error, 1)
	crashed := &cancelAt{text: "up\n", cancel: func() {
		go func() {
			err := e.Crash(syscall.SIGKILL)
			cancel(&process.Signalled{Signal: os.Interrupt})
			time.Sleep(brief)
			if err == nil {
				err = e.Relaunch()
			}
			failed <- err
		}()
	}}
	var out bytes.Buffer
	began := time.Now()
	res, err := Run(ctx, plan, RunOptions{Stdout: io.MultiWriter(&out, crashed)})
	testkit.OK(t, <-failed)
	if took := time.Since(began); err != nil || res.Outcome != Cancelled || res.Code != 130 || res.JobCode != 0 || res.Outputs.Files != 1 || out.String() != "up\nbye\n" || took > testkit.Patience {
		t.Errorf("%+v, %v, %q after %v", res, err, out.String(), took)
	}
	e.NothingLeft(t, plan.RunID.String())
	if rec, err := record.ReadDir(res.Record); err != nil || !rec.Over() {
		t.Error(fmt.Sprint(rec, err))
	}
}
