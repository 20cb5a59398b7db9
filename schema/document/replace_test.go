package document_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestReplaceAnyScalar replaces each scalar through its span and checks that exactly this value differs afterwards: the
// proof that spans are right.
//
//testkit:norace
func TestReplaceAnyScalar(t *testing.T) {
	t.Parallel()
	t.Run("testdata", func(t *testing.T) {
		replaceAll(t, testkit.Files(t, filepath.Join(testkit.Root(t), "testdata")))
	})
	t.Run("corpus", func(t *testing.T) { replaceAll(t, testkit.Files(t, testkit.Corpus(t))) })
	t.Run("odd syntax", func(t *testing.T) { replaceAll(t, oddSyntax) })
}

func replaceAll(t *testing.T, files map[string][]byte) {
	replaced := 0
	for path, text := range files {
		for name, variant := range testkit.Variants(text) {
			n := replaceEach(t, fmt.Sprintf("%s (%s)", path, name), variant)
			replaced += n
		}
	}
	t.Logf("%d files, %d scalars replaced", len(files), replaced)
	if len(files) > 0 && replaced == 0 {
		t.Error("no scalar was replaced")
	}
}

// mark is a value of no file, in an escape that the plain reader knows: TestPlainOnRealFiles compares it with yaml.v3.
const mark = "replaced\t"

func replaceEach(t *testing.T, name string, text []byte) int {
	t.Helper()
	before := document.Parse(source.New(name, text))
	if len(before.Problems) > 0 && before.Problems[0].Kind != document.DuplicateKey && before.Problems[0].Kind != document.MultipleDocuments {
		return 0
	}
	if !before.Exact {
		t.Errorf("%s: spans are not exact", name)
		return 0
	}
	replaced := 0
	for i, root := range before.Documents {
		want := dump(root)
		for k, node := range scalars(root) {
			if node.Tag() == "!!merge" || node.Properties != node.Span.Start {
				continue
			}
			with := `"replaced\t"`
			if node.Span.Len() == 0 {
				with = " " + with
			}
			edited := string(text[:node.Span.Start]) + with + string(text[node.Span.End:])
			after := document.Parse(source.New(name, []byte(edited)))
			if len(after.Documents) != len(before.Documents) {
				t.Errorf("%s: replacing %q at %d: %d documents, problems %v", name, node.Value, node.Span.Start, len(after.Documents), after.Problems)
				continue
			}
			expected := append([]string(nil), want...)
			expected[k] = mark
			testkit.Same(t, expected, dump(after.Documents[i]), "%s: replacing %q at %d", name, node.Value, node.Span.Start)
			replaced++
		}
	}
	return replaced
}

// scalars returns the scalars below n in file order, keys included.
func scalars(n *document.Node) (list []*document.Node) {
	switch n.Kind {
	case document.Scalar:
		return []*document.Node{n}
	case document.Mapping:
		for _, e := range n.Entries() {
			list = append(append(list, scalars(e.Key)...), scalars(e.Value)...)
		}
	case document.Sequence:
		for _, item := range n.Items() {
			list = append(list, scalars(item)...)
		}
	}
	return list
}

func dump(n *document.Node) (values []string) {
	for _, s := range scalars(n) {
		values = append(values, s.Value)
	}
	return values
}

var oddSyntax = map[string][]byte{
	"literal":         []byte("a: |\n  one\n  two\n\nb: >-\n  folded\n  text\nc: |2\n    deep\nd: 1\n"),
	"multi-line":      []byte("a: plain text\n  over lines\n\n  and a break\nb: 'single ''quoted''\n  text'\nc: \"double \\\" \\\n  quoted\"\n"),
	"flow":            []byte("a: [1, 'two', \"three\", {b: c, d: [e]}]\nb: {}\nc: []\nd: {e: f,}\n"),
	"flow over lines": []byte("{\n  \"a\": [\n    \"$file\"\n  ],\n  \"b\": null,\n  \"c\": {\"d\": true}\n}"),
	"nulls":           []byte("a:\nb: ~\nc: null\nd:\n  - \n  - x\n  -\ne: # comment\nf: g # comment\n"),
	"compact":         []byte("- a: 1\n  b: 2\n- - c\n  - d\n-\n  e: f\n"),
	"same column":     []byte("a:\n- 1\n- 2\nb:\n- c: |\n    x\n- d\n"),
	"anchors":         []byte("a: &x 1\nb: *x\nc: &y\n  d: 1\ne:\n  <<: *y\n  f: 2\ng: !!str 3\nh: &z\n"),
	"comments":        []byte("# top\na: 1 # one\n# between\nb: # null\nc: a#b # no comment inside\nd:\n  # first\n  - 1 # x\n  # second\n  - 2\n"),
	"documents":       []byte("---\na: 1\n---\nb: 2\n...\n"),
	"explicit key":    []byte("? a\n: b\n? c\n: - d\n"),
	"quoted keys":     []byte("\"a b\": c\n'd': e\n\"f\":g: h\n"),
	"space first":     []byte("\n\n  a: 1\n  b: 2\n\n"),
	"only scalar":     []byte("just text\n"),
	"tab":             []byte("a:\t1\nb:\t\"two\"\t# c\n"),
}
