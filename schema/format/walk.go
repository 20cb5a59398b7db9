package format

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/format/literal"
	"github.com/amlfix/amlfix/schema/secret"
)

// Place is what a format expects at one node of a document.
type Place struct {
	kind   Kind
	schema *literal.Schema
	parent *Place
	named  string // the schema's name for the key; "" for items and the root
}

// Walk calls visit for each node of a document that its format covers, in the order of the text: the root, the values
// of known keys, and what is below them. key is the value's key, nil for the root and for items; p is valid only during
// the call. Aliases are visited but not followed. For an unknown kind, it does nothing.
func Walk(kind Kind, root *document.Node, visit func(key, n *document.Node, p *Place)) {
	s := schemaFor(kind, root)
	if s == nil || root == nil {
		return
	}
	w := &walker{visit: visit}
	w.places = append(w.some[:0], &w.first[0])
	w.first[0] = Place{kind: kind, schema: w.variant(s, root)}
	w.walk(nil, root, 0)
}

// walker has the places on the path from the root to the current node, one per level.
type walker struct {
	resolver
	visit  func(key, n *document.Node, p *Place)
	places []*Place

	some  [usual]*Place // initial storage of places
	first [usual]Place
}

// usual is the number of levels that most files have.
const usual = 6

func (w *walker) walk(key, n *document.Node, depth int) {
	p := w.places[depth]
	w.visit(key, n, p)
	if len(n.Entries())+len(n.Items()) == 0 {
		return
	}
	if depth+1 == len(w.places) {
		if depth+1 < usual {
			w.places = append(w.places, &w.first[depth+1])
		} else {
			w.places = append(w.places, new(Place))
		}
	}
	next := w.places[depth+1]
	for _, e := range n.Entries() {
		if child, name := p.child(e.Key.Value); child != nil {
			*next = Place{kind: p.kind, schema: w.variant(child, e.Value), parent: p, named: name}
			w.walk(e.Key, e.Value, depth+1)
		}
	}
	if items := p.schema.Items; items != nil {
		for _, item := range n.Items() {
			*next = Place{kind: p.kind, schema: w.variant(items, item), parent: p}
			w.walk(nil, item, depth+1)
		}
	}
}

// child returns the schema of a key's value and the schema's spelling of the key; nil for an unknown key.
func (p *Place) child(key string) (*literal.Schema, string) {
	if s, name := p.holder(key); s != nil {
		return s.Properties[name], name
	}
	return p.schema.Additional, key
}

// holder returns the schema that has a key and its spelling of the key; nil if none has it. The target's own type is
// checked first, because the others are rarely needed.
func (p *Place) holder(key string) (*literal.Schema, string) {
	if p.schema.Properties[key] != nil {
		return p.schema, key
	}
	if v := (validation{kind: p.kind}); v.sdk() {
		if name := v.schemaKey(p.schema, key); p.schema.Properties[name] != nil {
			return p.schema, name
		}
	}
	if p.kind != Compute || p.parent != nil {
		return nil, ""
	}
	for _, s := range p.variants() {
		if s.Properties[key] != nil {
			return s, key
		}
	}
	return nil, ""
}

// variants returns the schemas that may apply to a mapping at this place: the keys of a compute target depend on its
// type.
func (p *Place) variants() []*literal.Schema {
	list := []*literal.Schema{p.schema}
	if p.kind == Compute && p.parent == nil {
		for _, t := range computeTypes {
			list = append(list, t.schema.Get())
		}
		list = append(list, untypedSchema.Get(), otherSchema.Get())
	}
	return list
}

// Knows reports whether a mapping at this place may have the key, compared as the file's parser does. A compute target
// may have the keys of all types; where users choose the keys, the result is false.
func (p *Place) Knows(key string) bool {
	s, _ := p.holder(key)
	return s != nil
}

// Allows reports whether a mapping at this place may have the key, be it a known one or one that users choose.
func (p *Place) Allows(key string) bool {
	if s, _ := p.child(key); s != nil {
		return true
	}
	return (len(p.schema.Types) == 0 || p.takes("object")) && !p.schema.Closed
}

// OnlyMapping reports whether nothing but a mapping is expected here.
func (p *Place) OnlyMapping() bool { return len(p.schema.Types) == 1 && p.takes("object") }

// Fits reports whether the format certainly allows a value here.
func (p *Place) Fits(n *document.Node) bool {
	v := &validation{kind: p.kind, root: n}
	return v.conforms(p.schema, nil, n)
}

// Parent returns the enclosing place, or nil for the root.
func (p *Place) Parent() *Place { return p.parent }

// TextKeys reports whether the keys of a mapping at this place must be text, which the schema's check reports.
func (p *Place) TextKeys() bool { return p.kind.v2() && textKeys(p.schema) }

// Switch reports whether a boolean is expected here.
func (p *Place) Switch() bool { return p.takes("boolean") && !p.takes("number") }

// Number reports whether an integer is expected here.
func (p *Place) Number() bool { return p.takes("integer") && !p.takes("boolean") }

// Converts reports whether text is accepted here, though perhaps as a number: Azure ML makes one of "08" and "1e-5".
func (p *Place) Converts(text string) bool {
	switch {
	case !p.takes("string"):
		return false
	case p.schema.Pattern != nil:
		return p.schema.Pattern.Get().MatchString(text)
	}
	return p.takes("number") || strings.Trim(text, "0123456789") == ""
}

// Text reports whether arbitrary text is expected here, even if the format also accepts a number or a boolean, as in
// the value of a variable.
func (p *Place) Text() bool {
	return p.takes("string") && !p.Switch() && !p.Number() && len(p.schema.Enum) == 0
}

// Loose reports whether text is expected here but the format also accepts numbers and booleans, and converts them to
// text.
func (p *Place) Loose() bool { return p.Text() && (p.takes("number") || p.takes("boolean")) }

// Local returns what a local path at this place leads to: "file", "folder" or "any", or "" if no path is expected.
// unless is a key of the same mapping; if it is present, the path is not read.
func (p *Place) Local() (local, unless string) {
	a := annotationOf(p.schema)
	return a.Path, a.Unless
}

// Leads returns the format of the file that a path at this place leads to, or its Azure ML v2 definition; "" for any
// file.
func (p *Place) Leads() string { return annotationOf(p.schema).File }

// Asset returns the kind of asset that "azureml:" refers to at this place, in the plural ("environments"), or "" if no
// reference is expected.
func (p *Place) Asset() string { return annotationOf(p.schema).Asset }

// Secret reports whether the name of the place, or of an enclosing one, is a secret's.
func (p *Place) Secret() bool {
	for ; p != nil; p = p.parent {
		if secret.NameIsSecret(p.named) {
			return true
		}
	}
	return false
}

func (p *Place) takes(t string) bool { return slices.Contains(p.schema.Types, t) }
