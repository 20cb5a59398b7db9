package schema

import (
	"bytes"
	"path"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
)

// Field is one setting of a job or target: the value the service would use, where it is, and where a change to it would
// be written. A Field is a value: copies are independent, and changing one changes no file. Node and Key are either
// both nil or both set, except for items of lists, which have no key. A Field without a File can be neither located nor
// set.
type Field struct {
	// Text is the value, or the documented default if it is not given.
	Text string
	// Bool is the value of a switch, as the Python reader of the dialect reads it.
	Bool bool
	// Explicit reports that the file gives a value that is not null.
	Explicit bool
	// Node is the value's node; nil when the key is absent.
	Node *document.Node
	// Key is the key's node; nil when the key is absent.
	Key *document.Node
	// File is where the setting is or would be written.
	File *File

	keys    string         // the key to insert, and siblings that it follows, best first, with after between them
	mapping *document.Node // the mapping that holds it or would
}

// after separates the keys of a Field; no key that amlfix inserts contains it. One text instead of a list makes the
// many Fields of a project smaller.
const after = "\x00"

// FieldAt returns the entry of a mapping as a field.
func FieldAt(f *File, mapping *document.Node, name string) Field {
	out := Field{File: f, keys: name, mapping: mapping.Resolve()}
	if e, ok := out.mapping.Entry(name); ok {
		out.fill(e)
	}
	return out
}

// fieldAfter is FieldAt for a key with those that a new entry would follow, which are added with after.
func fieldAfter(f *File, mapping *document.Node, keys string) Field {
	name, _, _ := strings.Cut(keys, after)
	out := FieldAt(f, mapping, name)
	out.keys = keys
	return out
}

// name returns the field's key as it is written, or would be.
func (f Field) name() string {
	if f.Key != nil {
		return f.Key.Value
	}
	name, _, _ := strings.Cut(f.keys, after)
	return name
}

func (f *Field) fill(e document.Entry) {
	f.Key, f.Node = e.Key, e.Value
	f.Explicit = !e.Value.IsNull()
	f.Text = e.Value.Text()
}

// orDefault returns the field with Text set to value if none is given.
func (f Field) orDefault(value string) Field {
	if !f.Explicit {
		f.Text = value
	}
	return f
}

// asSwitch returns the field with Bool as the Python reader of Workbench reads it.
func (f Field) asSwitch() Field {
	f.Bool = truth(f.Node)
	return f
}

// orBeside returns the field with Text set to the path of a file beside the field's if none is given.
func (f Field) orBeside(name string) Field {
	if !f.Explicit {
		f.Text = path.Join(f.File.Dir(), name)
	}
	return f
}

// Keys returns the keys of the mapping that holds the field, or would.
func (f Field) Keys() (keys []string) {
	if f.mapping == nil {
		return nil
	}
	for _, e := range f.mapping.Entries() {
		keys = append(keys, e.Key.Value)
	}
	return keys
}

// Location returns the place that a finding about the field points at: the value, or the key if there is no value, or,
// if the key is absent, the key it would follow, or else the first key of its mapping.
//
//go:noinline
func (f Field) Location(message string) finding.Location {
	return finding.Location{Source: f.File.Source, Span: f.span(), Message: message}
}

func (f Field) span() source.Span {
	switch {
	case f.Node != nil && f.Node.Span.Len() > 0:
		return f.File.Source.FirstLine(f.Node.Span)
	case f.Key != nil:
		return f.Key.Span
	}
	if sibling := f.sibling(); sibling != "" {
		if e, ok := f.mapping.Entry(sibling); ok {
			return e.Key.Span
		}
	}
	return startOf(f.mapping)
}

func (f Field) sibling() string {
	_, siblings, _ := strings.Cut(f.keys, after)
	for key := range strings.SplitSeq(siblings, after) {
		if f.mapping != nil && f.mapping.Find("/"+document.EscapeToken(key)) != nil {
			return key
		}
	}
	return ""
}

// Set returns the change that gives the field a value; ok is false if there is no place to write it, or if the place is
// shared through an alias.
func (f Field) Set(value finding.Scalar) (change finding.Change, ok bool) {
	if f.mapping == nil || f.mapping.Kind != document.Mapping {
		return finding.Change{}, false
	}
	change = finding.Change{File: f.File.Path, Value: value}
	if f.Node != nil {
		if f.Node.Kind != document.Scalar || f.Node.Parent != f.mapping {
			return finding.Change{}, false
		}
		change.Op, change.Pointer = finding.SetScalar, f.Node.Pointer()
		return change, true
	}
	change.Op, change.Pointer = finding.InsertEntry, f.mapping.Pointer()
	change.Key, change.After = f.name(), f.sibling()
	return change, true
}

// place returns the field's node, or else the mapping that it would be in.
func (f Field) place() *document.Node {
	if f.Node != nil {
		return f.Node
	}
	return f.mapping
}

// repeats reports whether an alias in a text may repeat what has an anchor.
func repeats(text []byte, anchor string) bool {
	for alias := "*" + anchor; ; {
		i := bytes.Index(text, []byte(alias))
		if i < 0 {
			return false
		}
		before := bytes.TrimRight(text[:i], " ")
		text = text[i+len(alias):]
		starts := len(before) == 0 || strings.IndexByte("\n:-,[{", before[len(before)-1]) >= 0
		if starts && (len(text) == 0 || strings.IndexByte(" \t\r\n,]}:", text[0]) >= 0) {
			return true
		}
	}
}

// Fix returns the fix that gives the field a value, or nil if Set cannot.
func (f Field) Fix(value finding.Scalar, how finding.Applicability, title string) *finding.Fix {
	change, ok := f.Set(value)
	if !ok {
		return nil
	}
	for n := f.place(); n != nil; n = n.Parent {
		if a := n.Anchor(); a != "" && repeats(f.File.Source.Text, a) {
			return nil
		}
	}
	return finding.NewFix(how, title, change)
}

// startOf returns the span of a mapping's first key, or the node's first byte.
func startOf(n *document.Node) source.Span {
	switch {
	case n == nil:
		return source.Span{}
	case len(n.Entries()) > 0:
		return n.Entries()[0].Key.Span
	}
	return n.Span
}

// truth is how PyYAML, which reads Workbench files, reads the scalar of a switch: YAML 1.1 has more words for true than
// yaml.v3 knows.
func truth(n *document.Node) bool {
	n = n.Resolve()
	if n == nil || n.Kind != document.Scalar || n.Style != document.Plain {
		return false
	}
	switch strings.ToLower(n.Value) {
	case "true", "yes", "on":
		return true
	}
	return false
}
