package session

import (
	"context"
	"sync"

	"github.com/amlfix/amlfix/runtime/progress"
)

// reassure reports what happens if the user asks to stop while outputs are being copied back: nothing, because the job
// has ended.
func (s *Session) reassure(ctx context.Context) {
	said := s.Say
	var mu sync.Mutex
	var quiet func() bool
	s.Say = func(e progress.Event) {
		said(e)
		if e.State == "" {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		switch {
		case e.State != progress.Collecting && quiet != nil:
			quiet()
		case e.State == progress.Collecting && quiet == nil && ctx.Err() == nil:
			quiet = context.AfterFunc(ctx, func() {
				said.Notice("the job has ended: amlfix exits when its outputs are copied back")
			})
		}
	}
}
