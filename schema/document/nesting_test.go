package document_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestSpansNest holds what Node promises of spans: those of children lie within their parent's, in file order and
// apart.
func TestSpansNest(t *testing.T) {
	nodes := 0
	var check func(name string, n *document.Node)
	check = func(name string, n *document.Node) {
		nodes++
		var children []*document.Node
		for _, e := range n.Entries() {
			children = append(children, e.Key, e.Value)
		}
		children = append(children, n.Items()...)
		end := n.Span.Start
		for _, c := range children {
			if c.Parent != n || c.Span.Start < end || c.Span.End > n.Span.End {
				t.Errorf("%s: %s: %v lies outside of %v, or before %d", name, c.Pointer(), c.Span, n.Span, end)
			}
			end = c.Span.End
			check(name, c)
		}
	}
	err := filepath.WalkDir("../../testdata", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		for _, text := range [][]byte{text, bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))} {
			s := document.Parse(source.New(name, text))
			if !s.Exact || s.Repaired {
				continue
			}
			for _, root := range s.Documents {
				check(name, root)
			}
		}
		return err
	})
	testkit.OK(t, err)
	if nodes < 150 {
		t.Errorf("only %d nodes were looked at", nodes)
	}
}
