//go:build linux

package programtest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestDetach checks that amlfix ends once the job runs while another process continues in the background: the job's
// output, its outputs and its exit code are there when it is over, on every kind of target.
func TestDetach(t *testing.T) {
	t.Parallel()
	here, there, image := machines(t)
	const job = `
-- later.py --
import os, sys, time
print("up", os.environ.get("AMLFIX_DETACHED_RUN"), flush=True)
while not os.path.exists(sys.argv[1]):
    time.sleep(0.05)
open("outputs/model", "w").write("weights")
print("down")
sys.exit(7)
`
	for target, on := range map[string]machine{"local": here, "remote": there, "container": here} {
		t.Run(target, func(t *testing.T) {
			t.Parallel()
			dir := project(t, there, jobs+job, "$IMAGE", image)
			open := t.TempDir()
			testkit.OK(t, os.Chmod(filepath.Dir(open), 0o755))
			goOn := filepath.Join(open, "go")
			if target == "container" { // it does not see the file, so it is stopped instead
				goOn = "/nowhere"
			}
			cmd := command(t, on, dir, "run", "-c", target, "--detach", "later.py", goOn)
			got := finish(cmd)
			rec := recorded(t, dir)
			id := rec.ID.String()
			if got.code != 0 || got.out != id+"\n" || rec.Over() || !rec.Live || !strings.Contains(got.last(), "amlfix runs attach "+id) {
				t.Fatalf("%+v, %+v", got, rec)
			}
			code, out := 7, "up None\ndown\n"
			if target == "container" {
				code, out = 143, "up None\n"
				testkit.Until(t, "the job prints", func() bool { return do(t, on, dir, "runs", "logs").out == out })
				if stopped := do(t, on, dir, "runs", "stop"); stopped.code != 0 || !strings.Contains(stopped.err, "cancelled") {
					t.Errorf("%+v", stopped)
				}
			} else {
				testkit.OK(t, os.WriteFile(goOn, nil, 0o644))
			}
			end := do(t, on, dir, "runs", "attach", id)
			if end.code != code || end.out != out {
				t.Errorf("%+v", end)
			}
			if log := do(t, on, dir, "runs", "logs"); log.out != out {
				t.Errorf("%+v", log)
			}
			if target != "container" {
				testkit.Same(t, map[string]string{"model": "weights"}, testkit.Contents(t, filepath.Join(dir, "outputs")))
			}
			nothingLeft(t, on, id)
		})
	}
	t.Run("not started", func(t *testing.T) {
		dir := project(t, there, strings.Replace(jobs, "pythonLocation: python3\n", "pythonLocation: ./nowhere\n", 1), "$IMAGE", image)
		if got := do(t, here, dir, "run", "-c", "local", "--detach", "wait.py"); got.code != 127 || got.out != "" || !strings.Contains(got.err, "no such program") {
			t.Errorf("%+v", got)
		}
	})
}

// TestDetachV2 checks that the run of a v2 job continues in the background, and so does a whole pipeline, whose first
// run is named.
func TestDetachV2(t *testing.T) {
	t.Parallel()
	here, there, _ := machines(t)
	const pipeline = `
-- pipeline.yml --
type: pipeline
jobs:
  first:
    type: command
    command: echo one > ${{outputs.o}}/x; echo first
    environment: {image: unused}
    outputs: {o: {type: uri_folder}}
  second:
    type: command
    command: cat ${{inputs.i}}/x
    environment: {image: unused}
    inputs: {i: "${{parent.jobs.first.outputs.o}}"}
`
	for _, tt := range []struct {
		name string
		args []string
		logs []string
	}{
		{"step", []string{"--step", "first"}, []string{"first\n"}},
		{"pipeline", nil, []string{"first\n", "one\n"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := project(t, there, pipeline)
			got := finish(command(t, here, dir, append([]string{"run", "pipeline.yml", "-t", "local", "--detach"}, tt.args...)...))
			list, err := record.List(dir)
			if err != nil || len(list) == 0 || got.code != 0 || got.out != list[0].ID.String()+"\n" || strings.Contains(got.err, "so does the pipeline, which has 1 step after this one") != (len(tt.logs) > 1) {
				t.Fatalf("%+v, %+v, %v", got, list, err)
			}
			var logs []string
			testkit.Until(t, "all runs are over", func() bool {
				list, _ := record.List(dir)
				logs = nil
				for _, e := range list {
					if !e.Over() || e.Live {
						return false
					}
					logs = append(logs, do(t, here, dir, "runs", "logs", e.ID.String()).out)
				}
				return len(list) >= len(tt.logs)
			})
			testkit.Same(t, tt.logs, logs)
		})
	}
}

