//go:build linux

package docker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/runtime/lease"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestGPUsOfOneRun checks that runs that start at the same moment get separate GPUs, however the engine provides them,
// until none is left, and that a run that ends returns its GPU.
func TestGPUsOfOneRun(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(testing.TB) enginetest.GPU{"hook": enginetest.StartHookGPU, "runtime": enginetest.StartRuntimeGPU, "cdi": enginetest.StartCDIGPU} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := start(t)
			image := e.Job(t)
			begin := func(ctx context.Context, n int) *job {
				return launch(ctx, t, connect(t, e.Engine), image, process.Control{}, func(s *Spec) {
					s.RunID, s.GPUs, s.GPUCount, s.GPUTotal = fmt.Sprintf("%s-%d", runID(t), n), true, 1, 2
				}, "ls:/dev", "env:"+lease.Variable, "out:up", "sleep:600s")
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			jobs := []*job{begin(ctx, 1), begin(ctx, 2), begin(ctx, 3)}
			var refused int
			testkit.Until(t, "two jobs run, and one is refused", func() bool {
				up := 0
				refused = slices.IndexFunc(jobs, func(j *job) bool {
					select {
					case <-j.done:
						return true
					default:
						return false
					}
				})
				for _, j := range jobs {
					up += strings.Count(j.out.String(), "up")
				}
				return up == 2 && refused >= 0
			})
			none, ok := errors.AsType[*lease.Error](jobs[refused].failure)
			if !ok || len(none.Taken) != 2 || !strings.Contains(none.Error(), "too few are free (GPU 0 by run "+runID(t)) {
				t.Errorf("%v", jobs[refused].failure)
			}
			var seen []string
			for i, j := range jobs {
				if i == refused {
					continue
				}
				for _, n := range []string{"0", "1"} {
					if out := j.out.String(); strings.Contains(out, lease.Variable+`="`+n+`"`) != strings.Contains(out, "nvidia"+n+" ") {
						t.Errorf("the job sees other GPUs than it has: %s", out)
					} else if strings.Contains(out, "nvidia"+n+" ") {
						seen = append(seen, n)
					}
				}
			}
			slices.Sort(seen)
			testkit.Same(t, []string{"0", "1"}, seen)
			cancel()
			for _, j := range jobs {
				j.wait(t)
			}
			again, stop := context.WithCancel(t.Context())
			j := begin(again, 4)
			j.out.Await(t, "up")
			stop()
			j.wait(t)
			e.NothingLeft(t, runID(t))
		})
	}
}
