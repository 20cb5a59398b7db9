package document

import "github.com/amlfix/amlfix/schema/source"

// readRepaired reads the documents of the repaired text and moves their spans
// back into the original, so that the other faults of the file can be told too.
func (s *Stream) readRepaired(repair []Splice) {
	text := apply(s.Source.Text, repair)
	repaired := Parse(source.New(s.Source.Path, text))
	for _, p := range repaired.Problems {
		if p.Kind == Syntax || p.Kind == Encoding || p.Kind == TooLarge || p.Kind == TooDeep {
			return
		}
		p.Span, p.First = back(repair, p.Span), back(repair, p.First)
		s.Problems = append(s.Problems, p)
	}
	s.Documents, s.Exact, s.Repaired = repaired.Documents, repaired.Exact, true
	for _, root := range s.Documents {
		root.moveBack(repair)
	}
}

func (n *Node) moveBack(repair []Splice) {
	n.Span = back(repair, n.Span)
	n.Properties = backOffset(repair, n.Properties)
	if n.Dash >= 0 {
		n.Dash = backOffset(repair, n.Dash)
	}
	for _, e := range n.Entries {
		e.Key.moveBack(repair)
		e.Value.moveBack(repair)
	}
	for _, item := range n.Items {
		item.moveBack(repair)
	}
}

func back(repair []Splice, span source.Span) source.Span {
	return source.Span{Start: backOffset(repair, span.Start), End: backOffset(repair, span.End)}
}

// backOffset returns where an offset of the repaired text lies in the original.
func backOffset(repair []Splice, offset int) int {
	shift := 0
	for _, s := range repair {
		start := s.Offset + shift
		if offset <= start {
			break
		}
		if offset < start+len(s.New) {
			return s.Offset
		}
		shift += len(s.New) - len(s.Old)
	}
	return offset - shift
}
