//go:build linux

package programtest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/schema/testkit"
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

// TestRecordFillsTheDisk checks that a job whose output fills the disk of its record ends as usual: its output is
// shown, its outputs and its end are recorded, the log is a beginning of the output, and one sentence says that it is
// incomplete, also when the log is read.
func TestRecordFillsTheDisk(t *testing.T) {
	t.Parallel()
	here, there, image := machines(t)
	for _, tt := range []struct {
		target string
		on     machine
	}{{"local", here}, {"container", here}, {"remote", there}, {"remotedocker", there}} {
		for _, size := range []int{64, 400} {
			t.Run(fmt.Sprintf("%s, %d kB", tt.target, size), func(t *testing.T) {
				t.Parallel()
				dir := project(t, there, jobs, "$IMAGE", image)
				small := filepath.Join(dir, ".amlfix")
				testkit.OK(t, os.Mkdir(small, 0o700))
				if err := syscall.Mount("tmpfs", small, "tmpfs", 0, fmt.Sprintf("size=%dk", size)); err != nil {
					testkit.Unavailable(t, "a small disk cannot be mounted: "+err.Error())
				}
				t.Cleanup(func() {
					if err := syscall.Unmount(small, 0); err != nil {
						t.Error(err)
					}
				})
				got := do(t, tt.on, dir, "run", "-c", tt.target, "many.py")
				var want strings.Builder
				for i := range 10000 {
					fmt.Fprintln(&want, "line", i, strings.Repeat(".", 100))
				}
				if got.code != 7 || got.out != want.String() || strings.Count(got.err, "no space left") != 1 ||
					!strings.Contains(got.err, "amlfix: the record of the run is incomplete, because its log could not be written: no space left on device\n") {
					t.Errorf("%d, %d bytes\n%s", got.code, len(got.out), got.err)
				}
				testkit.Same(t, "weights", testkit.Read(t, dir, "outputs/model"))
				rec := recorded(t, dir)
				const cut = "the record of the run is incomplete, because its log could not be written: no space left on device"
				if rec.Outcome != "failed" || rec.Code != 7 || !rec.Over() || len(rec.Outputs.Files) != 1 || !slices.Contains(rec.Warnings, cut) {
					t.Errorf("%+v", rec.Record)
				}
				const toStderr = "to stderr\n" // over SSH, it may overtake what the job printed before
				if log := strings.Replace(testkit.Read(t, rec.Dir, "log"), toStderr, "", 1); !strings.HasPrefix(want.String(), log) || size == 400 && len(log) < 200_000 {
					t.Errorf("%d bytes of log are not the beginning of the output", len(log))
				}
				if again := do(t, tt.on, dir, "runs", "logs"); again.code != 0 || !strings.HasPrefix(want.String(), again.out) || strings.TrimPrefix(again.err, toStderr) != "amlfix: "+cut+"\n" {
					t.Errorf("%d %s", again.code, again.err)
				}
				nothingLeft(t, tt.on, rec.ID.String())
			})
		}
	}
}
