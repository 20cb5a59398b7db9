//go:build linux

package remote

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/amlfix/amlfix/runtime/internal/sshtest"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/runtime/ssh"
	"github.com/amlfix/amlfix/schema/testkit"
)

// atWork lists the processes, including watchdogs, whose working directory is in a run's folder.
func atWork(t *testing.T, s *sshtest.Server, user string, id runid.ID) (found []string) {
	t.Helper()
	for _, f := range testkit.Glob(t, "/proc/[0-9]*/cwd") {
		if cwd, err := os.Readlink(f); err == nil && strings.HasPrefix(cwd+"/", filepath.Join(s.HomeOf(user), runsDir, id.String())+"/") {
			text, _ := os.ReadFile(filepath.Join(filepath.Dir(f), "cmdline"))
			found = append(found, strings.ReplaceAll(string(text), "\x00", " "))
		}
	}
	return found
}

// ended waits for the end of a job that nobody watches, and returns how long the job ran.
func ended(t *testing.T, s *sshtest.Server, id runid.ID) time.Duration {
	t.Helper()
	dir := filepath.Join(s.HomeOf(sshtest.Worker), runsDir, id.String())
	var exit os.FileInfo
	testkit.Until(t, id.String()+" ends", func() (over bool) {
		var err error
		exit, err = os.Stat(filepath.Join(dir, "exit"))
		return err == nil
	})
	pid, err := os.Stat(filepath.Join(dir, "pid"))
	testkit.OK(t, err)
	return exit.ModTime().Sub(pid.ModTime())
}

// TestLimitUnwatched starts jobs and stops watching them: each is still ended by its time limit, no process is left
// there, and a later Attend reports it.
func TestLimitUnwatched(t *testing.T) {
	t.Parallel()
	s, l := connect(t, sshtest.Worker)
	const wait = "print('up', flush=True)\ntime.sleep(600)\n"
	const bye = "import signal, sys, time\ndef bye(*a):\n  open('outputs/last', 'w').write('x'); print('bye'); sys.exit(0)\nsignal.signal(signal.SIGTERM, bye)\n"
	const deaf = "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
	const child = "import signal, subprocess, sys, time\nsubprocess.Popen(['setsid', 'sh', '-c', 'trap \"\" TERM; sleep 600 & wait; sleep 600'])\ntime.sleep(.2)\n"
	type end struct {
		Code    int
		Cause   process.Cause
		Out     string
		Outputs int
		Note    string
	}
	tests := []struct {
		name, program string
		control       process.Control
		want          end
	}{
		{"obeys", bye + wait, process.Control{Limit: testkit.Limit}, end{0, process.TimedOut, "up\nbye\n", 1, ""}},
		{"deaf", deaf + wait, process.Control{Limit: testkit.Limit, Grace: 2 * time.Second}, end{137, process.TimedOut, "up\n", 0, ""}},
		{"deaf-child", child + wait, process.Control{Limit: testkit.Limit}, end{143, process.TimedOut, "up\n", 0, ""}},
		{"ends-before", "print('up')\nraise SystemExit(7)\n", process.Control{Limit: testkit.Limit}, end{7, process.Ended, "up\n", 0, ""}},
		{"killed", "import os, signal\nprint('up', flush=True)\nos.kill(os.getppid(), 9)\n", process.Control{Limit: time.Hour}, end{137, process.Ended, "up\n", 0, "it left no exit code: its machine was restarted, or the whole run was killed"}},
	}
	specs, outputs := map[string]Spec{}, map[string]map[string]string{}
	for _, tt := range tests {
		outputs[tt.name] = map[string]string{}
		spec := script(tt.program, outputs[tt.name])
		spec.OnStop = "echo >> ~/asked-" + tt.name
		if _, err := Start(t.Context(), l, spec, tt.control, func(e progress.Event) {
			if e.State == "" && e.Text != "" {
				t.Errorf("%s: %s", tt.name, e.Text)
			}
		}); err != nil {
			t.Fatal(err)
		}
		specs[tt.name] = spec
	}
	_ = l.Close()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			id := specs[tt.name].RunID
			if tt.control.Limit == testkit.Limit {
				over := tt.want.Cause == process.TimedOut
				if took := ended(t, s, id); over != (took >= testkit.Limit+tt.control.Grace) {
					t.Errorf("it took %v", took)
				}
			}
			testkit.Until(t, "no process is left there", func() bool { return len(atWork(t, s, sshtest.Worker, id)) == 0 })
			again, err := ssh.Dial(t.Context(), ssh.Host{Address: s.Address(), User: sshtest.Worker}, ssh.Options{Home: s.Home})
			testkit.OK(t, err)
			defer func() { _ = again.Close() }()
			job, err := Open(t.Context(), again, id, specs[tt.name].Project)
			testkit.OK(t, err)
			var out bytes.Buffer
			res, err := Attend(t.Context(), job, Position{}, specs[tt.name], process.Streams{Stdout: &out}, tt.control, nil)
			if err != nil || res.CollectErr != nil {
				t.Errorf("%v, %v", err, res.CollectErr)
			}
			testkit.Same(t, tt.want, end{res.Code, res.Cause, out.String(), len(outputs[tt.name]), res.Note})
			asked, _ := os.ReadFile(filepath.Join(s.HomeOf(sshtest.Worker), "asked-"+tt.name))
			if want := tt.want.Cause == process.TimedOut; want != (string(asked) == "\n") {
				t.Errorf("it was asked %d times to stop", len(asked))
			}
			if _, err := os.Stat(filepath.Join(s.HomeOf(sshtest.Worker), runsDir, id.String())); err == nil {
				t.Error("the folder was left there")
			}
			testkit.Until(t, "no process is left there", func() bool { return len(atWork(t, s, sshtest.Worker, id)) == 0 })
		})
	}
}

