package prepare

import (
	"context"

	"github.com/amlfix/amlfix/runtime/process"
)

// Said observes the tools' output while they make an environment.
type Said struct{ listener listener }

// Trouble returns what they reported about the machine.
func (s *Said) Trouble() Trouble { return s.listener.now }

// Hide returns streams for the tools' output, which goes to out until ctx is cancelled, without the recipe's secrets,
// and a function that flushes what is still held back.
func (s *Said) Hide(ctx context.Context, out process.Streams, r Recipe) (hidden process.Streams, flush func()) {
	quiet, finish := untilStopped(ctx, out)
	hidden, release := hideFrom(quiet, r.secrets())
	hidden.Stdout, hidden.Stderr = s.listener.to(hidden.Stdout), s.listener.to(hidden.Stderr)
	return hidden, func() {
		release()
		finish()
	}
}
