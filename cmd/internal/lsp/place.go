package lsp

import (
	"slices"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
)

// place is what is at a byte offset in a file that could be read.
type place struct {
	project *project
	file    *schema.File
	node    *document.Node // a key or a value; never nil
	isKey   bool
	value   *document.Node // the key's value, or node itself
}

// places returns what is at a byte offset in a document, in each project that contains it.
func (s *Server) places(d *buffer, offset int) (list []place) {
	for _, p := range s.projects() {
		f := p.result.Project.File(d.path)
		if f == nil || f.Stream == nil {
			continue
		}
		for _, root := range f.Stream.Documents {
			if node, value := nodeAt(root, offset); node != nil {
				list = append(list, place{p, f, node, node != value, value})
			}
		}
	}
	return list
}

// nodeAt returns the innermost key or scalar at a byte offset, and the value that belongs to it; nil if there is none.
func nodeAt(n *document.Node, offset int) (node, value *document.Node) {
	if n == nil || !holds(n.Span, offset) {
		return nil, nil
	}
	for _, e := range n.Entries() {
		if holds(e.Key.Span, offset) {
			return e.Key, e.Value
		}
		if node, value = nodeAt(e.Value, offset); node != nil {
			return node, value
		}
	}
	for _, item := range n.Items() {
		if node, value = nodeAt(item, offset); node != nil {
			return node, value
		}
	}
	if n.Kind == document.Scalar || n.Kind == document.Alias {
		return n, n
	}
	return nil, nil
}

// holds reports whether a cursor inside the span or at either end of it is on it.
func holds(span source.Span, offset int) bool { return span.Start <= offset && offset <= span.End }

// shape returns what the file's format specifies for the value at the position.
func (p place) shape() shape {
	kind, ok := rules.FormatOf(p.file)
	if !ok {
		return shape{}
	}
	var way []*document.Node
	for n := p.value; n != nil; n = n.Parent {
		way = append(way, n)
	}
	slices.Reverse(way)
	at := shapeOf(kind)
	for i, n := range way[1:] {
		holder := way[i]
		if holder.Kind == document.Sequence {
			at = at.item()
			continue
		}
		has := map[string]string{}
		var name string
		for _, e := range holder.Entries() {
			if e.Value == n {
				name = e.Key.Value
			} else if e.Value.Kind == document.Scalar {
				has[e.Key.Value] = e.Value.Value
			}
		}
		at = at.key(name, has)
	}
	return at
}

// keyOf returns the key of a value; for an item, the key of its list.
func keyOf(n *document.Node) string {
	for ; n != nil; n = n.Parent {
		if key := n.KeyNode(); key != nil {
			return key.Value
		}
	}
	return ""
}