// TestStragglersThatStartOthers ends a process after whose end another one of the run appears.
func TestStragglersThatStartOthers(t *testing.T) {
	t.Parallel()
	const script = `
trap "" TERM
sleep 600 & a=$!
sleep 600 & b=$!
marked() {
  if [ -e /proc/$a/exe ]; then echo /proc/$a/environ; elif [ -e /proc/$b/exe ]; then echo /proc/$b/environ; else return 1; fi
}
end_stragglers
marked && kill -KILL $b
true`
	out, err := exec.Command("sh", "-c", functions.Get()+script).Output()
	if err != nil || len(out) > 0 {
		t.Errorf("%v, left: %s", err, out)
	}
}

// TestLimitCountsFromTheStart uses a machine on which the job's shell needs seconds before it starts the job.
func TestLimitCountsFromTheStart(t *testing.T) {
	t.Parallel()
	s := sshtest.Start(t, sshtest.Options{Files: map[string]string{"/usr/bin/date": "#!/usr/bin/python3\nimport os, time\nif not os.path.exists('../pid'): time.sleep(3)\nprint('%.9f' % time.time())\n"}})
	l, err := ssh.Dial(t.Context(), ssh.Host{Address: s.Address(), User: sshtest.Worker}, ssh.Options{Home: s.Home})
	testkit.OK(t, err)
	spec := script("import time\ntime.sleep(600)\n", nil)
	job, err := Start(t.Context(), l, spec, process.Control{Limit: testkit.Limit}, nil)
	testkit.OK(t, err)
	if took := ended(t, s, spec.RunID); took < testkit.Limit {
		t.Errorf("it took %v", took)
	}
	testkit.OK(t, job.Remove(t.Context()))
	testkit.OK(t, l.Close())
}

// TestLimitIsAskedForOnce checks that, when both amlfix and the watchdog see the time run out, the job gets one SIGTERM
// before half of the grace period.
func TestLimitIsAskedForOnce(t *testing.T) {
	t.Parallel()
	s, l := connect(t, sshtest.Worker)
	// three seconds after being asked to, it ends by itself
	spec := script("import signal, time\nend = time.time() + 600\ndef asked(*a):\n  global end\n  end = time.time() + 3\n  print('asked', flush=True)\nsignal.signal(signal.SIGTERM, asked)\nwhile time.time() < end: time.sleep(.1)\n", nil)
	spec.Collect = nil
	var out bytes.Buffer
	res, err := Run(t.Context(), l, spec, process.Streams{Stdout: &out}, process.Control{Limit: testkit.Limit, Grace: testkit.Patience}, nil)
	if err != nil || res.Cause != process.TimedOut || res.Code != 0 || out.String() != "asked\n" {
		t.Errorf("%+v, %v, %q", res, err, out.String())
	}
	nothingLeft(t, s, sshtest.Worker, spec.RunID)
	if left := atWork(t, s, sshtest.Worker, spec.RunID); len(left) > 0 {
		t.Errorf("%q", left)
	}
}

