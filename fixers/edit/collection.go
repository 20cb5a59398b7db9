package edit

import (
	"maps"
	"slices"
	"strconv"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
)

// work is what one fix does to one mapping or sequence. It is done in one step, because commas and emptiness depend on
// all of it.
type work struct {
	node    *document.Node
	key     *document.Node // of node, when it is an entry's value
	parts   []part
	inserts []insert
	removed map[int]int // part index → change index
}

// part is one entry or item of a collection.
type part struct {
	key, value *document.Node // key is nil for an item
	start, end int            // without an item's dash
}

// insert is a new entry or item, to be placed after the part with the index after.
type insert struct {
	change, after int
	isEntry       bool
	key           string
	value         finding.Scalar
}

// workOn returns the work on a collection, beginning it when there is none yet.
func (e *editor) workOn(n *document.Node) *work {
	w := e.work[n]
	if w == nil {
		w = &work{node: n, key: n.KeyNode(), parts: e.partsOf(n), removed: map[int]int{}}
		e.work[n] = w
		e.order = append(e.order, w)
	}
	return w
}

func (ed *Editor) partsOf(n *document.Node) []part {
	parts := ed.parts[n]
	if parts == nil {
		parts = make([]part, 0, len(n.Entries())+len(n.Items()))
		for _, entry := range n.Entries() {
			parts = append(parts, part{entry.Key, entry.Value, entry.Key.Properties, max(entry.Key.Span.End, entry.Value.Span.End)})
		}
		for _, item := range n.Items() {
			parts = append(parts, part{nil, item, item.Properties, max(item.Span.End, item.Dash()+1)})
		}
		ed.parts[n] = parts
	}
	return parts
}

// removedInOrder returns the indexes of the removed parts.
func (w *work) removedInOrder() []int { return slices.Sorted(maps.Keys(w.removed)) }

