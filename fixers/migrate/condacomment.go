package migrate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/source"
)

// comments are the comments of a conda file by what they describe.
type comments struct {
	above  map[*document.Node][]string
	beside map[*document.Node]string
	tail   []string
}

// commentsOf attaches each comment of a file to the item or key on its line, or
// else to the one that follows; tail are those after the last. Secrets in them
// are masked.
func commentsOf(s *document.Stream) comments {
	c := comments{map[*document.Node][]string{}, map[*document.Node]string{}, nil}
	if s.Repaired || s.Root() == nil {
		return c
	}
	var anchors []*document.Node
	var walk func(*document.Node)
	walk = func(n *document.Node) {
		for _, e := range n.Entries {
			anchors = append(anchors, e.Key)
			walk(e.Value)
		}
		for _, item := range n.Items {
			if item.Kind == document.Scalar {
				anchors = append(anchors, item)
			}
			walk(item)
		}
	}
	walk(s.Root())
	slices.SortFunc(anchors, func(a, b *document.Node) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	hidden := secret.Spans(s.Source.Text)
	for _, span := range s.Comments() {
		text := commentText(s.Source, span, hidden)
		line := s.Source.LineAt(span.Start)
		i := slices.IndexFunc(anchors, func(n *document.Node) bool { return n.Span.Start > span.Start })
		if i < 0 {
			i = len(anchors)
		}
		switch {
		case i > 0 && s.Source.LineAt(anchors[i-1].Span.Start) == line:
			c.beside[anchors[i-1]] = text
		case i < len(anchors):
			c.above[anchors[i]] = append(c.above[anchors[i]], text)
		default:
			c.tail = append(c.tail, text)
		}
	}
	return c
}

// commentText returns a comment without its sign.
func commentText(src *source.Source, span source.Span, hidden []source.Span) string {
	var b strings.Builder
	at := span.Start
	for _, h := range hidden {
		if h.End <= at || h.Start >= span.End {
			continue
		}
		b.Write(src.Slice(source.Span{Start: at, End: max(h.Start, at)}))
		b.WriteString(secret.Mask)
		at = h.End
	}
	b.Write(src.Slice(source.Span{Start: at, End: max(at, span.End)}))
	text := strings.TrimPrefix(b.String(), "#")
	return secret.Hide(strings.TrimRight(strings.TrimPrefix(text, " "), " \t\r"))
}
