package proof

import (
	"fmt"
	"slices"
	"strconv"

	"gopkg.in/yaml.v3"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
)

// values is clause (b): the old values, changed as declared, are the new values. The new ones are those of yaml.v3's
// own tree, which the editor does not use.
func (c *checker) values() error {
	if c.raw {
		return c.literal()
	}
	err := c.Before.decode()
	expected := slices.Clone(c.Before.roots)
	if err != nil || len(expected) != len(c.old.Documents) {
		return c.fail(Parses, "the file could not be read before the repair")
	}
	got, err := c.newRoots()
	if err != nil {
		return c.fail(Parses, "the repaired file could not be read")
	}
	e := &expectation{roots: expected, tree: c.Before.tree, declared: map[*yaml.Node]int{}}
	if reason := e.make(c.Changes); reason != "" {
		return c.fail(Values, "%s", reason)
	}
	if len(expected) != len(got) || len(got) != len(c.new.Documents) {
		return c.fail(Values, "the repaired file would contain %d YAML documents, not %d", len(got), len(expected))
	}
	for i := range expected {
		if d := e.differ(expected[i], got[i], 0); d != nil {
			return c.fail(Values, "%s", d)
		}
	}
	c.touched = make([]touched, len(c.Changes))
	for i, change := range c.Changes {
		if !change.Op.OfComment() {
			c.touched[i] = e.targets[i].in(c.old.Documents[change.Document])
		}
	}
	for i := range expected {
		c.collect(e, expected[i], c.new.Documents[i])
	}
	return c.readers()
}

// touched are the nodes of the old and the new text that one change affects.
type touched struct {
	old, parent, key    *document.Node   // in the old text: the target, what holds it, its key
	index               int              // of the target among the entries or items
	sibling, siblingKey *document.Node   // in the old text: the entry that a new one follows
	fresh               []*document.Node // in the new text: the declared keys and values
}

// in returns the nodes of the located tree that a target stands for; nil where that has none.
func (t target) in(root *document.Node) (at touched) {
	at.old = root
	for _, i := range t.path {
		at.parent, at.key, at.index = at.old, nil, i
		if at.old = childAt(at.parent, i); at.parent != nil && at.parent.Kind == document.Mapping {
			at.key, at.index = childAt(at.parent, i-1), i/2
		}
	}
	if t.sibling != nil {
		at.sibling = childAt(at.old, t.after)
	}
	if t.siblingKey != nil {
		at.siblingKey = childAt(at.old, t.after-1)
	}
	return at
}

// childAt returns the i-th child of a node as yaml.Node.Content counts them, or nil.
func childAt(n *document.Node, i int) *document.Node {
	switch {
	case n == nil:
	case n.Kind == document.Mapping && i/2 < len(n.Entries()):
		if i%2 == 0 {
			return n.Entries()[i/2].Key
		}
		return n.Entries()[i/2].Value
	case n.Kind == document.Sequence && i < len(n.Items()):
		return n.Items()[i]
	}
	return nil
}

// collect records where the declared nodes are in the new text.
func (c *checker) collect(e *expectation, n *yaml.Node, at *document.Node) {
	if at == nil {
		return
	}
	if i, ok := e.declared[n]; ok {
		c.touched[i].fresh = append(c.touched[i].fresh, at)
	}
	for i, child := range e.children(n) {
		c.collect(e, child, childAt(at, i))
	}
}

// readers checks that YAML 1.1 readers, which Azure ML uses, also read declared strings as strings.
func (c *checker) readers() error {
	for _, t := range c.touched {
		for _, n := range t.fresh {
			if n.Tag() == "!!str" && n.Style == document.Plain && readOtherwise(n.Value) {
				return c.fail(Values, "%q would have no quotes, and some readers would not read it as text", n.Value)
			}
		}
	}
	return nil
}

// literal checks changes of raw text, which declare their own bytes.
func (c *checker) literal() error {
	if len(c.Changes) == 1 && c.Changes[0].Op == finding.NewFile {
		if string(c.New) != c.Changes[0].Value.Text || len(c.Old) > 0 {
			return c.fail(Values, "the new file would not contain the declared text")
		}
		return nil
	}
	made := map[source.Span]string{}
	for _, e := range c.Edits {
		made[e.Span] = e.New
	}
	for _, change := range c.Changes {
		if change.Op != finding.SpliceText {
			return c.fail(Values, "changes of raw text and of values cannot be proved together")
		}
		span := source.Span{Start: change.Offset, End: change.Offset + len(change.Old)}
		text, ok := made[span]
		if !ok || text != change.Value.Text || string(c.old.Source.Slice(span)) != change.Old {
			return c.fail(Values, "the declared replacement at byte %d would be missing", change.Offset)
		}
		delete(made, span)
	}
	if len(made) > 0 || len(c.Edits) != len(c.Changes) {
		return c.fail(Values, "%d places in the text would be replaced, but %d are declared", len(c.Edits), len(c.Changes))
	}
	return nil
}

// difference is one between two trees: what is at a place, or a whole sentence.
type difference struct{ at, is, sentence string }

func (d *difference) String() string {
	switch {
	case d.sentence != "":
		return d.sentence
	case d.at == "":
		return "the top of the document " + d.is
	}
	return d.at + " " + d.is
}

// differ returns the first difference between two trees, or nil. Its place is only worked out if there is one.
func (e *expectation) differ(want, got *yaml.Node, depth int) *difference {
	children := e.children(want)
	_, declared := e.declared[want]
	freeSpelling := declared && want.Tag == "!!null"
	switch {
	case depth > 2*document.MaxDepth:
		return &difference{is: "is nested too deeply to be compared"}
	case want.Kind != got.Kind:
		return &difference{is: "would become another kind of value than declared"}
	case want.Anchor != got.Anchor:
		return &difference{is: "would gain, lose or change an anchor"}
	case want.ShortTag() != got.ShortTag():
		return &difference{is: fmt.Sprintf("would be read as %s, not as %s", got.ShortTag(), want.ShortTag())}
	case want.Kind == yaml.ScalarNode && want.Value != got.Value && !freeSpelling:
		return &difference{is: "would have another value than declared"}
	case want.Kind == yaml.AliasNode && want.Value != got.Value:
		return &difference{is: "would become another alias"}
	case len(children) != len(got.Content):
		return &difference{is: fmt.Sprintf("would contain %d nodes, not the declared %d", len(got.Content), len(children))}
	}
	for i, child := range children {
		isKey := want.Kind == yaml.MappingNode && i%2 == 0
		if other := got.Content[i]; isKey && child.Kind == other.Kind && child.Value != other.Value {
			return &difference{sentence: fmt.Sprintf("the key %q would be where %q is declared", other.Value, child.Value)}
		}
		if d := e.differ(child, got.Content[i], depth+1); d != nil {
			name := strconv.Itoa(i)
			if want.Kind == yaml.MappingNode {
				name = children[i-i%2].Value
			}
			d.at = "/" + name + d.at
			return d
		}
	}
	return nil
}
