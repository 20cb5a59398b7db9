//go:build linux

package runtime

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/internal/sshtest"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/ssh"
	"github.com/amlfix/amlfix/schema/testkit"
)

// limitJob runs until it is asked to stop; it then saves something and succeeds. It writes whole lines, because a
// signal may interrupt print in the middle of one.
const limitJob = `
import os, signal, sys, time
def bye(*_):
    open("outputs/last", "w").write("saved")
    os.write(1, b"bye\xff")
    sys.exit(0)
signal.signal(signal.SIGTERM, bye)
os.write(1, b"first\r\n\xff\x00")
sys.stderr.write("to stderr")
for i in range(10000):
    os.write(1, b"tick %d\n" % i)
    time.sleep(.05)
`

// limitLog returns what limitJob prints if it is asked to stop after this many ticks.
func limitLog(out string) string {
	return "first\r\n\xff\x00" + ticks(strings.Count(out, "tick")) + "bye\xff"
}

// unwatchedJob is a job with a time limit whose amlfix is killed.
type unwatchedJob struct {
	plan Plan
	home string            // of the user who runs amlfix
	over func() bool       // reports whether the job has ended
	want map[string]string // the outputs that are copied back
	up   func() bool       // reports whether the job is running; nil: its output shows that
}

// endsUnwatched starts amlfix, kills it while its job runs, and has another one report how the job ended.
func (j *unwatchedJob) endsUnwatched(t *testing.T, name string) {
	t.Helper()
	j.plan.Timeout.Value = testkit.Limit
	cmd, shown := spawn(t, j.plan, ""), new(testkit.Buffer)
	cmd.Stdout, cmd.Env = shown, append(cmd.Env, "HOME="+j.home)
	testkit.OK(t, cmd.Start())
	if j.up == nil {
		shown.Await(t, "tick 1\n")
	} else {
		testkit.Until(t, "the job is up", j.up)
	}
	if j.over() {
		t.Error("it has ended already")
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	testkit.Until(t, "the job is ended", j.over)
	dir := record.Dir(j.plan.Project, j.plan.RunID)
	res, err := Attach(t.Context(), dir, RunOptions{SSH: ssh.Options{Home: j.home}})
	if err != nil || res.Outcome != TimedOut || res.Code != 124 || res.Reason != "the time limit was "+testkit.Limit.String() || res.Duration() < testkit.Limit-100*time.Millisecond || res.Duration() > testkit.Limit+testkit.Patience {
		t.Errorf("%+v, %v", res, err)
	}
	if out, errs := logOf(t, dir); name != "cluster" && (out != limitLog(out) || errs != "to stderr") {
		t.Errorf("%s, %q", cmp.Diff(limitLog(out), out), errs)
	}
	testkit.Same(t, j.want, read(t, j.plan))
	rec, err := record.ReadDir(dir)
	if err != nil || rec.Outcome != "timed out" || rec.Limit != testkit.Limit || rec.Exit.Cause != "timed out" || rec.Exit.Started.IsZero() {
		t.Errorf("%+v, %v", rec, err)
	}
}

// TestLimitWhileAmlfixIsDead kills a real amlfix with SIGKILL on every kind of target. The job's time limit still ends
// it; attach reports this, with every byte that the job printed and the outputs that it saved in its grace period.
func TestLimitWhileAmlfixIsDead(t *testing.T) {
	t.Parallel()
	e := engineHere(t)
	image := e.Python(t)
	s := sshtest.Start(t, sshtest.Options{Env: map[string]string{"DOCKER_HOST": e.Host}})
	head := headNode(t)
	eng, err := docker.ConnectTo(e.Host)
	testkit.OK(t, err)
	defer func() { _ = eng.Close() }()
	stopped := func(p Plan) func() bool {
		return func() bool {
			state, err := eng.State(t.Context(), docker.ContainerName(p.RunID.String()))
			return err == nil && !state.Running
		}
	}
	exited := func(s *sshtest.Server, p Plan) func() bool {
		return func() bool {
			_, err := os.Stat(filepath.Join(s.HomeOf(sshtest.Worker), ".amlfix", "runs", p.RunID.String(), "exit"))
			return err == nil
		}
	}
	saved := map[string]string{"old.txt": "old", "last": "saved"}
	copied, mounted := inContainer(t, e, limitJob, image, "", Options{}), inContainer(t, e, limitJob, image, "sharedVolumes: true\n", Options{})
	behind, host := onEngineThere(t, s, sshtest.Root, limitJob, image, ""), onHost(t, s, limitJob, "pythonLocation: python3\n")
	spark := onCluster(t, head, "yarnDeployMode: cluster\n", "wait")
	jobs := map[string]*unwatchedJob{
		"localdocker, copied":  {plan: copied, home: s.Home, over: stopped(copied), want: saved},
		"localdocker, mounted": {plan: mounted, home: s.Home, over: stopped(mounted), want: saved},
		"remotedocker":         {plan: behind, home: s.Home, over: stopped(behind), want: saved},
		"remote":               {plan: host, home: s.Home, over: exited(s, host), want: saved},
		"cluster": {plan: spark, home: head.Home, over: exited(head, spark),
			want: map[string]string{"old.txt": "old", "model": "weights", "checkpoint": "interrupted"}, up: func() bool {
				_, err := os.Stat(filepath.Join(head.HomeOf(sshtest.Worker), "up"))
				return err == nil
			}},
	}
	t.Run("jobs", func(t *testing.T) { // each at its own pace
		for name, j := range jobs {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				j.endsUnwatched(t, name)
				e.NothingLeft(t, j.plan.RunID.String())
			})
		}
	})
	emptyThere(t, s)
	emptyThere(t, head)
	if left := storedThere(t, head); len(left) > 0 {
		t.Errorf("left in the cluster's file system: %v", left)
	}
	if _, err := os.Stat(filepath.Join(head.HomeOf(sshtest.Worker), "driver")); err == nil {
		t.Error("the driver of the Spark job was not ended")
	}
}

