package document

import (
	"sort"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// Repair returns the splices that repair all problems of the text that have a repair.
func (s *Stream) Repair() (all []Splice) {
	for _, p := range s.Problems {
		all = append(all, p.Repair...)
	}
	plain.SortFunc(all, Splice.compare)
	return all
}

// readRepaired reads the documents of the repaired text and maps their spans back to the original, so that the other
// faults of the file can be reported too. Mistaken words in it are repaired with the rest.
func (s *Stream) readRepaired(repair []Splice) {
	repaired := Parse(source.New(s.Source.Path, apply(s.Source.Text, repair)))
	way := newWayBack(repair)
	found := s.Problems
	for _, p := range repaired.Problems {
		mistaken := p.Kind == Syntax && len(p.Repair) > 0
		if p.Repair = way.back(s.Source.Text, p.Repair); mistaken && merged(repair, p.Repair) == nil ||
			!mistaken && p.Kind != DuplicateKey && p.Kind != MultipleDocuments {
			return
		}
		p.Span, p.First = way.span(p.Span), way.span(p.First)
		found = append(found, p)
	}
	plain.SortFunc(found, func(a, b Problem) int { return a.Span.Start - b.Span.Start })
	s.Problems = found
	s.Documents, s.Exact, s.Repaired, s.Values = repaired.Documents, repaired.Exact, true, repaired.Values
	for _, root := range s.Documents {
		root.moveBack(way)
	}
}

func (n *Node) moveBack(way wayBack) {
	n.Span = way.span(n.Span)
	n.Properties = way.offset(n.Properties)
	if n.Dash() >= 0 {
		n.setDash(way.offset(n.Dash()))
	}
	for _, e := range n.Entries() {
		e.Key.moveBack(way)
		e.Value.moveBack(way)
	}
	for _, item := range n.Items() {
		item.moveBack(way)
	}
}

// wayBack maps offsets of the repaired text to those of the original. A repair may have as many splices as the file has
// lines.
type wayBack []step

// step is one splice: where its new text begins in the repaired text, and how far everything after it has moved.
type step struct {
	Splice
	start, shift int
}

func newWayBack(repair []Splice) wayBack {
	way := make(wayBack, len(repair))
	shift := 0
	for i, s := range repair {
		way[i] = step{s, s.Offset + shift, shift + len(s.New) - len(s.Old)}
		shift = way[i].shift
	}
	return way
}

// back returns a repair of the repaired text as one of the original, or nil if it changes what the first one wrote.
func (w wayBack) back(text []byte, repair []Splice) (back []Splice) {
	for _, s := range repair {
		start, end := w.offset(s.Offset), w.offset(s.Offset+len(s.Old))
		if end-start != len(s.Old) || string(text[start:end]) != s.Old {
			return nil
		}
		back = append(back, Splice{Offset: start, Old: s.Old, New: s.New})
	}
	return back
}

func (w wayBack) span(span source.Span) source.Span {
	return source.Span{Start: w.offset(span.Start), End: w.offset(span.End)}
}

// offset maps an offset of the repaired text to the original; an offset inside new text maps to where that text was
// inserted.
func (w wayBack) offset(offset int) int {
	i := sort.Search(len(w), func(i int) bool { return w[i].start >= offset }) - 1
	switch {
	case i < 0:
		return offset
	case offset < w[i].start+len(w[i].New):
		return w[i].Offset
	}
	return offset - w[i].shift
}
