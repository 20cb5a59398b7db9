package session

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestStoppedWhileCollecting checks that somebody who asks to stop a job that has ended learns what amlfix waits for,
// and nobody does in any other state.
func TestStoppedWhileCollecting(t *testing.T) {
	for _, tt := range []struct {
		states []progress.State // "": the user asks to stop
		want   []string
	}{
		{[]progress.State{progress.Running, progress.Collecting, ""}, []string{"the job has ended: amlfix exits when its outputs are copied back"}},
		{[]progress.State{progress.Running, "", progress.Stopping, progress.Collecting, progress.Removing}, nil},
		{[]progress.State{progress.Running, progress.Collecting, progress.Removing, ""}, nil},
		{[]progress.State{progress.Running, progress.Collecting}, nil},
	} {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		var mu sync.Mutex
		var got []string
		said := make(chan bool, 1)
		opts := Options{Progress: func(e progress.Event) {
			if e.State == "" {
				mu.Lock()
				defer mu.Unlock()
				got = append(got, e.Text)
				said <- true
			}
		}}
		result, err := Run(ctx, plan.Plan{Project: t.TempDir(), RunID: runid.New(time.Now())}, opts, "", func(_ context.Context, s *Session) (process.Exit, error) {
			for _, state := range tt.states {
				if state == "" {
					stop()
					continue
				}
				s.Say.Enter(state, "")
			}
			if tt.want != nil {
				testkit.Receive(t, "what amlfix waits for", said)
			}
			now := time.Now()
			return process.Exit{Cause: process.Ended, Started: now, Ended: now}, nil
		})
		testkit.OK(t, err)
		mu.Lock()
		testkit.Same(t, tt.want, got, "%v: %v", tt.states, result.Outcome)
		mu.Unlock()
	}
}