// TestLimitNeedsTimeout uses a machine without the program timeout: this is reported, and whoever resumes the job
// enforces its limit, which counts from the job's start.
func TestLimitNeedsTimeout(t *testing.T) {
	t.Parallel()
	s := sshtest.Start(t, sshtest.Options{Files: map[string]string{"/usr/bin/timeout": ""}})
	l, err := ssh.Dial(t.Context(), ssh.Host{Address: s.Address(), User: sshtest.Worker}, ssh.Options{Home: s.Home})
	testkit.OK(t, err)
	defer func() { _ = l.Close() }()
	spec := script("import time\ntime.sleep(600)\n", nil)
	spec.Collect = nil
	said, control := "", process.Control{Limit: testkit.Limit}
	job, err := Start(t.Context(), l, spec, control, func(e progress.Event) { said += e.Text })
	if err != nil || said != l.Name()+" has no program timeout: the time limit applies only while amlfix is running" {
		t.Fatalf("%v, %q", err, said)
	}
	time.Sleep(testkit.Limit * 2 / 3)
	resumed := time.Now()
	res, err := Attend(t.Context(), job, Position{}, spec, process.Streams{}, control, nil)
	if took := res.Ended.Sub(res.Started); err != nil || res.Cause != process.TimedOut || res.Code != 143 || took < testkit.Limit-time.Second || res.Ended.Sub(resumed) >= testkit.Limit { // as if the limit counted from there
		t.Errorf("%v: %+v, %v", took, res, err)
	}
	nothingLeft(t, s, sshtest.Worker, spec.RunID)
}

// TestSetsidThatCannotFork checks that, on a machine whose setsid cannot fork, like BusyBox's, a job is still started,
// with and without a limit, and that the start does not wait for the job to end.
func TestSetsidThatCannotFork(t *testing.T) {
	t.Parallel()
	const setsid = "#!/usr/bin/python3\nimport os, sys\nif sys.argv[1] == '-f': sys.exit(1)\ntry: os.setsid()\nexcept OSError:\n  if os.fork(): sys.exit(0)\n  os.setsid()\nos.execvp(sys.argv[1], sys.argv[1:])\n"
	s := sshtest.Start(t, sshtest.Options{Files: map[string]string{"/usr/bin/setsid": setsid}})
	gate := filepath.Join(t.TempDir(), "gate")
	testkit.OK(t, os.Chmod(filepath.Dir(filepath.Dir(gate)), 0o755))
	for _, limit := range []time.Duration{testkit.Limit, 0} {
		l, err := ssh.Dial(t.Context(), ssh.Host{Address: s.Address(), User: sshtest.Worker}, ssh.Options{Home: s.Home})
		testkit.OK(t, err)
		spec := script("import os, time\nprint('up', flush=True)\nwhile not os.path.exists('"+gate+"'): time.sleep(.05)\n", nil)
		spec.Collect = nil
		control := process.Control{Limit: limit}
		job, err := Start(t.Context(), l, spec, control, nil)
		testkit.OK(t, err)
		if exit, err := os.Stat(filepath.Join(s.HomeOf(sshtest.Worker), runsDir, spec.RunID.String(), "exit")); err == nil {
			t.Errorf("the start has waited for the end, %v", exit)
		}
		if limit == 0 {
			testkit.OK(t, os.WriteFile(gate, nil, 0o600))
		}
		var out bytes.Buffer
		res, err := Attend(t.Context(), job, Position{}, spec, process.Streams{Stdout: &out}, control, nil)
		want := map[bool]process.Cause{true: process.Ended, false: process.TimedOut}[limit == 0]
		if err != nil || res.Cause != want || out.String() != "up\n" {
			t.Errorf("limit %v: %+v, %v, %q", limit, res, err, out.String())
		}
		nothingLeft(t, s, sshtest.Worker, spec.RunID)
		_ = l.Close()
	}
}
