package condaenv

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/source"
)

// comments are the comments of a conda file by what they describe: those on the lines directly above an item, those on
// its line, and those that an empty line separates from the next item.
type comments struct {
	above, apart map[*document.Node][]string
	beside       map[*document.Node]string
	tail         []string
}

// commentsOf attaches each comment of a file to the item or key on its line, or else to the next one; tail has the
// comments after the last one. Secrets are masked.
func commentsOf(s *document.Stream) comments {
	c := comments{map[*document.Node][]string{}, map[*document.Node][]string{}, map[*document.Node]string{}, nil}
	if s.Repaired || s.Root() == nil {
		return c
	}
	var anchors []*document.Node
	var walk func(*document.Node)
	walk = func(n *document.Node) {
		for _, e := range n.Entries() {
			anchors = append(anchors, e.Key)
			walk(e.Value)
		}
		for _, item := range n.Items() {
			if item.Kind == document.Scalar {
				anchors = append(anchors, item)
			}
			walk(item)
		}
	}
	walk(s.Root())
	slices.SortFunc(anchors, func(a, b *document.Node) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	hidden := secret.Spans(s.Source.Text)
	last := 0 // the line of the previous comment
	for _, span := range s.Comments() {
		text := commentText(s.Source, span, hidden)
		line := s.Source.LineAt(span.Start)
		i := sort.Search(len(anchors), func(i int) bool { return anchors[i].Span.Start > span.Start })
		gap := last > 0 && line > last+1
		last = line
		switch {
		case i > 0 && s.Source.LineAt(anchors[i-1].Span.Start) == line:
			c.beside[anchors[i-1]] = text
		case i < len(anchors):
			next := anchors[i]
			if gap && len(c.above[next]) > 0 {
				c.apart[next] = append(append(c.apart[next], c.above[next]...), "")
				c.above[next] = nil
			}
			c.above[next] = append(c.above[next], text)
			if below := s.Source.Line(line + 1); len(bytes.TrimSpace(s.Source.Slice(below))) == 0 {
				c.apart[next] = append(append(c.apart[next], c.above[next]...), "")
				c.above[next] = nil
			}
		default:
			if gap && len(c.tail) > 0 {
				c.tail = append(c.tail, "")
			}
			c.tail = append(c.tail, text)
		}
	}
	return c
}

// commentText returns the text of a comment without "#".
func commentText(src *source.Source, span source.Span, hidden []source.Span) string {
	text := strings.TrimPrefix(secret.Masked(src.Text, span, hidden), "#")
	return secret.Hide(strings.TrimRight(strings.TrimPrefix(text, " "), " \t\r"))
}
