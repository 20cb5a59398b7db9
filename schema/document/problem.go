package document

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/amlfix/amlfix/schema/source"
)

// ProblemKind is the kind of a Problem. All except DuplicateKey and MultipleDocuments prevent a document of the file,
// or all that follow, from being read as written.
type ProblemKind int

// The kinds of problems a file's text can have.
const (
	Syntax            ProblemKind = iota + 1 // no YAML reader accepts it
	Encoding                                 // not UTF-8, or holds NUL bytes
	TooLarge                                 // beyond source.MaxSize or MaxValues
	TooDeep                                  // nested beyond MaxDepth
	DuplicateKey                             // one mapping has a key twice
	MultipleDocuments                        // more than one document
)

// Cause is what makes a text unreadable, as far as can be determined: the true cause may be another.
type Cause int

// The causes that callers tell apart.
const (
	OtherCause     Cause = iota // none of the following, or not known
	GluedKey                    // keys without a space after their colon
	TabIndentation              // tabs as indentation, if the keys after them belong where spaces put them
	LostMark                    // a colon after a key or a comma after a value, if the keys next to it belong there
	LostPipColon                // the colon of "- pip" above its list
	LostDash                    // a dash before a word, if that is an item of the list next to it
)

// Problem is one fault of a file's text, whatever the text means.
//
// Span lies within the text, and may be empty: at the end of a line when something is missing there. The splices of a
// Repair are in order and do not overlap, and their Old texts are those of Source. With all of them made, and those of
// the file's other problems, the text parses; that it then says what its author meant is likely, not certain.
type Problem struct {
	Kind ProblemKind
	// Cause is the cause of a Syntax problem, if it was determined.
	Cause   Cause
	Span    source.Span
	Message string
	// First is the key's first occurrence, for DuplicateKey.
	First source.Span
	// Same is set, for DuplicateKey, if both values are written alike. Differ is set if those of some key of the
	// mapping are not: then a part of it may have lost its own key.
	Same, Differ bool
	// Pasted is set, for DuplicateKey, if a second file seems to begin with the key.
	Pasted bool
	// Again is set, for DuplicateKey, if so many keys are repeated that they belong to another mapping, whose own key
	// is missing: what the text means is not known. It is the only problem of its mapping.
	Again bool
	// Repair repairs the problem if there is only one way to do so; it is nil otherwise. It is useless without those of
	// the other problems: see Stream.Repair.
	Repair []Splice
}

// Whole reports whether no problem prevents a document of the text from being read as written.
func (s *Stream) Whole() bool {
	_, ok := s.Prevented()
	return !ok
}

// Prevented returns the first problem that prevents a document of the text from being read as written, if any.
func (s *Stream) Prevented() (Problem, bool) {
	i := slices.IndexFunc(s.Problems, func(p Problem) bool {
		return p.Kind != DuplicateKey && p.Kind != MultipleDocuments || p.Again
	})
	if i < 0 {
		return Problem{}, false
	}
	return s.Problems[i], true
}

// Splice replaces the bytes Old at Offset by New. Offset is a byte offset into Source.Text; an empty Old inserts.
type Splice struct {
	Offset   int
	Old, New string
}

// compare orders splices by their places; what is inserted comes before what is replaced there.
func (s Splice) compare(other Splice) int {
	return cmp.Or(s.Offset-other.Offset, len(s.Old)-len(other.Old))
}

// span returns the place of the bytes that are replaced.
func (s Splice) span() source.Span { return source.Span{Start: s.Offset, End: s.Offset + len(s.Old)} }

// checkBytes finds problems that must be found before a YAML parser sees the text.
func checkBytes(src *source.Source) (Problem, bool) {
	text := src.Text
	switch {
	case len(text) > source.MaxSize:
		return Problem{Kind: TooLarge, Message: fmt.Sprintf(
			"the file is larger than %d KiB, too large for a job configuration, so it was not read", source.MaxSize>>10)}, true
	case bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")):
		return Problem{Kind: Encoding, Span: source.Span{Start: 0, End: 2},
			Message: "the file is UTF-16, and only UTF-8 is read: save it as UTF-8"}, true
	}
	if i := bytes.IndexByte(text, 0); i >= 0 {
		return Problem{Kind: Encoding, Span: source.Span{Start: i, End: i + 1},
			Message: "this is a NUL byte, so this is not a text file: restore it from a backup or write it again"}, true
	}
	if utf8.Valid(text) {
		return Problem{}, false
	}
	i := 0
	for i < len(text) {
		r, w := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && w == 1 {
			break
		}
		i += w
	}
	return Problem{Kind: Encoding, Span: source.Span{Start: i, End: i + 1},
		Message: fmt.Sprintf("byte 0x%02X is not UTF-8, which Azure ML reads: save the file as UTF-8", text[i])}, true
}
