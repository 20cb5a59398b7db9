package document_test

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestOffsets finds each word of a scalar's value in the text by its offsets, in every style and as other editors save
// it.
func TestOffsets(t *testing.T) {
	for name, text := range map[string]string{
		"plain":          "a: python train.py --x é  --y\nb: 1\n",
		"plain, folded":  "a: python train.py\n  --x 1\n\n  --y\nb: 1\n",
		"single quoted":  "a: 'it''s ''a'''\n",
		"quoted, folded": "a: 'one\n  two\n\n  three'\n",
		"double quoted":  "a: \"one \\\"two\\\" \\\\ three\\n four \\\n  five\"\n",
		"literal":        "a: | # one\n  one two \\\n    three\n\n  four\nb: 1\n",
		"folded":         "a: >- # one\n  one\n  two\n\n    three\n  four\n\nb: 1\n",
		"indented":       "a: |2\n   one\n  two\n",
		"in a list":      "- >\n one\n two\n- 1\n",
		"flow":           "{a: one two, b: [\"three four\"]}\n",
		"JSON":           "{\"a\": \"one \\\"two\\\" three\"}\n",
		"empty":          "a: ''\n",
	} {
		for variant, text := range testkit.Variants([]byte(text)) {
			stream := document.Parse(source.New("a.yml", text))
			if stream.Root() == nil {
				t.Fatalf("%s, %s is not read", name, variant)
			}
			walkScalars(stream.Root(), func(n *document.Node) {
				offsets := n.Offsets(stream.Source.Text)
				if len(offsets) != len(n.Value)+1 {
					t.Errorf("%s, %s: %d offsets for %q", name, variant, len(offsets), n.Value)
					return
				}
				for i := range len(n.Value) {
					at := offsets[i]
					got := string(stream.Source.Text[at : at+1])
					if strings.ContainsAny(n.Value[i:i+1], " \n\t\r") {
						continue
					}
					if got == `\` && n.Style == document.DoubleQuoted {
						got = string(stream.Source.Text[at+1 : at+2])
					}
					if got != n.Value[i:i+1] {
						t.Errorf("%s, %s: byte %d of %q is %q in the text", name, variant, i, n.Value, got)
					}
				}
			})
		}
	}
	n := document.Parse(source.New("a.yml", []byte(`a: "\x41"`))).Root().Get("a")
	if got := n.Offsets([]byte(`a: "\x41"`)); got != nil {
		t.Errorf("an escape: %v", got)
	}
}

func walkScalars(n *document.Node, visit func(*document.Node)) {
	if n.Kind == document.Scalar {
		visit(n)
	}
	for _, e := range n.Entries() {
		walkScalars(e.Value, visit)
	}
	for _, item := range n.Items() {
		walkScalars(item, visit)
	}
}
