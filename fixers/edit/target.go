package edit

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
)

// usable refuses changes by pointer where pointers or spans cannot be trusted.
func (e *editor) usable(i int, c finding.Change) error {
	if e.stream.Repaired {
		return e.refuse(i, "the file does not parse; its syntax must be repaired first")
	}
	if !e.stream.Whole() {
		return e.refuse(i, "the file cannot be read as a whole")
	}
	if !e.stream.Exact {
		return e.refuse(i, "it is written in a form whose exact bytes amlfix does not understand")
	}
	if c.Op.OfComment() {
		return nil // it belongs to the text, not to a document
	}
	if c.Document < 0 || c.Document >= len(e.stream.Documents) {
		return e.refuse(i, "the file has no document number %d", c.Document+1)
	}
	return nil
}

// find returns the node a change points to, after the checks every change needs.
func (e *editor) find(i int, c finding.Change) (*document.Node, error) {
	node := e.stream.Documents[c.Document]
	tokens := strings.Split(c.Pointer, "/")
	if tokens[0] != "" {
		return nil, e.refuse(i, "%q is not a pointer", c.Pointer)
	}
	for _, token := range tokens[1:] {
		child, times := e.child(node, document.UnescapeToken(token))
		switch {
		case child == nil:
			return nil, e.refuse(i, "there is nothing at %s itself; its value may come through an alias or a merge key", show(c.Pointer))
		case times > 1:
			return nil, e.refuse(i, "the key %q is in its mapping twice, and readers disagree about which one counts", token)
		}
		node = child
	}
	for n := node; n != nil; n = n.Parent {
		if e.isShared(n) {
			return nil, e.refuse(i, "the value is shared through the alias *%s; changing it here would change it elsewhere too", n.Anchor())
		}
	}
	return node, nil
}

// child returns the value that a pointer's token names below n, and how often its key occurs; nil if there is none.
// Aliases are not followed.
func (e *editor) child(n *document.Node, token string) (value *document.Node, times int) {
	switch n.Kind {
	case document.Mapping:
		if s := e.slotOf(n, token); s.count > 0 {
			return n.Entries()[s.first].Value, s.count
		}
	case document.Sequence:
		if i, err := strconv.Atoi(token); err == nil && i >= 0 && i < len(n.Items()) {
			return n.Items()[i], 1
		}
	case document.Scalar, document.Alias: // nothing is below them
	}
	return nil, 0
}

// isShared reports whether an alias of the file stands for n.
func (e *editor) isShared(n *document.Node) bool { return n.Anchor() != "" && e.aliased()[n] > 0 }

// sharedBelow returns a node below n that an alias outside n stands for, or nil.
func (e *editor) sharedBelow(n *document.Node) (found *document.Node) {
	all := e.aliased()
	if len(all) == 0 {
		return nil
	}
	inside := map[*document.Node]int{}
	walk(n, func(n *document.Node) {
		if n.Kind == document.Alias {
			inside[n.Target()]++
		}
	})
	walk(n, func(n *document.Node) {
		if all[n] > inside[n] {
			found = n
		}
	})
	return found
}

// tagged reports whether a tag is written before n's content.
func (e *editor) tagged(n *document.Node) bool {
	return bytes.IndexByte(e.text[n.Properties:n.Span.Start], '!') >= 0
}

// merged reports whether a mapping inherits key through a merge key.
func (e *editor) merged(mapping *document.Node, key string) bool {
	if !mapping.Merges() {
		return false
	}
	for _, entry := range mapping.Entries() {
		if entry.Key.Tag() != "!!merge" {
			continue
		}
		from := []*document.Node{entry.Value}
		if v := entry.Value.Resolve(); v != nil && v.Kind == document.Sequence {
			from = v.Items()
		}
		for _, f := range from {
			if f.Has(key) {
				return true
			}
		}
	}
	return false
}

func show(pointer string) string {
	if pointer == "" {
		return "the top of the document"
	}
	return pointer
}
