//go:build linux

package docker

import (
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestEngineThatTakesJobsAlong restarts an engine without live-restore, which stops its containers. The job did not end
// by itself, and this is reported.
func TestEngineThatTakesJobsAlong(t *testing.T) {
	t.Parallel()
	e := enginetest.StartOwn(t, "no-live-restore")
	testkit.OK(t, e.Crash(syscall.SIGTERM))
	testkit.OK(t, e.Launch(map[string]any{"live-restore": false}))
	for name, sig := range map[string]syscall.Signal{"stopped": syscall.SIGTERM, "killed": syscall.SIGKILL} {
		t.Run(name, func(t *testing.T) {
			got := map[string]string{}
			j := launch(t.Context(), t, connect(t, e), e.Job(t), process.Control{}, withProject(t, got), "write:outputs/model=weights", "out:up\n", "sleep:600s")
			j.out.Await(t, "up\n")
			testkit.OK(t, e.Crash(sig))
			testkit.OK(t, e.Relaunch())
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
