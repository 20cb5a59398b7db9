package local

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestLockGPUs checks that a run waits for another one that is reserving GPUs, but not once it is to stop.
func TestLockGPUs(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	unlock, err := lockGPUs(t.Context())
	testkit.OK(t, err)
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("stopped")
	time.AfterFunc(40*time.Millisecond, func() { cancel(stopped) })
	start := time.Now()
	if _, err := lockGPUs(ctx); !errors.Is(err, stopped) || time.Since(start) > leaseTime/2 {
		t.Errorf("%v after %v", err, time.Since(start))
	}
	time.AfterFunc(40*time.Millisecond, unlock)
	again, err := lockGPUs(t.Context())
	testkit.OK(t, err)
	again()
}
