package target

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/session"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestOwnGPUs checks what is said of an nvidia-smi that does not answer: nothing about missing GPUs.
func TestOwnGPUs(t *testing.T) {
	silent := func(ctx context.Context, _ ...string) (string, bool) {
		<-ctx.Done()
		return "", false
	}
	stopped := errors.New("stopped")
	for name, tt := range map[string]struct {
		smi  session.SMI
		stop bool
		want string
	}{
		"GPUs":       {func(context.Context, ...string) (string, bool) { return "0\n1\n", true }, false, ""},
		"a failure":  {func(context.Context, ...string) (string, bool) { return "", false }, false, "--gpus 2: nvidia-smi lists no GPUs on this machine: install NVIDIA's driver there, or leave --gpus out"},
		"a hang":     {silent, false, "--gpus 2: nvidia-smi has not answered within 1m0s on this machine: restart the machine, or share its GPUs with --gpus all"},
		"impatience": {silent, true, "stopped"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				if tt.stop {
					go cancel(stopped)
				}
				s := &session.Session{Job: session.Job{Plan: plan.Plan{GPUs: plan.From(plan.GPURequest("2"), plan.CommandLine)}}}
				n, total, err := OwnGPUs(ctx, s, tt.smi, "on this machine")
				if err == nil && (n != 2 || total != 2) {
					t.Errorf("%d of %d", n, total)
				}
				testkit.Same(t, tt.want, said(err))
			})
		})
	}
}

// said returns the text of an error, "" if it is nil.
func said(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
