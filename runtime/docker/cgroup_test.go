//go:build linux

package docker

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestCgroup2 runs jobs on an engine that uses version 2 of control groups: to completion, until Ctrl-C, and until the
// time limit. A limit that such an engine cannot enforce is reported as not enforced.
func TestCgroup2(t *testing.T) {
	t.Parallel()
	e := enginetest.StartCgroup2(t)
	image := e.Job(t)
	info := string(e.Do(t, "GET", "/info"))
	if !strings.Contains(info, `"CgroupVersion":"2"`) {
		t.Fatalf("the engine uses another version: %s", info)
	}
	for _, tt := range []struct {
		name    string
		steps   []string
		limit   time.Duration
		memory  int64
		ctrlC   bool
		code    int
		cause   process.Cause
		out     string
		outputs int
	}{
		{name: "ends", steps: []string{"write:outputs/model=weights", "exit:7"}, code: 7, cause: process.Ended, outputs: 1},
		{name: "Ctrl-C", steps: []string{"graceful:saved", "out:up\n", "sleep:600s"}, ctrlC: true, cause: process.Cancelled, out: "up\nsaved\n"},
		{name: "time limit", steps: []string{"out:up\n", "sleep:600s"}, limit: testkit.Limit, code: 143, cause: process.TimedOut, out: "up\n"},
		{name: "memory", steps: []string{"out:up\n"}, memory: 64 << 20, cause: process.Ended, out: "up\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			got := map[string]string{}
			with := withProject(t, got)
			j := launch(ctx, t, connect(t, e), image, process.Control{Limit: tt.limit}, func(s *Spec) { with(s); s.Memory = tt.memory }, tt.steps...)
			if tt.ctrlC {
				j.out.Await(t, "up")
				cancel(&process.Signalled{Signal: os.Interrupt})
			}
			j.wait(t)
			if d := cmp.Diff([]any{tt.code, tt.cause, tt.outputs}, []any{j.result.Code, j.result.Cause, len(got)}); d != "" || j.failure != nil || !strings.HasPrefix(j.out.String(), tt.out) {
				t.Errorf("%v %s\n%s\n%s", j.failure, d, j.out, j.said)
			}
			if limits := strings.Contains(info, `"MemoryLimit":true`); tt.memory > 0 && limits == strings.Contains(j.said.String(), "cannot limit memory") {
				t.Errorf("said %s", j.said)
			}
			e.NothingLeft(t, runID(t))
		})
	}
}
