package proof

import (
	"fmt"

	"gopkg.in/yaml.v3"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
)

// values is clause (b): the old values, changed as declared, are the new values.
// It works on yaml.v3's own trees, not on the tree the editor looked at.
func (c *checker) values() error {
	if c.raw {
		return c.literal()
	}
	expected, err := decode(c.Old)
	if err != nil || len(expected) != len(c.old.Documents) {
		return c.fail(Parses, "the file could not be read before the repair")
	}
	got, err := decode(c.New)
	if err != nil {
		return c.fail(Parses, "the repaired file could not be read")
	}
	located := map[*yaml.Node]*document.Node{}
	for i := range expected {
		locate(expected[i], c.old.Documents[i], located)
		c.number(c.old.Documents[i])
	}
	e := &expectation{roots: expected, declared: map[*yaml.Node]int{}}
	if reason := e.make(c.Changes); reason != "" {
		return c.fail(Values, "%s", reason)
	}
	if len(expected) != len(got) || len(got) != len(c.new.Documents) {
		return c.fail(Values, "the repaired file would hold %d YAML documents, not %d", len(got), len(expected))
	}
	for i := range expected {
		if reason := e.differ(expected[i], got[i], "", 0); reason != "" {
			return c.fail(Values, "%s", reason)
		}
	}
	c.touched = make([]touched, len(c.Changes))
	for i, t := range e.targets {
		c.touched[i] = touched{old: located[t.node], parent: located[t.parent], key: located[t.key], sibling: located[t.sibling], siblingKey: located[t.siblingKey]}
	}
	for i := range expected {
		c.collect(e, expected[i], c.new.Documents[i])
	}
	return c.readers()
}

// touched is what one change has to do with nodes of the old and the new text.
type touched struct {
	old, parent, key    *document.Node   // in the old text: the target, what holds it, its key
	sibling, siblingKey *document.Node   // in the old text: the entry that a new one follows
	fresh               []*document.Node // in the new text: the declared keys and values
}

// number notes the index of each node of the old text in what holds it.
func (c *checker) number(n *document.Node) {
	for i, e := range n.Entries {
		c.index[e.Value] = i
		c.number(e.Value)
	}
	for i, item := range n.Items {
		c.index[item] = i
		c.number(item)
	}
}

// locate notes which node of the located tree each node of yaml.v3's tree is.
func locate(n *yaml.Node, at *document.Node, located map[*yaml.Node]*document.Node) {
	if at == nil {
		return
	}
	located[n] = at
	for i, child := range n.Content {
		locate(child, childAt(at, i), located)
	}
}

// childAt returns the i-th child of a node as yaml.Node.Content counts them.
func childAt(n *document.Node, i int) *document.Node {
	switch {
	case n.Kind == document.Mapping && i/2 < len(n.Entries):
		if i%2 == 0 {
			return n.Entries[i/2].Key
		}
		return n.Entries[i/2].Value
	case n.Kind == document.Sequence && i < len(n.Items):
		return n.Items[i]
	}
	return nil
}

// collect notes where the declared nodes are in the new text.
func (c *checker) collect(e *expectation, n *yaml.Node, at *document.Node) {
	if at == nil {
		return
	}
	if i, ok := e.declared[n]; ok {
		c.touched[i].fresh = append(c.touched[i].fresh, at)
	}
	for i, child := range n.Content {
		c.collect(e, child, childAt(at, i))
	}
}

// readers checks that YAML 1.1 readers, which Azure ML uses, see declared
// strings as strings too.
func (c *checker) readers() error {
	for _, t := range c.touched {
		for _, n := range t.fresh {
			if n.Tag == "!!str" && n.Style == document.Plain && readOtherwise(n.Value) {
				return c.fail(Values, "%q would be without quotes, and some readers would not read it as text", n.Value)
			}
		}
	}
	return nil
}

// literal checks changes of raw text, which declare their bytes themselves.
func (c *checker) literal() error {
	if len(c.Changes) == 1 && c.Changes[0].Op == finding.NewFile {
		if string(c.New) != c.Changes[0].Value.Text || len(c.Old) > 0 {
			return c.fail(Values, "the new file would not hold the declared text")
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
			return c.fail(Values, "the declared replacement at byte %d would not be made", change.Offset)
		}
		delete(made, span)
	}
	if len(made) > 0 || len(c.Edits) != len(c.Changes) {
		return c.fail(Values, "%d places of the text would be replaced, but %d are declared", len(c.Edits), len(c.Changes))
	}
	return nil
}

// differ returns the first difference between two trees, in words.
func (e *expectation) differ(want, got *yaml.Node, at string, depth int) string {
	place := at
	if place == "" {
		place = "the top of the document"
	}
	_, declared := e.declared[want]
	freeSpelling := declared && want.Tag == "!!null"
	switch {
	case depth > 2*document.MaxDepth:
		return place + " is nested too deep to be compared"
	case want.Kind != got.Kind:
		return place + " would become another kind of value than declared"
	case want.Anchor != got.Anchor:
		return place + " would gain, lose or change an anchor"
	case want.ShortTag() != got.ShortTag():
		return fmt.Sprintf("%s would be read as %s, not as %s", place, got.ShortTag(), want.ShortTag())
	case want.Kind == yaml.ScalarNode && want.Value != got.Value && !freeSpelling:
		return place + " would have another value than declared"
	case want.Kind == yaml.AliasNode && want.Value != got.Value:
		return place + " would become another alias"
	case len(want.Content) != len(got.Content):
		return fmt.Sprintf("%s would hold %d nodes, not the declared %d", place, len(got.Content), len(want.Content))
	}
	for i := range want.Content {
		below := fmt.Sprintf("%s/%d", at, i)
		if want.Kind == yaml.MappingNode {
			key := want.Content[i-i%2].Value
			below = at + "/" + key
			if i%2 == 0 && want.Content[i].Kind == got.Content[i].Kind && key != got.Content[i].Value {
				return fmt.Sprintf("the key %q would be where %q is declared", got.Content[i].Value, key)
			}
		}
		if reason := e.differ(want.Content[i], got.Content[i], below, depth+1); reason != "" {
			return reason
		}
	}
	return ""
}
