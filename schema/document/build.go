package document

import (
	"errors"
	"fmt"

	"gopkg.in/yaml.v3"

	"github.com/amlfix/amlfix/schema/source"
)

var errDepth = errors.New("nested too deep")

// builder turns the yaml.v3 nodes of one document into located Nodes.
type builder struct {
	locator
	src      *source.Source
	anchors  map[*yaml.Node]*Node
	aliases  []*Node
	targets  []*yaml.Node
	problems []Problem
	slab     []Node
	likely   int // how many nodes follow, 0 if unknown
	count    int // of the nodes
	deep     source.Span
	lost     error // first node whose bytes could not be found
}

// document builds the tree below root. errDepth means there is no tree; any other error means that some spans are not
// exact.
func (b *builder) document(root *yaml.Node) (*Node, error) {
	b.anchors, b.aliases, b.targets, b.lost = nil, nil, nil, nil
	node, err := b.node(root, nil, -1, false, 0)
	if err != nil {
		return nil, err
	}
	for i, alias := range b.aliases {
		alias.addRare().target = b.anchors[b.targets[i]]
	}
	return node, b.lost
}

// node builds n and all below it. indent is the column (0-based) of the block collection around n, -1 at the top.
func (b *builder) node(n *yaml.Node, parent *Node, indent int, flow bool, depth int) (*Node, error) {
	node := b.alloc()
	node.Parent = parent
	node.SetTag(n.ShortTag())
	node.Value = n.Value
	node.Properties = b.offset(n.Line, n.Column)
	start := b.skipProperties(n, node.Properties)
	node.Span = source.Span{Start: start, End: start}
	if depth > MaxDepth {
		b.deep = node.Span
		return nil, errDepth
	}
	if n.Anchor != "" {
		node.addRare().anchor = n.Anchor
		if b.anchors == nil {
			b.anchors = map[*yaml.Node]*Node{}
		}
		b.anchors[n] = node
	}
	var end int
	var err error
	switch n.Kind {
	case yaml.MappingNode:
		end, err = b.mapping(n, node, indent, flow, depth)
	case yaml.SequenceNode:
		end, err = b.sequence(n, node, indent, depth)
	case yaml.AliasNode:
		node.Kind = Alias
		b.aliases, b.targets = append(b.aliases, node), append(b.targets, n.Alias)
		end = start + 1 + len(n.Value)
		if start >= len(b.text) || b.text[start] != '*' || end > len(b.text) {
			end = b.lose(n, "alias", start)
		}
	default:
		end = b.scalar(n, node, indent)
	}
	if err != nil {
		return nil, err
	}
	node.Span.End = max(end, node.Span.Start)
	return node, nil
}

func (b *builder) mapping(n *yaml.Node, node *Node, indent int, flow bool, depth int) (int, error) {
	node.Kind, node.Style = Mapping, Block
	inFlow := n.Style&yaml.FlowStyle != 0 || flow
	// "[a: b]" holds a mapping without braces of its own.
	braces := inFlow && node.Span.Start < len(b.text) && b.text[node.Span.Start] == '{'
	if inFlow {
		node.Style = Flow
	}
	end := node.Span.Start
	if braces {
		end++
	}
	entries := make([]Entry, 0, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		column := indent
		if !inFlow {
			column = key.Column - 1
		}
		k, err := b.node(key, node, column, inFlow, depth+1)
		if err != nil {
			return 0, err
		}
		v, err := b.node(value, node, column, inFlow, depth+1)
		if err != nil {
			return 0, err
		}
		b.checkOrder(n, end, k, v)
		entries = append(entries, Entry{k, v})
		end = max(k.Span.End, v.Span.End)
	}
	node.addRare().entries = entries
	n.Content = nil // two trees of a large file at once are too much
	b.checkDuplicates(node)
	if braces {
		return b.closing(n, end, '}'), nil
	}
	return end, nil
}

func (b *builder) sequence(n *yaml.Node, node *Node, indent, depth int) (int, error) {
	node.Kind, node.Style = Sequence, Block
	inFlow := n.Style&yaml.FlowStyle != 0
	column := indent
	end := node.Span.Start
	if inFlow {
		node.Style = Flow
		end++
	} else {
		column = n.Column - 1
		if node.Properties != node.Span.Start {
			column = b.columnAt(node.Span.Start)
		}
	}
	items := make([]*Node, 0, len(n.Content))
	for _, item := range n.Content {
		dash := -1
		if !inFlow {
			dash = b.skipSpace(end)
			if dash >= len(b.text) || b.text[dash] != '-' {
				b.lose(n, "sequence item", end)
				dash = -1
			}
		}
		child, err := b.node(item, node, column, inFlow, depth+1)
		if err != nil {
			return 0, err
		}
		child.setDash(dash)
		b.checkOrder(n, end, child)
		items = append(items, child)
		end = max(child.Span.End, dash+1)
	}
	node.addRare().items = items
	n.Content = nil
	if inFlow {
		return b.closing(n, end, ']'), nil
	}
	return end, nil
}

