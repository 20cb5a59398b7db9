package proof

import (
	"bytes"
	"encoding/json"

	"gopkg.in/yaml.v3"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
)

// Before is a text before its fixes, read once for all proofs about it: a file often has several fixes, each proved by
// itself. It must not be used concurrently.
type Before struct {
	stream *document.Stream
	json   bool

	decoded   bool
	converted bool         // roots are made of the located tree
	roots     []*yaml.Node // the documents, in yaml.v3's terms; nobody changes them
	err       error
	tree      *tree
	comments  []source.Span // nil until somebody asks
}

// Read prepares the text of stream, which document.Parse made from it, for the proofs of its fixes.
func Read(stream *document.Stream) *Before {
	return &Before{stream: stream, json: validJSON(stream.Source.Text)}
}

// of returns what is known of the file's old text, and reads that text if b is about another one.
func (b *Before) of(f File) *Before {
	if b == nil || b.stream.Source.Path != f.Path || !bytes.Equal(b.stream.Source.Text, f.Old) {
		return Read(document.Parse(source.New(f.Path, f.Old)))
	}
	return b
}

// decode finds the values of the text. If there are no anchors, the located tree itself provides them: the new text is
// always read by yaml.v3, and a value that the two readers read differently would not be the same before and after.
func (b *Before) decode() error {
	if b.decoded {
		return b.err
	}
	b.decoded = true
	if b.converted = b.convert(); !b.converted {
		if b.roots, b.err = decode(b.stream.Source.Text); b.err != nil || len(b.roots) != len(b.stream.Documents) {
			return b.err
		}
	}
	b.tree = newTree(b.roots, b.converted)
	return nil
}

// convert converts the located tree to yaml.v3's nodes, and reports whether that is possible.
func (b *Before) convert() bool {
	if b.stream.Repaired || !b.stream.Exact {
		return false
	}
	var convert func(n *document.Node) *yaml.Node
	simple, nodes := true, make([]yaml.Node, 0, b.stream.Values)
	convert = func(n *document.Node) *yaml.Node {
		nodes = append(nodes, yaml.Node{Kind: kinds[n.Kind], Tag: n.Tag(), Value: n.Value})
		out := &nodes[len(nodes)-1]
		simple = simple && n.Kind != document.Alias && n.Anchor() == "" && n.Tag() != "!!merge"
		if size := 2*len(n.Entries()) + len(n.Items()); size > 0 {
			out.Content = make([]*yaml.Node, 0, size)
		}
		for _, e := range n.Entries() {
			out.Content = append(out.Content, convert(e.Key), convert(e.Value))
		}
		for _, item := range n.Items() {
			out.Content = append(out.Content, convert(item))
		}
		return out
	}
	for _, root := range b.stream.Documents {
		b.roots = append(b.roots, convert(root))
	}
	if !simple {
		b.roots = nil
	}
	return simple
}

// kinds are yaml.v3's kinds for those of package document.
var kinds = [document.Alias + 1]yaml.Kind{document.Scalar: yaml.ScalarNode, document.Mapping: yaml.MappingNode, document.Sequence: yaml.SequenceNode}

// validJSON reports whether a text is JSON, with or without a byte order mark.
func validJSON(text []byte) bool { return json.Valid(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))) }
