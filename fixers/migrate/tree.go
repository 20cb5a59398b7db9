package migrate

import (
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
)

// tree puts nodes of a v2 file at the paths that run configurations use for them.
type tree struct {
	m    *Migration
	root *document.Node
	// file is the file that the tree belongs to, and here is the position for nodes from other files. Both are nil if
	// there is only one file.
	file *schema.File
	here *document.Node
}

// put sets a value; at is the v2 node that it comes from. The value is that node or stands for it.
func (t tree) put(place string, at, value *document.Node) {
	if at == nil || value == nil {
		return
	}
	if value != at {
		t.m.Ledger.Stands(value, at)
	}
	parts := strings.Split(place, "\x00")
	n := t.root
	for _, part := range parts[:len(parts)-1] {
		next := n.Get(part)
		if next == nil {
			next = document.NewMapping(value.Span)
			n.AddEntry(text(part, value), next)
		}
		n = next
	}
	n.AddEntry(text(parts[len(parts)-1], value), value)
}

// carry sets the value of a setting at a path; write sets a text instead.
func (t tree) carry(place string, f schema.Field) { t.put(place, f.Node, t.own(f)) }

func (t tree) write(place string, f schema.Field, value string) {
	if f.Node != nil {
		t.put(place, f.Node, text(value, t.at(f)))
	}
}

// at returns the node of a setting in the tree's file.
func (t tree) at(f schema.Field) *document.Node {
	if f.File != t.file && t.file != nil {
		return t.here
	}
	return f.Node
}

// own returns the value of a setting as a node of the tree's file, which is a copy if the setting is in another file.
func (t tree) own(f schema.Field) *document.Node {
	if f.Node == nil || t.at(f) == f.Node {
		return f.Node
	}
	return t.copied(f.Node)
}

func (t tree) copied(of *document.Node) *document.Node {
	n := of.Resolve()
	c := text(n.Value, t.here)
	c.Kind, c.Style = n.Kind, n.Style
	c.SetTag(n.Tag())
	for _, e := range n.Entries() {
		c.AddEntry(text(e.Key.Value, t.here), t.copied(e.Value))
	}
	for _, item := range n.Items() {
		c.AddItem(t.copied(item))
	}
	t.m.Ledger.Stands(c, of)
	return c
}

// keys joins the keys of a path; it does not use dots because names of data may contain them.
func keys(parts ...string) string { return strings.Join(parts, "\x00") }

// text returns a node with a value, at the position of another.
func text(value string, at *document.Node) *document.Node {
	n := document.NewScalar("!!str", value, at.Span)
	n.Style, n.Properties = document.DoubleQuoted, at.Properties
	return n
}
