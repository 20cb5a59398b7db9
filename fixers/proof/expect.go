package proof

import (
	"fmt"
	"slices"
	"strconv"

	"gopkg.in/yaml.v3"

	"github.com/amlfix/amlfix/schema/finding"
)

// expectation is the old tree overlaid with the declared changes; its nodes are not modified.
type expectation struct {
	roots    []*yaml.Node
	tree     *tree
	targets  []target           // by change
	declared map[*yaml.Node]int // the nodes that changes brought in → change index
	grown    map[*yaml.Node]*growth
	content  map[*yaml.Node][]*yaml.Node // the children of those that changes grow or shrink
}

// target is what one change points to in the old tree.
type target struct {
	node, parent, key   *yaml.Node
	path                []int // from the root, by index in Content
	index               int   // of node in parent.Content
	sibling, siblingKey *yaml.Node
	after               int // index of sibling in node.Content
}

// make makes the declared changes. All pointers are resolved before anything is changed, because they refer to the old
// text. It returns why a change cannot be made, or "".
func (e *expectation) make(changes []finding.Change) string {
	e.targets = make([]target, len(changes))
	e.grown = map[*yaml.Node]*growth{}
	for i, c := range changes {
		if c.Op.OfComment() {
			continue // no value changes
		}
		if c.Document < 0 || c.Document >= len(e.roots) {
			return fmt.Sprintf("there is no document %d", c.Document)
		}
		t, reason := e.tree.follow(e.roots[c.Document], c.Pointer)
		if reason != "" {
			return reason
		}
		e.targets[i] = t
	}
	for i, c := range changes {
		if c.Op.OfComment() {
			continue
		}
		if reason := e.declare(i, c); reason != "" {
			return reason
		}
	}
	e.content = map[*yaml.Node][]*yaml.Node{}
	for node, g := range e.grown {
		e.content[node] = g.content(node)
	}
	return ""
}

// children returns the children of a node after the changes.
func (e *expectation) children(n *yaml.Node) []*yaml.Node {
	if content, ok := e.content[n]; ok {
		return content
	}
	return n.Content
}

// declare records one change.
func (e *expectation) declare(i int, c finding.Change) string {
	t := &e.targets[i]
	switch c.Op {
	case finding.SetScalar:
		if t.node.Kind != yaml.ScalarNode {
			return fmt.Sprintf("%q is not a single value", c.Pointer)
		}
		value := e.scalar(i, c.Value, t.node.Anchor)
		if t.parent != nil {
			e.at(t.parent).replace(t.index, value)
			return ""
		}
		e.roots[c.Document] = value
	case finding.RenameKey:
		if t.key == nil {
			return fmt.Sprintf("%q is not an entry", c.Pointer)
		}
		if e.tree.merges(t.parent, t.key.Value) || e.tree.merges(t.parent, c.Key) {
			return fmt.Sprintf("a merge key affects %q", c.Pointer)
		}
		e.at(t.parent).replace(t.index-1, e.scalar(i, finding.Text(c.Key), t.key.Anchor))
	case finding.RemoveEntry:
		if t.parent == nil {
			return "the whole document would be removed"
		}
		if t.key != nil && e.tree.merges(t.parent, t.key.Value) {
			return fmt.Sprintf("a merge key affects %q", c.Pointer)
		}
		e.at(t.parent).remove(t.index)
	case finding.InsertEntry:
		if t.node.Kind != yaml.MappingNode || e.tree.merges(t.node, c.Key) {
			return fmt.Sprintf("%q is not a mapping, or has %q through a merge key", c.Pointer, c.Key)
		}
		return e.insert(i, c)
	case finding.AppendItem:
		if t.node.Kind != yaml.SequenceNode {
			return fmt.Sprintf("%q is not a list", c.Pointer)
		}
		after := len(t.node.Content) - 1
		if k, err := strconv.Atoi(c.After); err == nil {
			after = min(max(k, 0), after)
		}
		if after >= 0 {
			t.sibling, t.after = t.node.Content[after], after
		}
		e.at(t.node).add(after, pair{value: e.scalar(i, c.Value, "")})
	default:
		return fmt.Sprintf("change %d is of an unknown kind", c.Op)
	}
	return ""
}

// insert records a new entry.
func (e *expectation) insert(i int, c finding.Change) string {
	t := &e.targets[i]
	g, content := e.at(t.node), t.node.Content
	p := pair{e.scalar(i, finding.Text(c.Key), ""), e.scalar(i, c.Value, "")}
	after := len(content) - 1
	if c.First {
		g.add(-1, p)
		return ""
	}
	if c.After != "" {
		after = -2
		if k, ok := e.tree.keysOf(t.node).slots[c.After]; ok {
			after = k
		}
	}
	if after == -1 && len(content) > 0 {
		return fmt.Sprintf("the key %q is there twice", c.After)
	}
	if after > 0 {
		t.siblingKey, t.sibling, t.after = content[after-1], content[after], after
	}
	if after > -2 {
		g.add(after, p)
		return ""
	}
	for at, pairs := range g.after {
		for k := range pairs {
			if pairs[k].key != nil && pairs[k].key.Value == c.After {
				g.after[at] = slices.Insert(pairs, k+1, p)
				return ""
			}
		}
	}
	return fmt.Sprintf("there is no key %q for %q to follow", c.After, c.Key)
}

// scalar returns a declared node.
func (e *expectation) scalar(change int, v finding.Scalar, anchor string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: v.Text, Anchor: anchor}
	switch v.Kind {
	case finding.Null:
		n.Tag = "!!null"
	case finding.Bool:
		n.Tag = "!!bool"
	case finding.Int:
		n.Tag = "!!int"
	case finding.String: // it has that tag
	}
	e.declared[n] = change
	return n
}

func (e *expectation) at(n *yaml.Node) *growth {
	if e.grown[n] == nil {
		e.grown[n] = &growth{}
	}
	return e.grown[n]
}

// growth describes the changes to the children of one collection. Indexes are those of yaml.Node.Content, in which a
// mapping's keys and values alternate. Its maps are nil until there is something to put in.
type growth struct {
	replaced map[int]*yaml.Node
	removed  map[int]bool   // by the index of the value
	after    map[int][]pair // by the index of the value before, -1 at the front
}

func (g *growth) replace(i int, n *yaml.Node) {
	if g.replaced == nil {
		g.replaced = map[int]*yaml.Node{}
	}
	g.replaced[i] = n
}

func (g *growth) remove(i int) {
	if g.removed == nil {
		g.removed = map[int]bool{}
	}
	g.removed[i] = true
}

func (g *growth) add(after int, p pair) {
	if g.after == nil {
		g.after = map[int][]pair{}
	}
	g.after[after] = append(g.after[after], p)
}

// pair is a new entry, or a new item when key is nil.
type pair struct{ key, value *yaml.Node }

// content returns the children after the change.
func (g *growth) content(n *yaml.Node) []*yaml.Node {
	content := make([]*yaml.Node, 0, len(n.Content)+2*len(g.after))
	add := func(i int) {
		for _, p := range g.after[i] {
			if p.key != nil {
				content = append(content, p.key)
			}
			content = append(content, p.value)
		}
	}
	add(-1)
	for i, child := range n.Content {
		isKey := n.Kind == yaml.MappingNode && i%2 == 0
		if gone := g.removed[i] || isKey && g.removed[i+1]; !gone {
			if r := g.replaced[i]; r != nil {
				child = r
			}
			content = append(content, child)
		}
		if !isKey {
			add(i)
		}
	}
	return content
}
