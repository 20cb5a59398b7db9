// Package document reads YAML and JSON text into trees in which every node knows its exact bytes. yaml.v3 decides what
// the text means; this package finds out where each node is, because yaml.v3 reports neither ends nor byte offsets.
package document

import (
	"cmp"
	"slices"

	"github.com/amlfix/amlfix/schema/source"
)

// Kind is the kind of a Node; no node of a Stream has the zero Kind.
type Kind uint8

// The kinds of nodes.
const (
	Scalar Kind = iota + 1
	Mapping
	Sequence
	Alias
)

// Style is how a node is written. It does not affect the meaning, with one exception: without a tag, only a Plain
// scalar can be anything but a string.
type Style uint8

// The styles. Plain, quoted, literal and folded are for scalars; block and flow for mappings and sequences. JSON is
// flow style throughout.
const (
	Plain Style = iota
	SingleQuoted
	DoubleQuoted
	Literal
	Folded
	Block
	Flow
)

// Node is one value, key or sequence item of a document.
//
// The nodes of a Stream form one tree for each document. Parents hold their children in file order, and, where the
// stream is Exact and not Repaired, the span of a child lies within that of its parent and apart from those of its
// siblings. Bytes outside all spans (comments, indentation, "-", ":" and commas) belong to no node. An alias is a leaf:
// the node it stands for is elsewhere, so Find does not follow aliases, while the methods that read values do.
//
// All methods treat a nil *Node as an absent value. Nodes are not changed after Parse and may be read by several
// goroutines. It is not guaranteed that Tag and Value are what another reader than yaml.v3 makes of the text (see
// Python), or that a tag or anchor is part of Span (see Properties).
type Node struct {
	Kind    Kind
	Style   Style
	tag     tag
	noMerge bool  // there is no merge key
	dash    int32 // see Dash; 1 more, so that a node made by hand has none
	// Value is a scalar's value after unquoting and folding; for an alias, the anchor's name.
	Value string
	// Span covers the node's content, without anchor and tag. An implicit null has an empty span just after its ":" or
	// "-". A block mapping or sequence spans from its first key or dash to the end of its last node.
	Span source.Span
	// Properties is the offset where the node's anchor or tag begins; it equals Span.Start if there is neither.
	Properties int
	// Parent is the mapping or sequence that holds the node; nil for a root.
	Parent *Node

	rare *rare // nil for nearly all scalars, so that a node has 64 bytes
}

// rare is what few nodes have.
type rare struct {
	entries []Entry
	items   []*Node
	tag     string // if it is another than those of tags
	anchor  string
	target  *Node
	index   map[string]int // of the first entry with a scalar key; nil for few entries
}

func (n *Node) more() rare {
	if n == nil || n.rare == nil {
		return rare{}
	}
	return *n.rare
}

// addRare returns the node's rare part, which it adds if there is none.
func (n *Node) addRare() *rare {
	if n.rare == nil {
		n.rare = new(rare)
	}
	return n.rare
}

// Entries returns a mapping's entries in file order, duplicates included.
func (n *Node) Entries() []Entry {
	if n == nil || n.rare == nil {
		return nil
	}
	return n.rare.entries
}

// Items returns a sequence's items in file order.
func (n *Node) Items() []*Node {
	if n == nil || n.rare == nil {
		return nil
	}
	return n.rare.items
}

// Dash returns the offset of the "-" of an item of a block sequence, -1 for other nodes.
func (n *Node) Dash() int { return int(n.dash) - 1 }

// setDash sets it; no text that is read is too long for it.
func (n *Node) setDash(at int) { n.dash = int32(at + 1) } //nolint:gosec // see source.MaxSize

// Anchor returns the node's anchor, without "&".
func (n *Node) Anchor() string { return n.more().anchor }

// Target returns the node that an alias stands for.
func (n *Node) Target() *Node { return n.more().target }

// Entry is a key of a mapping and its value. Neither is nil in a Stream: an implicit value is a null with an empty
// span. Key may be of any kind, and an earlier entry may have the same key.
type Entry struct{ Key, Value *Node }

// Resolve returns the node that an alias stands for, and n itself otherwise. It is safe on nil.
func (n *Node) Resolve() *Node {
	if n == nil || n.Kind != Alias {
		return n
	}
	return n.resolved()
}

// resolved is the part of Resolve that is not copied to its hundreds of callers.
//
//go:noinline
func (n *Node) resolved() *Node {
	for hops := 0; n != nil && n.Kind == Alias && hops < 100; hops++ {
		n = n.Target()
	}
	return n
}

// IsNull reports whether the node is absent or a null, written or not.
func (n *Node) IsNull() bool {
	n = n.Resolve()
	return n == nil || n.Kind == Scalar && n.Tag() == "!!null"
}

// IsString reports whether yaml.v3 reads the node as a string.
func (n *Node) IsString() bool {
	n = n.Resolve()
	return n != nil && n.Kind == Scalar && n.Tag() == "!!str"
}

// Inner returns the span of a node without the quotes of a scalar.
func (n *Node) Inner() source.Span {
	if n.Style == SingleQuoted || n.Style == DoubleQuoted {
		return source.Span{Start: n.Span.Start + 1, End: n.Span.End - 1}
	}
	return n.Span
}

// IsMapping reports whether the node is a mapping.
func (n *Node) IsMapping() bool { n = n.Resolve(); return n != nil && n.Kind == Mapping }

