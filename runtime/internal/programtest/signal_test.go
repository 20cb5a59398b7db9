//go:build linux

package programtest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/runtime/internal/sshtest"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/schema/testkit"
)

// jobs has the same scripts for each kind of target.
const jobs = `
-- aml_config/container.compute --
type: localdocker
baseDockerImage: $IMAGE
-- aml_config/container.runconfig --
Target: container
Framework: Python
ArgumentVector: [$file]
-- aml_config/local.compute --
type: local
pythonLocation: python3
-- aml_config/local.runconfig --
Target: local
Framework: Python
ArgumentVector: [$file]
-- aml_config/remote.compute --
type: remote
address: $ADDRESS
username: worker
pythonLocation: python3
-- aml_config/remote.runconfig --
Target: remote
Framework: Python
ArgumentVector: [$file]
-- aml_config/remotedocker.compute --
type: remotedocker
address: $ADDRESS
username: root
baseDockerImage: $IMAGE
-- aml_config/remotedocker.runconfig --
Target: remotedocker
Framework: Python
ArgumentVector: [$file]
-- aml_config/conda_dependencies.yml --
dependencies: []
-- wait.py --
import atexit, os, signal, sys, time
if "deaf" in sys.argv:
    for s in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
        signal.signal(s, signal.SIG_IGN)
if "graceful" in sys.argv:
    signal.signal(signal.SIGTERM, lambda *_: (time.sleep(0.5), sys.exit(1)))
os.makedirs("outputs", exist_ok=True)
save = lambda name: open("outputs/" + name, "w").write("x")
save("partial")
atexit.register(save, "atexit")
try:
    print("up", flush=True) # the signal may come before the call returns
    for i in range(6000):
        time.sleep(0.1) # one that comes right before a call does not end it
except KeyboardInterrupt:
    save("interrupted")
    raise
finally:
    save("finally")
-- many.py --
import os, sys
for i in range(10000):
    print("line", i, "." * 100)
sys.stderr.write("to stderr\n")
os.makedirs("outputs", exist_ok=True)
open("outputs/model", "w").write("weights")
sys.exit(7)
`

// shellJob is a job of v2 whose shell waits for the script.
const shellJob = `
-- job.yml --
type: command
code: .
command: |
  python3 wait.py graceful
  echo over
environment: {image: $IMAGE}
`

// machines returns an engine on this machine, and a machine behind a real sshd that has the same engine.
func machines(t *testing.T) (here, there machine, image string) {
	t.Helper()
	testkit.Program(t, "python3")
	e := enginetest.Start(t)
	s := sshtest.Start(t, sshtest.Options{Env: map[string]string{"DOCKER_HOST": e.Host}})
	return machine{engine: e}, machine{engine: e, ssh: s}, e.Python(t)
}

