package edit

import (
	"bytes"
	"slices"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
)

// setScalar replaces a scalar's bytes, quotes included.
func (e *editor) setScalar(i int, c finding.Change) error {
	node, err := e.find(i, c)
	if err != nil {
		return err
	}
	switch {
	case node.Kind == document.Alias:
		return e.refuse(i, "the value at %s is an alias", show(c.Pointer))
	case node.Kind != document.Scalar:
		return e.refuse(i, "%s is a mapping or a list, not a single value", show(c.Pointer))
	case e.tagged(node):
		return e.refuse(i, "the value at %s carries a tag that says how to read it", show(c.Pointer))
	case (node.Style == document.Literal || node.Style == document.Folded) && e.headerComment(node):
		return e.refuse(i, "there is a comment on the first line of the text block at %s", show(c.Pointer))
	}
	written, reason := writeScalar(c.Value, node.Style, e.contextOf(node))
	if reason != "" {
		return e.refuse(i, "%s", reason)
	}
	if node.Span.Len() == 0 {
		at := node.Span.Start
		mark := at - 1 // of the ":" or "-", behind which an unwritten null is
		for mark >= 0 && e.text[mark] == ' ' {
			mark--
		}
		if mark < 0 || e.text[mark] != ':' && e.text[mark] != '-' || node.Properties != at {
			return e.refuse(i, "there is no value at %s, and no place to write one", show(c.Pointer))
		}
		if mark == at-1 {
			written = " " + written
		}
	}
	e.add(i, node.Span.Start, node.Span.End, written)
	return nil
}

// headerComment reports whether a comment follows a block scalar's "|" or ">".
func (e *editor) headerComment(node *document.Node) bool {
	for p := node.Span.Start; p < node.Span.End; p++ {
		if source.BreakWidth(e.text, p) > 0 {
			return bytes.IndexByte(e.text[node.Span.Start:p], '#') >= 0
		}
	}
	return bytes.IndexByte(e.text[node.Span.Start:node.Span.End], '#') >= 0
}

// renameKey replaces a key's bytes, quotes included.
func (e *editor) renameKey(i int, c finding.Change) error {
	value, err := e.find(i, c)
	if err != nil {
		return err
	}
	key := value.KeyNode()
	switch {
	case key == nil:
		return e.refuse(i, "%s is not an entry of a mapping", show(c.Pointer))
	case key.Tag() == "!!merge":
		return e.refuse(i, "a merge key cannot be renamed")
	case e.tagged(key):
		return e.refuse(i, "the key carries a tag that says how to read it")
	case e.isShared(key):
		return e.refuse(i, "the key is shared through an alias")
	case key.Span.Len() == 0 || multiline(e.text[key.Span.Start:key.Span.End]):
		return e.refuse(i, "the key is not written on one line")
	case e.merged(value.Parent, key.Value):
		return e.refuse(i, "a merge key would bring %q back", key.Value)
	}
	if err := e.freeKey(i, value.Parent, c.Key); err != nil {
		return err
	}
	written, reason := writeKey(c.Key, key.Style, e.contextOf(key))
	if reason != "" {
		return e.refuse(i, "%s", reason)
	}
	e.add(i, key.Span.Start, key.Span.End, written)
	return nil
}

// freeKey refuses a new key that the mapping already has, unless another change of the fix removes that entry.
func (e *editor) freeKey(i int, mapping *document.Node, key string) error {
	if e.merged(mapping, key) {
		return e.refuse(i, "a merge key already provides %q", key)
	}
	s := e.slotOf(mapping, key)
	if s.count > 0 && (s.count > 1 || !e.leaves(mapping.Entries()[s.first].Value)) {
		return e.refuse(i, "the key %q already exists", key)
	}
	return nil
}

// leaves reports whether a change of the fix removes or renames the entry of value.
func (e *editor) leaves(value *document.Node) bool {
	return slices.ContainsFunc(e.changes, func(c finding.Change) bool {
		return (c.Op == finding.RemoveEntry || c.Op == finding.RenameKey) && c.Document >= 0 && c.Document < len(e.stream.Documents) &&
			e.stream.Documents[c.Document].Find(c.Pointer) == value
	})
}

func multiline(text []byte) bool {
	for p := range text {
		if source.BreakWidth(text, p) > 0 {
			return true
		}
	}
	return false
}
