package edit

import (
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
)

// gap is the text between two neighbours in a flow collection.
type gap struct {
	from, to int
	comma    int // offset of the only comma, -1 without
	comment  bool
	broken   bool // it holds a line break
}

// gapBetween reads a gap; ok is false if it holds anything but spaces, line breaks, comments and one comma.
func (l layout) gapBetween(from, to int) (g gap, ok bool) {
	g = gap{from: from, to: to, comma: -1}
	for p := from; p < to; p++ {
		switch c := l.text[p]; {
		case c == ' ' || c == '\t':
		case c == ',' && g.comma < 0:
			g.comma = p
		case c == '#':
			g.comment = true
			for p+1 < to && source.BreakWidth(l.text, p+1) == 0 {
				p++
			}
		default:
			width := source.BreakWidth(l.text, p)
			if width == 0 {
				return g, false
			}
			g.broken = true
			p += width - 1
		}
	}
	return g, true
}

// brackets are those of a flow collection, and the gaps between its parts.
type brackets struct {
	open, close int   // offsets of the brackets
	gaps        []gap // gaps[k] is before part k, the last one before the closing bracket
	reason      string
}

// bracketed is the work on a flow collection that was understood.
type bracketed struct {
	*work
	*brackets
}

func (e *editor) bracketed(w *work) (bracketed, error) {
	b := e.brackets[w.node]
	if b == nil {
		b = e.readBrackets(w.node, w.parts)
		e.brackets[w.node] = b
	}
	if b.reason != "" {
		return bracketed{}, e.refuse(w.firstChange(), "%s", b.reason)
	}
	return bracketed{w, b}, nil
}

// readBrackets reads a flow collection; reason says why it was not understood.
func (l layout) readBrackets(n *document.Node, parts []part) *brackets {
	const odd = "it is written in a form whose exact bytes amlfix does not understand"
	b := &brackets{open: n.Span.Start, close: n.Span.End - 1}
	if b.close <= b.open || strings.IndexByte("[{", l.text[b.open]) < 0 || strings.IndexByte("]}", l.text[b.close]) < 0 {
		b.reason = "the mapping has no braces"
		return b
	}
	from := b.open + 1
	for k := 0; k <= len(parts); k++ {
		to := b.close
		if k < len(parts) {
			to = parts[k].start
		}
		if to < from {
			b.reason = odd
			return b
		}
		g, ok := l.gapBetween(from, to)
		if !ok || k > 0 && k < len(parts) && g.comma < 0 || k == 0 && g.comma >= 0 {
			b.reason = odd
			return b
		}
		b.gaps = append(b.gaps, g)
		if k < len(parts) {
			from = parts[k].end
		}
	}
	return b
}
