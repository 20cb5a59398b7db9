package document

import "github.com/amlfix/amlfix/schema/source"

// NewScalar returns a scalar that is not from a Stream, with a place in a text.
func NewScalar(tag, value string, at source.Span) *Node {
	n := &Node{Kind: Scalar, Value: value, Span: at, Properties: at.Start}
	n.SetTag(tag)
	return n
}

// NewMapping and NewSequence return empty collections that are not from a Stream, with a place in a text.
func NewMapping(at source.Span) *Node {
	return &Node{Kind: Mapping, tag: tagMapping, Span: at, Properties: at.Start}
}

// NewSequence is described at NewMapping.
func NewSequence(at source.Span) *Node {
	return &Node{Kind: Sequence, tag: tagSequence, Span: at, Properties: at.Start}
}

// AliasOf returns an alias for a node, with a place in a text.
func AliasOf(target *Node, at source.Span) *Node {
	return &Node{Kind: Alias, Span: at, Properties: at.Start, rare: &rare{target: target}}
}

// SetTag sets the tag of a node that is not from a Stream.
func (n *Node) SetTag(name string) {
	if n.tag = tagOf(name); n.tag == otherTag {
		n.ownRare().tag = name
	}
}

// SetEntries and SetItems set the content of a node that is not from a Stream.
func (n *Node) SetEntries(entries []Entry) {
	own := n.ownRare()
	own.entries, own.index = entries, nil
}

// SetItems is described at SetEntries.
func (n *Node) SetItems(items []*Node) { n.ownRare().items = items }

// AddEntry and AddItem add to the content of a node that is not from a Stream.
func (n *Node) AddEntry(key, value *Node) { n.SetEntries(append(n.Entries(), Entry{key, value})) }

// AddItem is described at AddEntry.
func (n *Node) AddItem(item *Node) { n.SetItems(append(n.Items(), item)) }

// ownRare gives a node a rare part of its own, because a copy of the node may share the one it has.
func (n *Node) ownRare() *rare {
	own := n.more()
	n.rare = &own
	return n.rare
}