// IsSequence reports whether the node is a sequence.
func (n *Node) IsSequence() bool { n = n.Resolve(); return n != nil && n.Kind == Sequence }

// Entry returns the first entry of a mapping whose key is the scalar key; ok is false when n is not a mapping or has no
// such key. Merge keys ("<<") are followed after the mapping's own keys.
func (n *Node) Entry(key string) (entry Entry, ok bool) { return n.entry(key, 10) }

func (n *Node) entry(key string, depth int) (Entry, bool) {
	n = n.Resolve()
	if n == nil || n.Kind != Mapping || depth == 0 {
		return Entry{}, false
	}
	if i := n.find(key); i >= 0 {
		return n.Entries()[i], true
	}
	if n.noMerge {
		return Entry{}, false
	}
	for _, e := range n.Entries() {
		if e.Key.Tag() != "!!merge" {
			continue
		}
		merged := e.Value.Resolve()
		if merged != nil && merged.Kind == Sequence {
			for _, item := range merged.Items() {
				if found, ok := item.entry(key, depth-1); ok {
					return found, true
				}
			}
		} else if found, ok := merged.entry(key, depth-1); ok {
			return found, true
		}
	}
	return Entry{}, false
}

// Has reports whether a mapping has a key, also by a merge key.
func (n *Node) Has(key string) bool { _, ok := n.Entry(key); return ok }

// List returns the items of a sequence, also of one that an alias stands for; none of anything else.
func (n *Node) List() []*Node {
	if n = n.Resolve(); n != nil {
		return n.Items()
	}
	return nil
}

// Get returns the value of key in a mapping, or nil. Nil-safe, so look-ups chain.
func (n *Node) Get(key string) *Node {
	e, _ := n.Entry(key)
	return e.Value
}

// Text returns a scalar's value, or "" for anything else.
func (n *Node) Text() string {
	if n = n.Resolve(); n != nil && n.Kind == Scalar && n.Tag() != "!!null" {
		return n.Value
	}
	return ""
}

// entryOf returns the entry of a mapping whose key or value is child, or nil.
func (n *Node) entryOf(child *Node) *Entry {
	// entries are sorted by place, as items are
	i, found := slices.BinarySearchFunc(n.Entries(), child.Properties, func(e Entry, at int) int { return cmp.Compare(e.Key.Properties, at) })
	for _, k := range []int{i - 1, i} {
		if !found && k == i || k < 0 || k >= len(n.Entries()) {
			continue
		}
		if e := &n.Entries()[k]; e.Key == child || e.Value == child {
			return e
		}
	}
	for i := range n.Entries() {
		if e := &n.Entries()[i]; e.Key == child || e.Value == child {
			return e
		}
	}
	return nil
}

// find returns the index of the first entry of a mapping with the scalar key, -1 without one.
func (n *Node) find(key string) int {
	if n.rare != nil && n.rare.index != nil {
		if i, ok := n.rare.index[key]; ok {
			return i
		}
		return -1
	}
	entries := n.Entries()
	for i := range entries { // the most frequent search of all
		if k := entries[i].Key; len(k.Value) == len(key) && k.Kind == Scalar && k.Value == key {
			return i
		}
	}
	return -1
}

// makeIndex makes a mapping of many entries quick to search: a hostile file must not cost the square of its size. With
// fewer entries than many, a linear search is as fast.
func (n *Node) makeIndex() {
	const many = 32
	if len(n.Entries()) <= many {
		return
	}
	index := make(map[string]int, len(n.Entries()))
	n.addRare().index = index
	for i, e := range n.Entries() {
		if _, known := index[e.Key.Value]; !known && e.Key.Kind == Scalar {
			index[e.Key.Value] = i
		}
	}
}

// KeyNode returns the key of the entry whose value is n, or nil.
func (n *Node) KeyNode() *Node {
	if n == nil || n.Parent == nil {
		return nil
	}
	if e := n.Parent.entryOf(n); e != nil && e.Value == n {
		return e.Key
	}
	return nil
}

// Own returns the entries of a mapping whose keys are scalars, without merge keys and the entries merged in; nothing
// for other nodes.
func (n *Node) Own() (entries []Entry) {
	if n == nil {
		return nil
	}
	for _, e := range n.Entries() {
		if e.Key.Kind == Scalar && e.Key.Tag() != "!!merge" {
			entries = append(entries, e)
		}
	}
	return entries
}

// Merged returns the mappings whose entries merge keys add to a mapping, each once, those that win first.
func (n *Node) Merged() (list []*Node) {
	seen := map[*Node]bool{}
	var add func(n *Node)
	add = func(n *Node) {
		for _, item := range n.List() {
			add(item)
		}
		if n = n.Resolve(); !n.IsMapping() || seen[n] {
			return
		}
		seen[n], list = true, append(list, n)
		for _, e := range n.Entries() {
			if e.Key.Tag() == "!!merge" {
				add(e.Value)
			}
		}
	}
	if add(n); len(list) > 0 {
		list = list[1:]
	}
	return list
}

// Merges reports whether a mapping has a merge key.
func (n *Node) Merges() bool {
	return n != nil && !n.noMerge && slices.ContainsFunc(n.Entries(), func(e Entry) bool { return e.Key.Tag() == "!!merge" })
}