// TestLimitCountsOn kills amlfix and starts another one that watches the job: the limit counts from the job's start. A
// job that ended before its limit was not stopped by it, however late it is resumed.
func TestLimitCountsOn(t *testing.T) {
	t.Parallel()
	e := engineHere(t)
	image := e.Job(t) // no shell, so amlfix alone enforces the limit
	for _, tt := range []struct {
		steps   []string
		pause   time.Duration // until another amlfix watches
		outcome Outcome
		code    int
	}{
		{[]string{"out:up\n", "sleep:600s"}, testkit.Limit * 2 / 3, TimedOut, 124},
		{[]string{"out:up\n", "sleep:500ms", "exit:7"}, testkit.Limit, Failed, 7},
	} {
		t.Run(string(tt.outcome), func(t *testing.T) {
			t.Parallel()
			plan := steps(inContainer(t, e, "", image, "", Options{Timeout: testkit.Limit}), tt.steps...)
			cmd := spawn(t, plan, "")
			var out, said testkit.Buffer
			cmd.Stdout, cmd.Stderr = &out, &said
			testkit.OK(t, cmd.Start())
			out.Await(t, "up")
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			time.Sleep(tt.pause)
			dir, watched := record.Dir(plan.Project, plan.RunID), time.Now()
			res, err := Attach(t.Context(), dir, RunOptions{})
			if took := res.Ended.Sub(watched); err != nil || res.Outcome != tt.outcome || res.Code != tt.code || took >= testkit.Limit { // as if the limit counted from here
				t.Errorf("%v: %+v, %v", took, res, err)
			}
			if logged, _ := logOf(t, dir); logged != "up\n" {
				t.Errorf("%q", logged)
			}
			e.NothingLeft(t, plan.RunID.String())
		})
	}
}