// TestPipelineStopped stops a pipeline in the background: the id that --detach has printed is that of its first step,
// which has ended, so stop says what ends the step in progress.
func TestPipelineStopped(t *testing.T) {
	t.Parallel()
	dir := project(t, machine{}, `
-- pipeline.yml --
type: pipeline
jobs:
  first: {type: command, command: echo first, environment: {image: unused}}
  second: {type: command, command: sleep 600, environment: {image: unused}}
-- other.yml --
type: command
command: sleep 600
environment: {image: unused}
`)
	first := strings.TrimSpace(do(t, machine{}, dir, "run", "pipeline.yml", "-t", "local", "--detach").out)
	second := ""
	testkit.Until(t, "the second step runs", func() bool {
		list, _ := record.List(dir)
		at := slices.IndexFunc(list, func(e record.Entry) bool { return e.ID.String() != first && e.State == progress.Running })
		if at >= 0 {
			second = list[at].ID.String()
		}
		return at >= 0
	})
	other := strings.TrimSpace(do(t, machine{}, dir, "run", "other.yml", "-t", "local", "--detach").out)
	if got := do(t, machine{}, dir, "runs", "stop", first); got.code != 0 || got.last() != "amlfix: a later step of its pipeline is in progress: `amlfix runs stop "+second+"` ends it" {
		t.Errorf("%+v", got)
	}
	if got := do(t, machine{}, dir, "runs", "stop", second); got.code != 0 || !strings.Contains(got.last(), " cancelled after ") {
		t.Errorf("%+v", got)
	}
	if got := do(t, machine{}, dir, "runs", "stop", first); strings.Contains(got.err, "pipeline") {
		t.Errorf("%+v", got)
	}
	if got := do(t, machine{}, dir, "runs", "stop", other); got.code != 0 {
		t.Errorf("%+v", got)
	}
}

// TestPipelineKilled kills the amlfix process that runs a pipeline: attach finishes the step, and says that no other
// follows.
func TestPipelineKilled(t *testing.T) {
	t.Parallel()
	open := filepath.Join(t.TempDir(), "go")
	dir := project(t, machine{}, `
-- pipeline.yml --
type: pipeline
jobs:
  first: {type: command, command: "while [ ! -e $OPEN ]; do sleep 0.05; done; echo first", environment: {image: unused}}
  second: {type: command, command: echo second, environment: {image: unused}}
`, "$OPEN", open)
	temp := t.TempDir()
	amlfix := func(args ...string) ended {
		cmd := command(t, machine{}, dir, args...)
		cmd.Env = append(cmd.Env, "TMPDIR="+temp)
		return finish(cmd)
	}
	if got := amlfix("run", "pipeline.yml", "-t", "local", "--detach"); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	rec := recorded(t, dir)
	testkit.OK(t, exec.Command("sh", "-c", `kill -9 $(grep -lsz "$0" /proc/[0-9]*/environ | cut -d/ -f3)`, "AMLFIX_DETACHED_RUN="+rec.ID.String()).Run())
	testkit.Until(t, "the process is gone", func() bool { return !recorded(t, dir).Live })
	testkit.OK(t, os.WriteFile(open, nil, 0o644))
	got := amlfix("runs", "attach")
	if got.code != 0 || got.out != "first\n" || got.last() != "amlfix: the pipeline ended with the amlfix process that ran it: 1 step not run; `amlfix run --step` runs one of them" {
		t.Errorf("%+v", got)
	}
	if recorded(t, dir).Outcome != "succeeded" {
		t.Error("another run was begun, or the first has failed")
	}
}