// TestSignals sends real signals to a real amlfix while its job runs. The first stops the job with grace and copies its
// outputs back, after Ctrl-C including what it saves in except KeyboardInterrupt, finally and atexit; the second kills
// it. Nothing is left afterwards.
func TestSignals(t *testing.T) {
	t.Parallel()
	here, there, image := machines(t)
	const hup, interrupt, term = syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM
	for _, tt := range []struct {
		name, target, script string
		on                   machine
		signals              []syscall.Signal
		code, jobCode        int
	}{
		{"Ctrl-C", "container", "wait.py", here, []syscall.Signal{interrupt}, 130, 130},
		{"Ctrl-C twice, deaf", "container", "wait.py deaf", here, []syscall.Signal{interrupt, interrupt}, 130, 137},
		{"SIGTERM", "container", "wait.py", here, []syscall.Signal{term}, 143, 143},
		{"SIGHUP", "container", "wait.py", here, []syscall.Signal{hup}, 143, 143},
		{"SIGTERM, then Ctrl-C, deaf", "container", "wait.py deaf", here, []syscall.Signal{term, interrupt}, 143, 137},
		{"Ctrl-C", "local", "wait.py", here, []syscall.Signal{interrupt}, 130, 130},
		{"Ctrl-C twice, deaf", "local", "wait.py deaf", here, []syscall.Signal{interrupt, interrupt}, 130, 137},
		{"SIGTERM", "local", "wait.py", here, []syscall.Signal{term}, 143, 143},
		{"SIGHUP", "local", "wait.py", here, []syscall.Signal{hup}, 143, 143},
		{"Ctrl-C", "remote", "wait.py", there, []syscall.Signal{interrupt}, 130, 130},
		{"Ctrl-C twice, deaf", "remote", "wait.py deaf", there, []syscall.Signal{interrupt, interrupt}, 130, 137},
		{"SIGTERM", "remote", "wait.py", there, []syscall.Signal{term}, 143, 143},
		{"SIGHUP", "remote", "wait.py", there, []syscall.Signal{hup}, 143, 143},
		{"Ctrl-C", "remotedocker", "wait.py", there, []syscall.Signal{interrupt}, 130, 130},
		{"Ctrl-C", "job.yml", "", here, []syscall.Signal{interrupt}, 130, 130},
		{"SIGTERM", "job.yml", "", here, []syscall.Signal{term}, 143, 143},
		{"Ctrl-C", "job.yml", "-t local", here, []syscall.Signal{interrupt}, 130, 130},
		{"Ctrl-C", "job.yml", "-t remote", there, []syscall.Signal{interrupt}, 130, 130},
		{"Ctrl-C twice, deaf", "remotedocker", "wait.py deaf", there, []syscall.Signal{interrupt, interrupt}, 130, 137},
	} {
		t.Run(strings.Join([]string{tt.target, tt.script, tt.name}, ", "), func(t *testing.T) {
			t.Parallel()
			files, args := jobs, []string{"run", "-c", tt.target}
			if tt.target == "job.yml" {
				files, args = jobs+shellJob, []string{"run", tt.target}
			}
			dir := project(t, there, files, "$IMAGE", image)
			cmd := command(t, tt.on, dir, append(args, strings.Fields(tt.script)...)...)
			var out, errs testkit.Buffer
			cmd.Stdout, cmd.Stderr = &out, &errs
			testkit.OK(t, cmd.Start())
			out.Await(t, "up\n")
			if len(tt.signals) == 1 && tt.signals[0] != interrupt { // `timeout` and terminals that are closed send two
				testkit.OK(t, cmd.Process.Signal(tt.signals[0]))
				errs.Await(t, "stopping")
			}
			testkit.OK(t, cmd.Process.Signal(tt.signals[0]))
			if len(tt.signals) == 2 {
				errs.Await(t, "stopping")
				began := time.Now()
				time.Sleep(200 * time.Millisecond) // as a person does; what comes sooner is a repetition
				testkit.OK(t, cmd.Process.Signal(tt.signals[1]))
				errs.Await(t, "killing")
				if took := time.Since(began); took > process.DefaultGrace-time.Second {
					t.Errorf("the second signal killed nobody: the grace did it, after %v", took)
				}
			}
			_ = cmd.Wait()
			rec := recorded(t, dir)
			if code := cmd.ProcessState.ExitCode(); code != tt.code {
				t.Errorf("exit %d\n%s", code, errs.String())
			}
			if !rec.Over() || rec.Outcome != "cancelled" || rec.Code != tt.code || rec.Exit == nil || rec.Exit.Code != tt.jobCode {
				t.Errorf("recorded %+v, %+v", rec.Record, rec.Exit)
			}
			want, files := map[string]string{"partial": "x"}, "; 1 file (1 B) in outputs/\n"
			if tt.jobCode == 130 { // only Python's own SIGINT handler lets the job save what it has
				want, files = map[string]string{"partial": "x", "interrupted": "x", "finally": "x", "atexit": "x"}, "; 4 files (4 B) in outputs/\n"
			}
			if tt.target == "job.yml" && tt.jobCode == 143 { // the shell waits for Python's SIGTERM handler
				want, files = map[string]string{"partial": "x", "finally": "x", "atexit": "x"}, "; 3 files (3 B) in outputs/\n"
			}
			if strings.Contains(out.String(), "over") {
				t.Error("the shell has gone on to the next command")
			}
			if !strings.Contains(errs.String(), "amlfix: run "+rec.ID.String()+" cancelled") || !strings.Contains(errs.String(), files) {
				t.Errorf("said %s", errs.String())
			}
			testkit.Same(t, want, testkit.Contents(t, filepath.Join(dir, "outputs")))
			nothingLeft(t, tt.on, rec.ID.String())
		})
	}
}

