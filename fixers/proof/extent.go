package proof

import (
	"bytes"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
)

// mayGo returns the spans of the old text that declared changes may remove.
func (c *checker) mayGo() (spans []source.Span) {
	for i, change := range c.Changes {
		t := c.touched[i]
		switch change.Op {
		case finding.SetScalar:
			spans = append(spans, t.old.Span)
		case finding.RenameKey:
			spans = append(spans, t.key.Span)
		case finding.RemoveEntry:
			spans = append(spans, c.removable(t)...)
		case finding.EditComment:
			spans = append(spans, c.removableComment(change))
		default: // the others take nothing from a file that parses
		}
	}
	return spans
}

// removable returns what may be removed with an entry or item: in block style its lines, in flow style everything up to
// its neighbours.
func (c *checker) removable(t touched) []source.Span {
	first, last := t.extent()
	before, after := c.neighbours(t)
	if t.parent.Style == document.Flow {
		from, to := t.parent.Span.Start+1, t.parent.Span.End-1
		if before != nil {
			from = before.Span.End
		}
		if after != nil {
			to = after.Properties
		}
		return []source.Span{{Start: from, End: to}}
	}
	src := c.old.Source
	line := src.FullLine(c.oldLine(first))
	if len(bytes.Trim(c.Old[line.Start:first], " \t")) > 0 {
		if after == nil {
			return nil
		}
		to := after.Properties
		if after.Dash() >= 0 {
			to = after.Dash()
		}
		return []source.Span{{Start: first, End: to}}
	}
	end := src.FullLine(c.oldLine(last))
	spans := []source.Span{{Start: line.Start, End: end.End}}
	// If the last line has no line end, the line end before the removed part is removed.
	if n := c.oldLine(first); !src.FinalNewline() && n > 1 {
		spans = append(spans, source.Span{Start: src.Line(n - 1).End, End: line.Start})
	}
	return spans
}

// extent returns where an entry or item begins and ends.
func (t touched) extent() (first, last int) {
	first, last = t.old.Properties, t.old.Span.End
	if t.old.Dash() >= 0 {
		first, last = t.old.Dash(), max(last, t.old.Dash()+1)
	}
	if t.key != nil {
		first, last = t.key.Properties, max(last, t.key.Span.End)
	}
	return first, last
}

// neighbours returns the node that ends before an entry or item, and the one that begins after it; nil where there is
// none.
func (c *checker) neighbours(t touched) (before, after *document.Node) {
	i := t.index
	if t.parent.Kind == document.Sequence {
		if i > 0 {
			before = t.parent.Items()[i-1]
		}
		if i+1 < len(t.parent.Items()) {
			after = t.parent.Items()[i+1]
		}
		return before, after
	}
	if i > 0 {
		e := t.parent.Entries()[i-1]
		if before = e.Value; e.Key.Span.End > e.Value.Span.End {
			before = e.Key
		}
	}
	if i+1 < len(t.parent.Entries()) {
		after = t.parent.Entries()[i+1].Key
	}
	return before, after
}

// mayCome returns the spans of the new text that declared changes may add.
func (c *checker) mayCome() (spans []source.Span) {
	emptied := false
	for i, change := range c.Changes {
		t := c.touched[i]
		for _, n := range t.fresh {
			span := n.Span
			if change.Op == finding.SetScalar && t.old.Span.Len() == 0 && span.Start > 0 && c.New[span.Start-1] == ' ' {
				span.Start-- // what follows a colon or dash needs a space
			}
			spans = append(spans, span)
		}
		if change.Op == finding.RemoveEntry && t.parent.Style == document.Block {
			emptied = true
		}
	}
	if emptied {
		spans = append(spans, c.emptied()...)
	}
	spans = append(spans, c.freshComments()...)
	return spans
}

// emptied returns the spans of the empty brackets of the new text, each with the space before it, which is how a
// collection that lost all its lines is written.
func (c *checker) emptied() (spans []source.Span) {
	var visit func(n *document.Node)
	visit = func(n *document.Node) {
		if n.Kind != document.Scalar && n.Style == document.Flow && n.Span.Len() == 2 {
			spans = append(spans, source.Span{Start: n.Span.Start - 1, End: n.Span.End})
		}
		for _, e := range n.Entries() {
			visit(e.Value)
		}
		for _, item := range n.Items() {
			visit(item)
		}
	}
	for _, root := range c.new.Documents {
		visit(root)
	}
	return spans
}
