package rules

import (
	"unicode/utf8"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
)

// oddities says of a file's scalars, keys included, what at least one of them may be: a key without a space after its
// colon, a value with a mark at its end, and something that Python reads otherwise. Most files have none, and rules
// need not know what is expected where.
type oddities struct{ glued, marked, misread bool }

// odditiesOf returns what is known of a file that is not ordinary.
func odditiesOf(f *schema.File) oddities {
	found := schema.TextNote(f, noteOddities, func(f *schema.File) []oddities {
		o := odd{python: pythonOf(f), text: f}
		if o.look(f.Root()); o.oddities == (oddities{}) {
			return nil
		}
		return []oddities{o.oddities}
	})
	if len(found) == 0 {
		return oddities{}
	}
	return found[0]
}

// ordinary reports whether it is known from reading a file that it has no oddities.
func ordinary(f *schema.File) bool { return f.Stream.Ordinary() && pythonOf(f) == document.PyYAML }

// pythonOf returns the reader of a file.
func pythonOf(f *schema.File) document.Python {
	if f.Kind == schema.EnvironmentFile || f.Kind == schema.RunConfig && f.Dialect == schema.SDKv1 {
		return document.Ruamel
	}
	return document.PyYAML
}

// odd collects oddities.
type odd struct {
	oddities
	python document.Python
	text   *schema.File
}

func (o *odd) look(n *document.Node) {
	switch {
	case n == nil:
		return
	case n.Kind == document.Scalar:
		if n.Style == document.Plain {
			o.plain(n)
		}
		o.misread = o.misread || mayMislead(o.python, n)
		return
	}
	for _, e := range n.Entries() {
		o.look(e.Key)
		o.look(e.Value)
	}
	for _, item := range n.Items() {
		o.look(item)
	}
}

func (o *odd) plain(n *document.Node) {
	o.marked = o.marked || unmarked(n) != ""
	for i := range len(n.Value) {
		if c := n.Value[i]; c == ':' || c == '#' || c >= utf8.RuneSelf { // perhaps of wideColon
			o.glued = o.glued || likeKey(o.text.Source.Slice(n.Span))
			o.marked = o.marked || uncommented(n) != ""
			return
		}
	}
	o.glued = o.glued || o.text.Stream.Repaired && likeKey(o.text.Source.Slice(n.Span)) // the value has what was added
}
