package document

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gopkg.in/yaml.v3"

	"github.com/amlfix/amlfix/schema/testkit"
)

// read returns the documents of a text and whether it ends in an error.
func read(text []byte) (docs []*yaml.Node, failed bool) {
	defer func() { failed = failed || recover() != nil }()
	dec := yaml.NewDecoder(bytes.NewReader(text))
	for {
		node := new(yaml.Node)
		if err := dec.Decode(node); err != nil {
			return docs, !errors.Is(err, io.EOF)
		}
		docs = append(docs, node)
	}
}

func TestShorten(t *testing.T) {
	for text, want := range map[string]string{
		"# a comment\na: 1 # stays\n  # another\n":          "#\na: 1 # stays\n  #\n",
		"# one\r\nb: 2\r\n# two\r\r\n# no end":              "#\r\nb: 2\r\n#\r\r\n#",
		"a: |\n  # text\n# x\n":                             "a: |\n  # text\n# x\n",
		"a: \"two\n  # lines\"\n# x\n":                      "a: \"two\n  # lines\"\n# x\n",
		"# it's only a comment: the quote is in it\na: 1\n": "#\na: 1\n",
		"\t# a tab\n":         "\t# a tab\n",
		"# größer\n":          "# größer\n",
		"# lone\rreturn: 1\n": "# lone\rreturn: 1\n",
	} {
		testkit.Same(t, want, string(Shorten([]byte(text))), "%q", text)
	}
}

// FuzzShorten checks that yaml.v3 reads the shortened text exactly as the whole: the same nodes at the same places, and
// the same verdict.
func FuzzShorten(f *testing.F) {
	for _, text := range []string{"# c\na: b # d\n  # e\nf:\n- g\n# h\n- i\n", "a: x\n  # y\n  z\n", "# a\rb: c\n", "{a: b,\n# c\n d: e}\n", "\"a\n# b\n\": c\n", "#\n---\n# x\n...\n# y"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 4<<10 {
			return
		}
		want, wantFailed := read(text)
		got, gotFailed := read(Shorten(text))
		if wantFailed != gotFailed {
			t.Fatalf("%q: failed %v, shortened %v", text, wantFailed, gotFailed)
		}
		opts := []cmp.Option{cmpopts.IgnoreFields(yaml.Node{}, "HeadComment", "LineComment", "FootComment", "Alias")}
		if diff := cmp.Diff(want, got, opts...); diff != "" {
			t.Fatalf("%q (-whole +shortened):\n%s", text, diff)
		}
	})
}
