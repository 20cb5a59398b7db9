package edit

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/amlfix/amlfix/schema/document"
)

// slot is where a key is in its mapping, and how often it occurs.
type slot struct{ first, count int }

// and returns the slot of a key that occurs in entry i, too.
func (s slot) and(i int) slot {
	if s.count == 0 {
		s.first = i
	}
	return slot{s.first, s.count + 1}
}

// few is the number of entries up to which a search costs less than a table.
const few = 16

// slotOf returns where a key is in a mapping or other node.
func (ed *Editor) slotOf(n *document.Node, key string) (s slot) {
	if len(n.Entries()) > few {
		return ed.slotsOf(n)[key]
	}
	for i, e := range n.Entries() {
		if e.Key.Kind == document.Scalar && e.Key.Value == key {
			s = s.and(i)
		}
	}
	return s
}

// slotsOf returns where all scalar keys of a mapping are.
func (ed *Editor) slotsOf(mapping *document.Node) map[string]slot {
	slots := ed.slots[mapping]
	if slots == nil {
		slots = make(map[string]slot, len(mapping.Entries()))
		for i, e := range mapping.Entries() {
			if e.Key.Kind == document.Scalar {
				slots[e.Key.Value] = slots[e.Key.Value].and(i)
			}
		}
		ed.slots[mapping] = slots
	}
	return slots
}

// indexOf returns the index of a value among the entries or items of the node that holds it.
func indexOf(n *document.Node) (index int) {
	before := func(value *document.Node) int { return cmp.Compare(value.Span.Start, n.Span.Start) } // they are in order
	if p := n.Parent; p.Kind == document.Sequence {
		index, _ = slices.BinarySearchFunc(p.Items(), n, func(item, _ *document.Node) int { return before(item) })
	} else {
		index, _ = slices.BinarySearchFunc(p.Entries(), n, func(e document.Entry, _ *document.Node) int { return before(e.Value) })
	}
	return index
}

// aliased returns how many aliases of the text stand for a node.
func (ed *Editor) aliased() map[*document.Node]int {
	if ed.aliases == nil {
		ed.aliases = map[*document.Node]int{}
		for _, root := range ed.stream.Documents {
			if bytes.IndexByte(ed.text, '*') < 0 {
				break // no alias
			}
			walk(root, func(n *document.Node) {
				if n.Kind == document.Alias {
					ed.aliases[n.Target()]++
				}
			})
		}
	}
	return ed.aliases
}

// walk calls visit for n and all nodes below it, keys included, in file order.
func walk(n *document.Node, visit func(*document.Node)) {
	visit(n)
	for _, entry := range n.Entries() {
		walk(entry.Key, visit)
		walk(entry.Value, visit)
	}
	for _, item := range n.Items() {
		walk(item, visit)
	}
}
