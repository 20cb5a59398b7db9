package document

import "github.com/amlfix/amlfix/schema/source"

// Offsets returns where in the text of the file each byte of a scalar's value is, and where the value ends: one more
// than it has bytes. White space is attributed to what precedes it. The result is nil if the node is not a scalar, or
// if escapes make text and value too different to align.
func (n *Node) Offsets(text []byte) []int {
	if n == nil || n.Kind != Scalar || n.Span.End > len(text) || n.Span.End < n.Span.Start {
		return nil
	}
	s := aligner{text: text[:n.Span.End], at: n.Span.Start, style: n.Style}
	switch n.Style {
	case SingleQuoted, DoubleQuoted:
		s.text, s.at = text[:n.Span.End-1], s.at+1
	case Literal, Folded: // the header may have a comment
		for s.at < len(s.text) && source.BreakWidth(s.text, s.at) == 0 {
			s.at++
		}
	case Plain, Block, Flow: // the text begins at once; collections have none
	}
	offsets := make([]int, 0, len(n.Value)+1)
	for i := range len(n.Value) {
		c := n.Value[i]
		if isWhite(c) {
			offsets = append(offsets, s.at)
			continue
		}
		start, ok := s.next(c)
		if !ok {
			return nil
		}
		offsets = append(offsets, start)
	}
	return append(offsets, s.at)
}

// aligner walks the text of a scalar.
type aligner struct {
	text  []byte
	at    int
	style Style
}

// next returns where the next byte other than white space is, and moves past it.
func (s *aligner) next(want byte) (start int, ok bool) {
	for s.at < len(s.text) {
		c := s.text[s.at]
		two := s.at+1 < len(s.text)
		switch {
		case isWhite(c):
			s.at++
			continue
		case c == '\\' && s.style == DoubleQuoted:
			if !two {
				return 0, false
			}
			switch e := s.text[s.at+1]; e {
			case '"', '\\', '/':
				s.at += 2
				return s.at - 2, e == want
			case 'n', 't', 'r', ' ', '\t', '\n', '\r':
				s.at += 2
				continue
			}
			return 0, false
		case c == '\'' && s.style == SingleQuoted:
			s.at += 2
			return s.at - 2, two && want == c
		}
		s.at++
		return s.at - 1, c == want
	}
	return 0, false
}

func isWhite(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
