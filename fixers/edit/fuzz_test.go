package edit_test

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/amlfix/amlfix/fixers/edit"
	"github.com/amlfix/amlfix/fixers/proof"
	"github.com/amlfix/amlfix/fixers/text"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// FuzzChange makes any change to any text. Nothing may panic, and what the proof accepts must be right by a third
// opinion: plain decoded values, compared.
func FuzzChange(f *testing.F) {
	for _, seed := range []string{
		"a: 1\nb: 'x' # c\n", "{\n  \"a\": [1, {\"b\": null}]\n}", "a:\n- x\n- k: v\n  l:\n", "a: &x {b: 1}\nc: {<<: *x}\n",
		"\xef\xbb\xbfa: |+\r\n  x\r\n\r\nb: >-\r\n  y", "? a\n: b\n", "- - a\n  - b\n", "a: \"\\u0085\"\r\r\nb: ~\r\r\n", "a: b\n---\nc: d\n...\n",
		"a: !!str 1\nb: !x &y [c,]\n", "[a: b, ? c : d]", "a: one\n  two\n\n  # c\n", "a:\tb\n", "{a, b: }", "'a':b\n\"c\": 1", "{\"a\":\"b\" # x\n,\"c\": # y\n d}",
		"a: 1\u2028b: 2\n", "a: x\rb: 1\n", "- &x a\n- *x\n", "a: |2-\n    x\n# c\n", "a: [\n  1,\n  # c\n  2 # d\n  ,3]\n",
	} {
		for op := range 5 {
			f.Add(seed, uint8(op), uint8(op), "key", "value")
		}
		f.Add(seed, uint8(1), uint8(2), "a", "yes")
	}
	f.Fuzz(func(t *testing.T, content string, op, which uint8, key, value string) {
		if len(content) > 4096 {
			return
		}
		stream := document.Parse(source.New(path, []byte(content)))
		c := anyChange(stream, op, which, key, value)
		edits, err := edit.New(stream).Edits([]finding.Change{c})
		if err != nil {
			return
		}
		after, err := text.Apply([]byte(content), edits)
		if err != nil {
			t.Fatalf("edits cannot be applied: %v", err)
		}
		if err := proof.Check(proof.File{Path: path, Old: []byte(content), New: after, Edits: edits, Changes: []finding.Change{c}}); err != nil {
			return
		}
		if c.Op != finding.SpliceText && c.Op != finding.NewFile {
			thirdOpinion(t, content, string(after), c)
		}
	})
}

// anyChange returns a change of some node of the stream, if there is one.
func anyChange(stream *document.Stream, op, which uint8, key, value string) finding.Change {
	c := finding.Change{Op: finding.Op(op%7) + 1, File: path, Key: key, Value: str(value), Offset: int(which), Old: key}
	switch which % 5 {
	case 1:
		c.Value = finding.True
	case 2:
		c.Value = null
	}
	var nodes []*document.Node
	var visit func(n *document.Node)
	visit = func(n *document.Node) {
		nodes = append(nodes, n)
		for _, e := range n.Entries() {
			visit(e.Value)
		}
		for _, item := range n.Items() {
			visit(item)
		}
	}
	if len(stream.Documents) == 0 {
		return c
	}
	c.Document = int(which) % len(stream.Documents)
	visit(stream.Documents[c.Document])
	n := nodes[int(which)%len(nodes)]
	c.Pointer = n.Pointer()
	if len(n.Entries()) > 0 && which%2 == 0 {
		c.After = n.Entries()[int(which)%len(n.Entries())].Key.Value
	}
	return c
}

// thirdOpinion makes the change in values decoded without regard to order, and compares. It looks at nothing that the
// editor or the proof looks at.
func thirdOpinion(t *testing.T, before, after string, c finding.Change) {
	want, ok := decodeAll(before)
	if !ok {
		return // duplicate keys and keys of odd types do not decode
	}
	got, ok := decodeAll(after)
	if !ok {
		t.Fatalf("%+v: accepted, but does not decode:\n%q\n%q", c, before, after)
	}
	if c.Document >= len(want) {
		t.Fatalf("%+v: accepted for a document that is not there", c)
	}
	var tokens []string
	for _, token := range strings.Split(c.Pointer, "/")[1:] {
		tokens = append(tokens, document.UnescapeToken(token))
	}
	changed, ok := change(want[c.Document], tokens, c)
	if !ok {
		return // numbers and booleans as keys
	}
	want[c.Document] = changed
	testkit.Same(t, want, got, "%+v: accepted, but wrong:\n%q\n%q", c, before, after)
}

func decodeAll(s string) (list []any, ok bool) {
	for decoder := yaml.NewDecoder(strings.NewReader(s)); ; {
		var v any
		if err := decoder.Decode(&v); err != nil {
			return list, errors.Is(err, io.EOF)
		}
		list = append(list, v)
	}
}

// change returns v with the change made below it.
func change(v any, tokens []string, c finding.Change) (any, bool) {
	value := map[finding.ScalarKind]any{finding.String: c.Value.Text, finding.Bool: c.Value.Text == "true", finding.Null: nil}[c.Value.Kind]
	if len(tokens) > 0 {
		last := len(tokens) == 1
		switch at := v.(type) {
		case map[string]any:
			child, ok := at[tokens[0]]
			switch {
			case !ok:
				return nil, false
			case last && c.Op == finding.RemoveEntry:
				delete(at, tokens[0])
				return at, true
			case last && c.Op == finding.RenameKey:
				delete(at, tokens[0])
				at[c.Key] = child
				return at, true
			}
			changed, ok := change(child, tokens[1:], c)
			at[tokens[0]] = changed
			return at, ok
		case []any:
			i := slices.Index([]string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}, tokens[0])
			if i < 0 || i >= len(at) {
				return nil, false
			}
			if last && c.Op == finding.RemoveEntry {
				return slices.Delete(at, i, i+1), true
			}
			changed, ok := change(at[i], tokens[1:], c)
			at[i] = changed
			return at, ok
		}
		return nil, false
	}
	switch at := v.(type) {
	case map[string]any:
		at[c.Key] = value
		return at, c.Op == finding.InsertEntry
	case []any:
		return append(at, value), c.Op == finding.AppendItem
	}
	return value, c.Op == finding.SetScalar
}
