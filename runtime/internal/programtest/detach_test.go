//go:build linux

package programtest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestDetach checks that amlfix ends once the job runs while another process continues in the background: the job's output,
// its outputs and its exit code are there when it is over, on every kind of target.
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
			if end.code != code || !strings.Contains(end.out+out, out) {
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

// TestDetachV2 checks that the run of a v2 job continues in the background, and so does a whole pipeline, whose first run is
// named.
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
