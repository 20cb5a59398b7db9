//go:build linux

package programtest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestDetach: amlfix ends when the job runs, and another one goes on in the background: the job's output, its outputs and
// its exit code are there when it is over, on every kind of target.
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
			if target == "container" { // which does not see it: it is stopped instead
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
