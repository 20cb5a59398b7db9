package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// MaxDepth is the deepest nesting of mappings and sequences that is read; real files have five levels.
const MaxDepth = 64

// MaxValues is the largest number of values (keys, items, and what holds them) that is read from a file; real files
// have fewer than a thousand. With more, the trees of a 1 MB file would take more than 200 MB of memory.
const MaxValues = 200_000

// Stream is the content of one file: its documents, and what is wrong with its text.
//
// Spans of nodes and problems are byte offsets into Source.Text, whatever its line ends, byte order mark or repairs.
// Check Exact and Repaired before using them for edits. A stream without Documents is an empty file or has a Problem
// that says why. It is not changed after Parse and may be read by several goroutines. The tree is never written back to
// a file; Source keeps the text as written. Problems need not be complete: a syntax problem that cannot be repaired
// hides what follows it.
type Stream struct {
	Source *source.Source
	// Documents are the roots in file order; an empty file has none. If there is a syntax problem, they are those
	// before it, or those of the repaired text if Problem.Repair is set.
	Documents []*Node
	// Problems are in file order. Several of kind Syntax are repaired together, or none of them is.
	Problems []Problem
	// Exact reports that all spans are exact. It is false in the rare case that a node's bytes could not be located;
	// then nothing may be edited.
	Exact bool
	// Repaired reports that Documents were read from repaired text; their spans point into the original, and no change
	// may be planned by pointer.
	Repaired bool
	// Values is the number of nodes in all documents.
	Values int

	only  [1]*Node // Documents, as nearly always
	usual bool     // the plain reader found nothing that could be mistaken for something else

	ordinary bool
}

// Root returns the first document's root, or nil.
func (s *Stream) Root() *Node {
	if s == nil || len(s.Documents) == 0 {
		return nil
	}
	return s.Documents[0]
}

// Ordinary reports whether the plain scalars, keys included, are certainly what they look like: ASCII without ":" and
// "#", without "," or ";" at their end, and to PyYAML text, a decimal number, true or false. It may be false of a
// stream of which this is true, and says nothing about what other readers take them for.
func (s *Stream) Ordinary() bool { return s.ordinary }

// For returns the stream for a source with the same text, such as another file. They share their trees.
func (s *Stream) For(src *source.Source) *Stream {
	other := *s
	other.Source = src
	return &other
}

// Parse reads all documents of src. It never fails: what is wrong is in Problems, and it takes bounded time and memory
// for any input.
func Parse(src *source.Source) *Stream {
	s := &Stream{Source: src, Exact: true}
	if len(src.Text) > source.MaxSize || !s.readPlain(src) {
		if p, bad := checkBytes(src); bad {
			s.Problems = []Problem{p}
			return s
		}
		s.readAny(src)
	}
	s.mistaken()
	return s
}

// readAny reads the documents of a text with yaml.v3.
func (s *Stream) readAny(src *source.Source) {
	roots, err := decode(src.Text)
	if count(roots) > MaxValues {
		s.Problems = []Problem{tooLarge()}
		return
	}
	if err != nil {
		s.Problems = diagnose(src, err)
		if repair := s.Repair(); len(repair) > 0 {
			s.readRepaired(repair)
			return
		}
	}
	s.build(src, roots)
}

func tooLarge() Problem {
	return Problem{Kind: TooLarge, Message: fmt.Sprintf("the file contains more than %d values, too many for a job configuration, so it was not read", MaxValues)}
}

// count returns the number of nodes of yaml.v3's documents.
func count(nodes []*yaml.Node) (n int) {
	for _, node := range nodes {
		n += 1 + count(node.Content)
	}
	return n
}

// build turns yaml.v3's nodes into located ones.
func (s *Stream) build(src *source.Source, roots []*yaml.Node) {
	b := &builder{locator: locator{text: src.Text, lines: src.ScannerLines()}, src: src}
	for _, root := range roots {
		if len(root.Content) == 0 {
			continue
		}
		b.problems = nil
		node, err := b.document(root.Content[0])
		if errors.Is(err, errDepth) {
			s.Problems = append(s.Problems, Problem{Kind: TooDeep, Span: b.deep,
				Message: fmt.Sprintf("nested more than %d levels deep, too deep for a configuration file", MaxDepth)})
			continue
		}
		if err != nil {
			s.Exact = false
		}
		s.Values = b.count
		s.Problems = append(s.Problems, b.problems...)
		s.Documents = append(s.Documents, node)
	}
	if len(s.Documents) > 1 {
		span := source.Span{Start: s.Documents[1].Span.Start, End: s.Documents[1].Span.Start}
		if at := separatorBefore(src, span.Start); at >= 0 {
			span = source.Span{Start: at, End: at + 3}
		}
		s.Problems = append(s.Problems, Problem{Kind: MultipleDocuments, Span: span,
			Message: "a second YAML document begins here, but only the first is read: make it a file of its own, or remove the \"---\""})
	}
	plain.SortFunc(s.Problems, func(a, b Problem) int { return a.Span.Start - b.Span.Start })
}

// decode returns every document that yaml.v3 reads before an error, also if there are escaped slashes or a version of
// YAML that it does not know.
func decode(text []byte) (roots []*yaml.Node, err error) {
	if roots, err = readYAML(text); err == nil {
		return roots, nil
	}
	if strings.Contains(err.Error(), incompatible) {
		if other := knownVersion(text); other != nil {
			return decode(other)
		}
	}
	if strings.Contains(err.Error(), "unknown directive name") {
		if other := withoutDirectives(text); other != nil {
			return decode(other)
		}
	}
	if other := withoutSlashes(text); other != nil {
		roots, err = readYAML(other)
		for _, root := range roots {
			restoreSlashes(root)
		}
	}
	return roots, err
}

// readYAML returns every document that yaml.v3 itself reads before an error.
func readYAML(text []byte) (roots []*yaml.Node, err error) {
	defer func() {
		// yaml.v3 is a third party's parser and the input may be hostile: a panic there is a file that cannot be read,
		// not the end of the program.
		if r := recover(); r != nil {
			err = fmt.Errorf("yaml: cannot be read: %v", r)
		}
	}()
	dec := yaml.NewDecoder(bytes.NewReader(Shorten(text)))
	for {
		node := new(yaml.Node)
		switch err := dec.Decode(node); {
		case errors.Is(err, io.EOF):
			return roots, nil
		case err != nil:
			return roots, err
		}
		roots = append(roots, node)
	}
}

// separatorBefore returns the offset of the last "---" line start before offset.
func separatorBefore(src *source.Source, offset int) int {
	for n := src.LineAt(offset); n >= 1; n-- {
		line := src.Line(n)
		if bytes.HasPrefix(src.Slice(line), []byte("---")) {
			return line.Start
		}
	}
	return -1
}