// closing returns the offset after the bracket that ends a flow collection whose last node ends at end.
func (b *builder) closing(n *yaml.Node, end int, bracket byte) int {
	for {
		end = b.skipSpace(end)
		if end < len(b.text) && (b.text[end] == ',' || b.text[end] == ':' || b.text[end] == '?') {
			end++
			continue
		}
		break
	}
	if end >= len(b.text) || b.text[end] != bracket {
		return b.lose(n, "closing bracket", min(end, len(b.text)))
	}
	return end + 1
}

// keyMarks are the marks of the keys met so far: a key with another one is new.
type keyMarks uint64

// add adds the mark of a key, and reports whether it is new.
func (m *keyMarks) add(text string) bool {
	mark := len(text)
	if mark > 0 {
		mark += int(text[0])*5 + int(text[mark-1])*11
	}
	old := *m
	*m |= 1 << (mark & 63)
	return *m != old
}

// checkDuplicates reports duplicate keys of a mapping, each repetition once.
func (b *builder) checkDuplicates(mapping *Node) {
	mapping.makeIndex()
	mapping.noMerge = !mapping.Merges()
	first, start, differ := len(b.problems), 0, false
	var met keyMarks
	for i, e := range mapping.Entries() {
		if e.Key.Kind != Scalar || met.add(e.Key.Value) || e.Key.Tag() == "!!merge" {
			continue
		}
		if k := mapping.find(e.Key.Value); k < i {
			earlier := mapping.Entries()[k]
			if len(b.problems) == first {
				start = i
			}
			same := b.alike(e.Value, earlier.Value)
			differ = differ || !same
			b.problems = append(b.problems, Problem{
				Kind: DuplicateKey, Span: e.Key.Span, First: earlier.Key.Span, Same: same,
				Message: fmt.Sprintf("%q is in this mapping twice: some readers use the first value, some the last, and some reject the file; keep one", e.Key.Value)})
		}
	}
	for i := range b.problems[first:] {
		b.problems[first+i].Differ = differ
	}
	if found := b.problems[first:]; differ && (pasted(mapping, start, found) || again(mapping, start, found)) {
		b.problems = b.problems[:first+1]
	}
}

// pasted reports whether the duplicates of a mapping, whose first is the entry start, are those of a second file, which
// begins with the first key of the first. Then the first of the problems says so.
func pasted(mapping *Node, start int, found []Problem) bool {
	p, head := &found[0], mapping.Entries()[0].Key
	if mapping.Parent != nil || head.Span != p.First || min(start, len(mapping.Entries())-start) < 2 || len(found) < 2 && head.Value != "$schema" {
		return false
	}
	p.Same, p.Pasted = false, true
	p.Message = "a second file seems to begin here, with the first key of the file: save it as a file of its own, or delete the one that is not wanted"
	return true
}

// manyAgain is the number of keys at the end of a mapping that are not there twice by mistake.
const manyAgain = 3

// again reports whether all keys of a mapping from start on are in it for the second time, as if they belonged to
// another one. Then the first of the problems says so.
func again(mapping *Node, start int, found []Problem) bool {
	p, above, n := &found[0], mapping.Entries()[start-1], len(found)
	if n < 2 || n != len(mapping.Entries())-start || mapping.Style != Block || n < manyAgain && !above.Value.IsNull() {
		return false
	}
	p.Again, p.Same = true, false
	why := "as if the line with the key that they belong to were missing: write it above, indented less"
	switch {
	case above.Value.IsNull():
		p.Span = above.Key.Span
		p.Message = fmt.Sprintf("%q has no value, and the %d keys below it are in this mapping for the second time: if they belong to it, indent it less than them", above.Key.Value, n)
		return true
	case mapping.Parent == nil:
		why = "as if two files were in one: keep one of them"
	case mapping.Parent.Kind == Sequence:
		why = "as if the dash of another item were missing: write it before this key"
	}
	p.Message = fmt.Sprintf("from this line on, %d keys are in this mapping for the second time, %s", n, why)
	return true
}

// alike reports whether two values are the same text and not empty.
func (b *builder) alike(x, y *Node) bool {
	one, other := b.text[x.Span.Start:x.Span.End], b.text[y.Span.Start:y.Span.End]
	return len(one) > 0 && string(one) == string(other)
}

// checkOrder makes sure that nodes follow each other in the text: one that seems to precede an earlier sibling was
// located wrongly.
func (b *builder) checkOrder(n *yaml.Node, end int, nodes ...*Node) {
	for _, node := range nodes {
		if node.Properties < end || node.Span.Start < node.Properties || node.Span.End < node.Span.Start {
			b.lose(n, "order of the values", end)
		}
		end = node.Span.End
	}
}

func (b *builder) lose(n *yaml.Node, what string, at int) int {
	if b.lost == nil {
		b.lost = fmt.Errorf("line %d column %d: %s not found", n.Line, n.Column, what)
	}
	return at
}

// alloc takes nodes from a slab: a file has dozens of small ones.
func (b *builder) alloc() *Node {
	if len(b.slab) == 0 {
		size := min(b.likely, maxSlab)
		if b.likely -= size; size == 0 {
			size = min(max(len(b.text)/16, 4), 32) // many short files may be in memory at once
		}
		b.slab = make([]Node, size)
	}
	b.count++
	node := &b.slab[0]
	b.slab = b.slab[1:]
	return node
}
