// Package edit turns declared changes into edits of bytes. It never writes a whole document: it replaces only the bytes
// of what changes, so that comments, order, quotes, indentation and line ends survive. It refuses what it cannot do
// exactly. It does not judge the outcome; package proof does.
package edit

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/amlfix/amlfix/fixers/text"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
)

// RefusedError reports that a change cannot be made exactly. It is about the first such change of a call; others may be
// refused too. A refused change is not wrong: a person may make it by hand.
type RefusedError struct {
	Change finding.Change
	// Reason says why in plain English, such as "the value is shared through an alias".
	Reason string
}

// Error returns the file and the reason.
func (e *RefusedError) Error() string { return e.Change.File + ": " + e.Reason }

// Editor computes the edits of one text. It caches what it looks up, so that each of many fixes of one text costs
// little. It must not be used concurrently.
//
// The stream is never changed, and calls do not see each other's changes: all edits refer to the text that the Editor
// was made with. Once all edits of a call are made (text.Apply), only the values that the call changes should differ,
// and all other bytes should stay; package proof checks the result for this. It is not guaranteed that the edits of two
// calls can be combined, or that the result satisfies the rules.
type Editor struct {
	layout
	stream   *document.Stream
	slots    map[*document.Node]map[string]slot // of long mappings
	aliases  map[*document.Node]int             // nil until somebody asks
	json     map[*document.Node]bool
	parts    map[*document.Node][]part
	brackets map[*document.Node]*brackets
}

// New returns an Editor for the text of stream.
func New(stream *document.Stream) *Editor {
	src := stream.Source
	return &Editor{layout: layout{src: src, text: src.Text, loneCR: bytes.IndexByte(src.Text, '\n') < 0}, stream: stream, json: map[*document.Node]bool{},
		slots: map[*document.Node]map[string]slot{}, parts: map[*document.Node][]part{}, brackets: map[*document.Node]*brackets{}}
}

// Edits returns the edits that make all changes, sorted and without overlap. Pointers, keys and offsets refer to the
// text of the stream, not to one in which earlier changes have been made. Entries inserted at one place are in the
// order of their changes, and After may name an entry inserted by an earlier change. The error is a *RefusedError; then
// no edit is returned.
func (ed *Editor) Edits(changes []finding.Change) ([]text.Edit, error) {
	e := &editor{Editor: ed, changes: changes, work: map[*document.Node]*work{}}
	e.mixed = slices.ContainsFunc(changes, func(c finding.Change) bool { return c.Op != finding.SpliceText })
	for i, c := range changes {
		if err := e.change(i, c); err != nil {
			return nil, err
		}
	}
	for _, w := range e.order {
		if err := e.collection(w); err != nil {
			return nil, err
		}
	}
	return e.finish()
}

// editor gathers the edits of one fix.
type editor struct {
	*Editor
	changes []finding.Change
	mixed   bool // not all changes replace raw text
	planned []planned
	order   []*work
	work    map[*document.Node]*work
}

// planned is an edit with the change it belongs to. Of insertions at one place the deeper one, which has the larger
// rank, comes first.
type planned struct {
	text.Edit
	change, rank int
}

func (e *editor) add(change, start, end int, new string) {
	p := planned{change: change}
	p.Span.Start, p.Span.End, p.New = start, end, new
	e.planned = append(e.planned, p)
}

//go:noinline
func (e *editor) refuse(change int, format string, args ...any) error {
	return &RefusedError{Change: e.changes[change], Reason: fmt.Sprintf(format, args...)}
}

func (e *editor) change(i int, c finding.Change) error {
	if c.File != e.stream.Source.Path {
		return e.refuse(i, "the change is meant for a different file, not %s", e.stream.Source.Path)
	}
	switch c.Op {
	case finding.SpliceText:
		return e.splice(i, c)
	case finding.NewFile:
		if len(e.text) > 0 {
			return e.refuse(i, "the file already exists")
		}
		e.add(i, 0, 0, c.Value.Text)
		return nil
	default: // the others need a file that parses
	}
	if err := e.usable(i, c); err != nil {
		return err
	}
	switch c.Op {
	case finding.EditComment:
		return e.editComment(i, c)
	case finding.InsertComment:
		return e.insertComment(i, c)
	case finding.SetScalar:
		return e.setScalar(i, c)
	case finding.RenameKey:
		return e.renameKey(i, c)
	case finding.InsertEntry:
		return e.insertEntry(i, c)
	case finding.RemoveEntry:
		return e.removeEntry(i, c)
	case finding.AppendItem:
		return e.appendItem(i, c)
	default:
		return e.refuse(i, "there is no change of kind %d", c.Op)
	}
}

// splice replaces bytes of a text that need not parse.
func (e *editor) splice(i int, c finding.Change) error {
	end := c.Offset + len(c.Old)
	if c.Offset < 0 || end > len(e.text) || string(e.text[c.Offset:end]) != c.Old {
		return e.refuse(i, "the text to be replaced, %q, is no longer at byte %d", c.Old, c.Offset)
	}
	if e.mixed {
		return e.refuse(i, "a replacement of raw text cannot be joined with changes of values: their sum could not be proved")
	}
	e.add(i, c.Offset, end, c.Value.Text)
	return nil
}

// finish sorts the edits and refuses those that overlap.
func (e *editor) finish() ([]text.Edit, error) {
	plain.SortFunc(e.planned, func(a, b planned) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Span.End, b.Span.End), cmp.Compare(b.rank, a.rank))
	})
	edits := make([]text.Edit, 0, len(e.planned))
	end := 0
	for _, p := range e.planned {
		if p.Span.Start < end {
			return nil, e.refuse(p.change, "two changes of one fix affect the same bytes")
		}
		end = p.Span.End
		edits = append(edits, p.Edit)
	}
	return edits, nil
}
