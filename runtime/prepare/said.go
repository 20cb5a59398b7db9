package prepare

import "github.com/amlfix/amlfix/runtime/process"

// Said is what the tools say while they make an environment.
type Said struct{ disk roomless }

// Full reports whether they have said that a disk is full.
func (s *Said) Full() bool { return s.disk.full }

// Hide returns streams for what the tools say, which goes to out without the secrets of the recipe, and a function that
// passes on what is still held back.
func (s *Said) Hide(out process.Streams, r Recipe) (hidden process.Streams, flush func()) {
	hidden, flush = hiding(out.Shared(), r.secrets())
	hidden.Stdout, hidden.Stderr = s.disk.to(hidden.Stdout), s.disk.to(hidden.Stderr)
	return hidden, flush
}
