package secret

import (
	"bytes"

	"github.com/amlfix/amlfix/schema/source"
)

// Found is what was found in a text.
type Found struct {
	// Spans is what the function Spans returns.
	Spans []source.Span

	key int // the first secret's key is not before this offset
}

// Search finds the secrets in a text. If Tokens is known to find nothing there, tokenless, they are not searched again.
func Search(text []byte, tokenless bool) Found {
	s := newScanner(text)
	s.tokenless = tokenless
	found := Found{Spans: s.find(s.start, len(text)), key: s.key}
	if s.eol != '\n' {
		found.key = 0
	}
	return found
}

// Near returns those of the secrets in a changed text that overlap or touch the changed part, and perhaps others.
// Before that part, the text must be the same as the one that f is about.
//
// Lines before the first secret's key are independent of each other. What a key hides is after it, except for anchored
// values.
func (f Found) Near(text []byte, part source.Span) []source.Span {
	s := newScanner(text)
	from, to := s.start, part.End
	if s.eol == '\n' {
		from = max(from, bytes.LastIndexByte(text[:min(f.key, part.Start)], '\n')+1)
	}
	if bytes.IndexByte(text, '&') >= 0 {
		to = len(text)
	}
	return s.find(from, to)
}

// find returns the spans of the secrets, except those that only lines before from, or behind to, reveal.
func (s *scanner) find(from, to int) []source.Span {
	s.tokens(true)
	for at := from; at < len(s.text) && at <= to; {
		at = s.line(at)
	}
	s.anchored()
	return source.Merge(s.spans)
}