// insertedAfter returns the indexes of the parts that insertions follow, each once and in order; -1 is the front.
func (w *work) insertedAfter() (list []int) {
	for _, in := range w.inserts {
		list = append(list, in.after)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// insertions returns the texts of all that is inserted after part k, and the index of the last change among it.
func (w *work) insertions(k int, text func(insert) (string, error)) (texts []string, change int, err error) {
	for _, in := range w.inserts {
		if in.after != k {
			continue
		}
		one, err := text(in)
		if err != nil {
			return nil, 0, err
		}
		texts, change = append(texts, one), in.change
	}
	return texts, change, nil
}

func (e *editor) insertEntry(i int, c finding.Change) error {
	mapping, err := e.find(i, c)
	if err != nil {
		return err
	}
	if mapping.Kind != document.Mapping {
		return e.refuse(i, "%s is not a mapping, so the key %q cannot be added", show(c.Pointer), c.Key)
	}
	if err := e.freeKey(i, mapping, c.Key); err != nil {
		return err
	}
	w := e.workOn(mapping)
	if slices.ContainsFunc(w.inserts, func(in insert) bool { return in.key == c.Key }) {
		return e.refuse(i, "the key %q would be added twice", c.Key)
	}
	in := insert{change: i, after: len(w.parts) - 1, isEntry: true, key: c.Key, value: c.Value}
	if c.First {
		if in.after = -1; mapping.Style == document.Flow {
			return e.refuse(i, "nothing can be inserted before the first entry in brackets")
		}
	}
	if c.After == "" {
		w.inserts = append(w.inserts, in)
		return nil
	}
	s := e.slotOf(mapping, c.After)
	if s.count == 1 {
		in.after = s.first
		w.inserts = append(w.inserts, in)
		return nil
	}
	at := slices.IndexFunc(w.inserts, func(in insert) bool { return in.key == c.After })
	if at < 0 || s.count > 1 {
		return e.refuse(i, "there is not exactly one entry %q for the new key %q to follow", c.After, c.Key)
	}
	in.after = w.inserts[at].after
	w.inserts = slices.Insert(w.inserts, at+1, in)
	return nil
}

func (e *editor) appendItem(i int, c finding.Change) error {
	sequence, err := e.find(i, c)
	if err != nil {
		return err
	}
	if sequence.Kind != document.Sequence {
		return e.refuse(i, "%s is not a list, so no item can be added", show(c.Pointer))
	}
	w := e.workOn(sequence)
	after := len(w.parts) - 1
	if c.After != "" {
		if after, err = strconv.Atoi(c.After); err != nil || after < 0 || after >= len(w.parts) {
			return e.refuse(i, "there is no item %q for the new one to follow", c.After)
		}
	}
	w.inserts = append(w.inserts, insert{change: i, after: after, value: c.Value})
	return nil
}

func (e *editor) removeEntry(i int, c finding.Change) error {
	node, err := e.find(i, c)
	if err != nil {
		return err
	}
	if node.Parent == nil {
		return e.refuse(i, "the whole document cannot be removed")
	}
	key := node.KeyNode()
	for _, n := range []*document.Node{node, key} {
		if n == nil {
			continue
		}
		if shared := e.sharedBelow(n); shared != nil {
			return e.refuse(i, "the anchor &%s in it is used elsewhere", shared.Anchor())
		}
	}
	if key != nil && (key.Tag() == "!!merge" || e.merged(node.Parent, key.Value)) {
		return e.refuse(i, "a merge key contributes to the value at %s", show(node.Parent.Pointer()))
	}
	w := e.workOn(node.Parent)
	index := indexOf(node)
	if _, twice := w.removed[index]; twice {
		return e.refuse(i, "%s would be removed twice", show(c.Pointer))
	}
	w.removed[index] = i
	return nil
}

// collection makes the edits of one collection.
func (e *editor) collection(w *work) error {
	if w.node.Style == document.Flow {
		return e.flow(w)
	}
	return e.block(w)
}

// firstChange returns the index of a change of the work, to be named in a refusal.
func (w *work) firstChange() int {
	if len(w.inserts) > 0 {
		return w.inserts[0].change
	}
	return w.removed[w.removedInOrder()[0]]
}

// style returns how the value of an insertion should be quoted: like its sibling or, if that is not a string, like the
// nearest string before it, then after it.
func (w *work) style(in insert) document.Style {
	for k := in.after; k >= 0; k-- {
		if w.parts[k].value.Kind == document.Scalar && w.parts[k].value.Tag() == "!!str" {
			return inline(w.parts[k].value.Style)
		}
	}
	for k := in.after + 1; k < len(w.parts); k++ {
		if w.parts[k].value.Kind == document.Scalar && w.parts[k].value.Tag() == "!!str" {
			return inline(w.parts[k].value.Style)
		}
	}
	return document.Plain
}

// keyStyle returns how the key of an insertion should be quoted: like its sibling's, or like the key of the mapping
// around it.
func (w *work) keyStyle(in insert) document.Style {
	if in.after >= 0 && in.after < len(w.parts) && w.parts[in.after].key.Kind == document.Scalar {
		return inline(w.parts[in.after].key.Style)
	}
	if key := w.key; key != nil && key.Kind == document.Scalar {
		return inline(key.Style)
	}
	return document.Plain
}

// inline replaces block styles, which need lines of their own, by plain.
func inline(s document.Style) document.Style {
	if s == document.SingleQuoted || s == document.DoubleQuoted {
		return s
	}
	return document.Plain
}

// written returns an insertion's text: its value, with key and separator if it is an entry.
func (e *editor) written(w *work, in insert, separator string) (string, error) {
	c := e.contextOf(w.node)
	value, reason := writeScalar(in.value, w.style(in), c)
	if reason == "" && in.isEntry {
		key, keyReason := writeKey(in.key, w.keyStyle(in), c)
		if separator == ":" && key != "" && key[0] != '"' && key[0] != '\'' {
			separator = ": " // only a quoted key may have its value straight after the colon
		}
		value, reason = key+separator+value, keyReason
	}
	if reason != "" {
		return "", e.refuse(in.change, "%s", reason)
	}
	return value, nil
}
