package edit

import (
	"bytes"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
)

// removeBlock deletes the lines of the removed parts of a block collection.
func (e *editor) removeBlock(w *work) error {
	if len(w.removed) == len(w.parts) && len(w.inserts) == 0 {
		if err := e.emptyBlock(w); err != nil {
			return err
		}
	}
	var spans []source.Span
	var changes []int
	for _, k := range w.removedInOrder() {
		change := w.removed[k]
		span, err := e.blockLines(w, k, w.parts[k], change)
		if err != nil {
			return err
		}
		spans, changes = append(spans, span), append(changes, change)
	}
	e.keepMissingNewline(w, spans)
	for i, span := range spans {
		e.add(changes[i], span.Start, span.End, "")
	}
	return nil
}

// blockLines returns the bytes that go with one part: its lines, or, for a key that shares its line with the dash of
// the item it begins, up to the next key.
func (e *editor) blockLines(w *work, k int, p part, change int) (source.Span, error) {
	start := p.start
	if p.key == nil {
		if p.value.Dash() < 0 {
			return source.Span{}, e.refuse(change, "the item's dash was not found")
		}
		start = p.value.Dash()
	}
	after, ok := e.after(p.end)
	if !ok {
		return source.Span{}, e.refuse(change, "there is other text on its last line")
	}
	if e.beginsLine(start) {
		return source.Span{Start: e.lineStart(start), End: after.at}, nil
	}
	if _, ok := e.indentation(start); !ok || k+1 == len(w.parts) {
		return source.Span{}, e.refuse(change, "it shares its first line with other text")
	}
	if _, gone := w.removed[k+1]; gone {
		return source.Span{}, e.refuse(change, "the entry after it, which would take its place, is removed too")
	}
	next := w.parts[k+1]
	begin := next.start
	if next.key == nil {
		begin = next.value.Dash()
	}
	if begin < after.at || len(bytes.Trim(e.text[after.at:begin], " \t")) > 0 {
		return source.Span{}, e.refuse(change, "there are comments or empty lines between it and the next entry, which would take its place")
	}
	return source.Span{Start: start, End: begin}, nil
}

// keepMissingNewline lets a deletion at the end of a text without final newline take the line end before it instead of
// its own, which it does not have. Spans are in order; consecutive deletions count as one.
func (e *editor) keepMissingNewline(w *work, spans []source.Span) {
	last := len(spans) - 1
	if last < 0 || spans[last].End != len(e.text) || e.src.FinalNewline() {
		return
	}
	for last > 0 && spans[last-1].End == spans[last].Start {
		last--
	}
	n := e.src.LineAt(spans[last].Start)
	if n == 1 || e.src.FullLine(n).Start != spans[last].Start {
		return
	}
	// The line end may be part of a text block's value.
	above := e.src.Line(n - 1).End
	inText := false
	walk(root(w.node), func(n *document.Node) {
		if n.Kind == document.Scalar && (n.Style == document.Literal || n.Style == document.Folded) && n.Span.Start < above && n.Span.End >= above {
			inText = true
		}
	})
	if !inText {
		spans[last].Start = above
	}
}

func root(n *document.Node) *document.Node {
	for n.Parent != nil {
		n = n.Parent
	}
	return n
}

// emptyBlock writes "[]" or "{}" after the colon or dash of a collection that loses all its lines; without it the value
// would become null.
func (e *editor) emptyBlock(w *work) error {
	change, n := w.firstChange(), w.node
	start := n.Span.Start
	if n.Parent == nil {
		return e.refuse(change, "it is the only content of the document")
	}
	if n.Properties != start || !e.beginsLine(start) {
		return e.refuse(change, "nothing would be left of its parent, whose first line contains other text")
	}
	empty := " {}"
	if n.Kind == document.Sequence {
		empty = " []"
	}
	at := n.Dash() + 1
	if key := w.key; key != nil {
		at = e.skipSpaces(key.Span.End)
		if at >= len(e.text) || e.text[at] != ':' {
			return e.refuse(change, "nothing would be left of its parent, whose colon was not found")
		}
		at++
	}
	if at <= 0 || at > start || e.sameLine(at, start) {
		return e.refuse(change, "nothing would be left of its parent")
	}
	e.add(change, at, at, empty)
	return nil
}
