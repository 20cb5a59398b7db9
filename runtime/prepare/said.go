package prepare

import "github.com/amlfix/amlfix/runtime/process"

// Said observes the tools' output while they make an environment.
type Said struct{ disk roomless }

// Full reports whether they reported a full disk.
func (s *Said) Full() bool { return s.disk.full }

// Hide returns streams for the tools' output, which goes to out without the recipe's secrets, and a function that flushes
// what is still held back.
func (s *Said) Hide(out process.Streams, r Recipe) (hidden process.Streams, flush func()) {
	hidden, flush = hiding(out.Shared(), r.secrets())
	hidden.Stdout, hidden.Stderr = s.disk.to(hidden.Stdout), s.disk.to(hidden.Stderr)
	return hidden, flush
}
