package finding

import "github.com/amlfix/amlfix/schema/source"

// Op is the kind of a Change.
type Op int

// The changes a fix can declare. Each names its place by a pointer, which is still valid after another fix has moved
// the bytes.
const (
	// SetScalar gives the scalar (or null) at Pointer the value Value.
	SetScalar Op = iota + 1
	// RenameKey gives the entry at Pointer the key Key; its value stays.
	RenameKey
	// InsertEntry adds Key: Value to the mapping at Pointer, after the entry After, or after the last entry when After
	// is "".
	InsertEntry
	// RemoveEntry removes the mapping entry or the sequence item at Pointer, with its line and the comment at the end
	// of that line.
	RemoveEntry
	// AppendItem adds the scalar Value to the sequence at Pointer: after the item whose index After gives, or at the
	// end when After is "".
	AppendItem
	// SpliceText replaces Old by Value at byte Offset. It is for text that does not parse, which no pointer can
	// address; its effect on the values cannot be declared, so the proof checks that the file parses and the finding is
	// gone.
	SpliceText
	// NewFile creates File, which must not exist, with the text Value.
	NewFile
	// CopyFile creates File, which must not exist, as a copy of the file From with Changes made to the copy; those name
	// File too.
	CopyFile
	// EditComment replaces the comment Old, whose "#" is at byte Offset, by the comment Value. With an empty Value, it
	// is removed with the spaces before it, or with its line if nothing else is there. No value changes.
	EditComment
	// InsertComment puts the comment Value on a line of its own above the line that holds byte Offset, indented like
	// it. No value changes.
	InsertComment
)

// String returns the operation's name as it appears in output.
func (o Op) String() string {
	names := [...]string{"", "set", "rename", "insert", "remove", "append", "splice", "new-file", "copy-file", "edit-comment", "insert-comment"}
	if o < 1 || int(o) >= len(names) {
		return "unknown"
	}
	return names[o]
}

// OfComment reports whether the operation changes comments only.
func (o Op) OfComment() bool { return o == EditComment || o == InsertComment }

// Change is one declared change of one file's values. Op determines which fields are used; the others are zero.
type Change struct {
	Op Op
	// File is the path of the changed file, as in source.Source.Path.
	File string
	// Document is the index of the YAML document in its stream, usually 0.
	Document int
	// Pointer leads to the node: a JSON pointer (RFC 6901), "" for the root.
	Pointer string
	// Key is the new key, for RenameKey and InsertEntry.
	Key string
	// After is the key of the sibling that a new entry follows, or the index of the item that a new item follows.
	After string
	// First puts a new entry before all others, in block style.
	First bool
	// Value is the new scalar, or the new text for SpliceText and NewFile, or the new comment with its "#".
	Value Scalar
	// Offset and Old are the place and the bytes replaced, for SpliceText and the changes of comments.
	Offset int
	Old    string
	// From is the file copied, and Changes what differs in the copy, for CopyFile.
	From    string
	Changes []Change
}

// Splice returns the change that writes text in place of the bytes at a span of a source.
//
//go:noinline
func Splice(src *source.Source, at source.Span, text string) Change {
	return Change{Op: SpliceText, File: src.Path, Offset: at.Start, Old: string(src.Slice(at)), Value: Text(text)}
}

// Insert returns the change that writes text at an offset of a source.
func Insert(src *source.Source, offset int, text string) Change {
	return Splice(src, source.Span{Start: offset, End: offset}, text)
}

// Scalar is a value to be written. Text is the value that a reader gets; Kind is its type.
type Scalar struct {
	Kind ScalarKind
	Text string
}

// ScalarKind is the type of a written scalar.
type ScalarKind int

// The scalar types. A string is quoted like its surroundings; booleans, whole numbers in decimal digits, and null are
// never quoted.
const (
	String ScalarKind = iota
	Bool
	Null
	Int
)

// Text returns the string scalar s.
func Text(s string) Scalar { return Scalar{Kind: String, Text: s} }

// True is the boolean scalar true.
var True = Scalar{Kind: Bool, Text: "true"}

// False is the boolean scalar false.
var False = Scalar{Kind: Bool, Text: "false"}