// TestBackgroundKilled kills the amlfix process in the background, and in the last case all that a restart of this
// machine would end: runs attach shows the whole output, of which nobody has seen anything, and says how the job ended;
// also after runs stop.
func TestBackgroundKilled(t *testing.T) {
	t.Parallel()
	here, there, image := machines(t)
	const job = `
-- later.py --
import os, sys, time
os.makedirs("outputs", exist_ok=True)
open("outputs/model", "w").write("weights")
print("up", flush=True)
while not os.path.exists(sys.argv[1]):
    time.sleep(0.05)
print("down")
raise SystemExit(7)
`
	for _, tt := range []struct {
		name, target string
		on           machine
		all, stop    bool
		code         int
		out, said    string
	}{
		{"local", "local", here, false, false, 7, "up\ndown\n", "failed with exit code 7"},
		{"container", "container", here, false, true, 143, "up\n", "cancelled"},
		{"remote", "remote", there, false, false, 7, "up\ndown\n", "failed with exit code 7"},
		{"stopped", "local", here, false, true, 143, "up\n", "cancelled"},
		{"restarted", "local", here, true, false, 137, "up\n", "how it ended is not known: the machine was restarted, or the amlfix process that watched over it was killed; 1 file (7 B) in outputs/"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := project(t, there, jobs+job, "$IMAGE", image)
			temp, open := t.TempDir(), t.TempDir()
			testkit.OK(t, os.Chmod(filepath.Dir(open), 0o755))
			goOn := filepath.Join(open, "go")
			amlfix := func(args ...string) ended {
				cmd := command(t, tt.on, dir, args...)
				cmd.Env = append(cmd.Env, "TMPDIR="+temp)
				return finish(cmd)
			}
			if got := amlfix("run", "-c", tt.target, "--detach", "later.py", goOn); got.code != 0 {
				t.Fatalf("%+v", got)
			}
			id := recorded(t, dir).ID.String()
			testkit.Until(t, "the job prints", func() bool { return amlfix("runs", "logs", id).out == "up\n" })
			which := "AMLFIX_DETACHED_RUN=" + id // only the process in the background has it
			if tt.all {
				which = id
			}
			list, err := exec.Command("sh", "-c", `grep -lsz "$0" /proc/[0-9]*/environ /proc/[0-9]*/cmdline | cut -d/ -f3 | sort -u`, which).Output()
			testkit.OK(t, err)
			for _, word := range strings.Fields(string(list)) {
				if pid, err := strconv.Atoi(word); err == nil && pid != os.Getpid() {
					_ = syscall.Kill(pid, syscall.SIGKILL) // grep itself has ended
				}
			}
			testkit.Until(t, "the process is gone", func() bool { return !recorded(t, dir).Live })
			if got := amlfix("runs", "show", id); got.code != 0 || !strings.HasPrefix(got.out, "run "+id+"  detached\n") {
				t.Errorf("%+v", got)
			}
			if tt.stop {
				if got := amlfix("runs", "stop", id); got.code != 0 || got.out != "" || !strings.Contains(got.err, "cancelled") {
					t.Errorf("%+v", got)
				}
			}
			testkit.OK(t, os.WriteFile(goOn, nil, 0o644))
			if got := amlfix("runs", "attach", id); got.code != tt.code || got.out != tt.out || !strings.Contains(got.err, tt.said) {
				t.Errorf("%+v", got)
			}
			testkit.Same(t, map[string]string{"model": "weights"}, testkit.Contents(t, filepath.Join(dir, "outputs")))
			if rec := recorded(t, dir); !rec.Over() || rec.Code != tt.code {
				t.Errorf("%+v", rec.Record)
			}
			nothingLeft(t, tt.on, id)
		})
	}
}
