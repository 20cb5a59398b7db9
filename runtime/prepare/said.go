package prepare

import (
	"context"

	"github.com/amlfix/amlfix/runtime/process"
)

// Said observes the tools' output while they make an environment.
type Said struct{ disk roomless }

// Full reports whether they reported a full disk.
func (s *Said) Full() bool { return s.disk.full }

// Hide returns streams for the tools' output, which goes to out until ctx is cancelled, without the recipe's secrets, and a
// function that flushes what is still held back.
func (s *Said) Hide(ctx context.Context, out process.Streams, r Recipe) (hidden process.Streams, flush func()) {
	quiet, finish := untilStopped(ctx, out)
	hidden, release := hiding(quiet, r.secrets())
	hidden.Stdout, hidden.Stderr = s.disk.to(hidden.Stdout), s.disk.to(hidden.Stderr)
	return hidden, func() {
		release()
		finish()
	}
}