// TestAttachSaysWhere kills amlfix: runs attach says where the job is still running, and since when.
func TestAttachSaysWhere(t *testing.T) {
	t.Parallel()
	here, there, image := machines(t)
	for target, want := range map[string]string{"local": "the job runs on this machine", "container": "running in amlfix-", "remote": "running on worker@"} {
		t.Run(target, func(t *testing.T) {
			t.Parallel()
			on := there
			if target != "remote" {
				on = here
			}
			dir := project(t, there, jobs, "$IMAGE", image)
			first, second := command(t, on, dir, "run", "-c", target, "wait.py"), command(t, on, dir, "runs", "attach")
			var out, errs testkit.Buffer
			first.Stdout, second.Stderr = &out, &errs
			testkit.OK(t, first.Start())
			out.Await(t, "up\n")
			testkit.OK(t, first.Process.Kill())
			_ = first.Wait()
			testkit.OK(t, second.Start())
			errs.Await(t, ", since 20")
			testkit.OK(t, second.Process.Signal(syscall.SIGINT))
			_ = second.Wait()
			if code := second.ProcessState.ExitCode(); code != 130 || !strings.Contains(errs.String(), want) {
				t.Errorf("exit %d\n%s", code, errs.String())
			}
			nothingLeft(t, on, recorded(t, dir).ID.String())
		})
	}
}

// TestReaderLeaves runs `amlfix run … | head -1` in a real shell, also with amlfix's own messages in the pipe: the job
// is not left behind, runs to its end, and its whole output is in the record.
func TestReaderLeaves(t *testing.T) {
	t.Parallel()
	here, there, image := machines(t)
	path, err := program()
	testkit.OK(t, err)
	for _, tt := range []struct {
		target, pipe string
		on           machine
	}{{"local", "|", here}, {"container", "|", here}, {"container", "2>&1 |", here}, {"remote", "|", there}} {
		t.Run(tt.target+" "+tt.pipe, func(t *testing.T) {
			t.Parallel()
			dir := project(t, there, jobs, "$IMAGE", image)
			cmd := command(t, tt.on, dir)
			bash, err := exec.LookPath("bash")
			if err != nil {
				testkit.Unavailable(t, "there is no bash")
			}
			cmd.Path, cmd.Args = bash, []string{"bash", "-c", path + " run -c " + tt.target + " many.py " + tt.pipe + " head -1; exit ${PIPESTATUS[0]}"}
			got := finish(cmd)
			rec := recorded(t, dir)
			if got.code != 7 || tt.pipe == "|" && got.out != "line 0 "+strings.Repeat(".", 100)+"\n" || !rec.Over() || rec.Code != 7 {
				t.Errorf("exit %d, %q, %+v\n%s", got.code, got.out, rec.Record, got.err)
			}
			testkit.Same(t, map[string]string{"model": "weights"}, testkit.Contents(t, filepath.Join(dir, "outputs")))
			log, err := os.ReadFile(filepath.Join(record.Dir(dir, rec.ID), "log"))
			if lines := strings.Count(string(log), "\n"); err != nil || lines != 10001 {
				t.Errorf("%d lines in the log, %v", lines, err)
			}
			nothingLeft(t, tt.on, rec.ID.String())
		})
	}
}
