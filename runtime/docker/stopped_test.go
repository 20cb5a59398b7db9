//go:build linux

package docker

import (
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/runtime/process"
)

// TestEngineThatTakesJobsAlong restarts an engine without live-restore, which ends its containers: that is no end that the
// job came to by itself, and it is said.
func TestEngineThatTakesJobsAlong(t *testing.T) {
	t.Parallel()
	e := enginetest.StartOwn(t, "no-live-restore")
	if err := e.Crash(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := e.Launch(map[string]any{"live-restore": false}); err != nil {
		t.Fatal(err)
	}
	for name, sig := range map[string]syscall.Signal{"stopped": syscall.SIGTERM, "killed": syscall.SIGKILL} {
		t.Run(name, func(t *testing.T) {
			got := map[string]string{}
			j := launch(t.Context(), t, connect(t, e), e.Job(t), process.Control{}, withProject(t, got), "write:outputs/model=weights", "out:up\n", "sleep:600s")
			j.out.Await(t, "up\n")
			if err := e.Crash(sig); err != nil {
				t.Fatal(err)
			}
			if err := e.Relaunch(); err != nil {
				t.Fatal(err)
			}
			j.wait(t)
			if r := j.result; j.failure != nil || r.Code != 143 && r.Code != 137 || r.Cause != process.Ended || r.Note == "" || j.out.String() != "up\n" {
				t.Errorf("%+v, %v\n%s", r, j.failure, j.said)
			}
			if d := cmp.Diff(map[string]string{"outputs/model": "weights"}, got); d != "" || j.result.CollectErr != nil {
				t.Errorf("the outputs: %v %s", j.result.CollectErr, d)
			}
			e.NothingLeft(t, runID(t))
		})
	}
}
