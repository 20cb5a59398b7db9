package document

import (
	"bytes"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// Comments returns the spans of the file's comments in file order, each from its "#" to the end of its line. In a text
// that does not parse, quotes cannot be recognized, and a "#" inside them may be taken for a comment.
func (s *Stream) Comments() []source.Span { return s.CommentsIn(source.Span{End: len(s.Source.Text)}) }

// CommentsIn is Comments for some lines, of which the first and the one after the last begin outside of values.
func (s *Stream) CommentsIn(lines source.Span) []source.Span {
	var scalars []source.Span
	if !s.Repaired {
		for _, root := range s.Documents {
			scalars = root.collect(s.Source, lines, scalars)
		}
	}
	plain.SortFunc(scalars, func(a, b source.Span) int { return a.Start - b.Start })
	return s.Source.Comments(lines, scalars)
}

// collect appends the spans of the values in some lines that contain a "#". The header line of a block scalar can carry
// a comment, so it is left out.
func (n *Node) collect(src *source.Source, lines source.Span, spans []source.Span) []source.Span {
	if n.Span.End <= lines.Start || n.Span.Start >= lines.End {
		return spans
	}
	text := src.Slice(n.Span)
	switch {
	case n.Kind != Scalar || bytes.IndexByte(text, '#') < 0:
	case n.Style != Literal && n.Style != Folded:
		spans = append(spans, n.Span)
	default:
		if nl := bytes.IndexAny(text, "\r\n"); nl >= 0 {
			spans = append(spans, source.Span{Start: n.Span.Start + nl, End: n.Span.End})
		}
	}
	for _, e := range n.Entries() {
		spans = e.Value.collect(src, lines, e.Key.collect(src, lines, spans))
	}
	for _, item := range n.Items() {
		spans = item.collect(src, lines, spans)
	}
	return spans
}
