// Package proof checks that edits do what their changes declare and nothing else. It shares no code with the editor, so
// that no single mistake can both make a wrong edit and approve it. It refuses what it does not understand.
//
// The clauses: (a) each file parses; (b) the values, and their order, differ exactly by the declared changes; (c)
// bytes, comments, quotes and line ends outside them are untouched; (d) the finding is gone and the fix has caused no
// other; (e) planning again would not make the same change again.
package proof

import (
	"bytes"
	"fmt"

	"github.com/amlfix/amlfix/fixers/text"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
)

// The clauses of the proof, as Error.Clause and messages name them.
const (
	Parses   = "a"
	Values   = "b"
	Bytes    = "c"
	Repaired = "d"
	Settled  = "e"
)

// Error says which clause of the proof does not hold, and why. Clauses are checked in order, so those before it hold,
// and nothing is known about those after it.
type Error struct {
	Clause string
	// Path is the file in which it does not hold.
	Path string
	// Reason says why in plain English.
	Reason string
	// Findings are the indexes of the findings whose fixes are at fault, in order, among those that the fixes were for.
	// It is empty if they cannot be determined.
	Findings []int
}

// Error returns the file, the clause and the reason.
func (e *Error) Error() string {
	return fmt.Sprintf("%s: proof failed at clause (%s): %s", e.Path, e.Clause, e.Reason)
}

// File is one changed file: its text before and after, and what was declared.
//
// Its only result of the editor is Edits, which must turn Old into New byte for byte; Check trusts nothing else about
// it. Check is about one file: only the rules know what the changes of two files mean together (see Round). It does not
// check that New is an improvement.
type File struct {
	Path string
	// From is the path of the file that this one becomes a copy of, or "" if it is not a copy. If set, Old is that
	// file's text.
	From string
	// Old is nil for a file that is created from nothing. Neither text is changed.
	Old, New []byte
	// Before is what other proofs found out about Old. If it is nil or about another text, nothing is known.
	Before *Before
	// After is New as document.Parse reads it, for a caller that needs it too. If it is nil or about another text, New
	// is parsed.
	After *document.Stream
	// Edits turn Old into New.
	Edits []text.Edit
	// Changes are all changes declared for this file, in terms of Old.
	Changes []finding.Change
}

// Check returns a *Error unless clauses (a) to (c) hold for the file.
func Check(f File) error {
	c := &checker{File: f}
	c.Before = f.Before.of(f)
	for _, step := range []func() error{c.parses, c.values, c.bytes} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// checker holds what the clauses have in common.
type checker struct {
	File
	old, new *document.Stream
	raw      bool          // the changes replace raw text, so values cannot be foretold
	touched  []touched     // by change; filled in by values
	newSpans []source.Span // of the comments; see oldComments
	part     *part         // what spliced has read
}

//go:noinline
func (c *checker) fail(clause, format string, args ...any) error {
	return &Error{Clause: clause, Path: c.Path, Reason: fmt.Sprintf(format, args...)}
}

// parses is clause (a): the new text has no problem that the old one lacks.
func (c *checker) parses() error {
	c.old = c.Before.stream
	if c.new = c.After; c.new == nil || c.new.Source.Path != c.Path || !bytes.Equal(c.new.Source.Text, c.New) {
		c.new = document.Parse(source.New(c.Path, c.New))
	}
	known := map[document.ProblemKind]int{}
	for _, p := range c.old.Problems {
		known[p.Kind]++
	}
	for _, change := range c.Changes {
		if change.Op == finding.SpliceText || change.Op == finding.NewFile {
			c.raw = true
		}
	}
	for _, p := range c.new.Problems {
		switch p.Kind {
		case document.DuplicateKey, document.MultipleDocuments:
			// A text that did not parse may have hidden these.
			if known[p.Kind]--; known[p.Kind] < 0 && (!c.raw || readable(c.old)) {
				return c.fail(Parses, "the repaired file would have a new problem: %s", p.Message)
			}
		default:
			return c.fail(Parses, "the repaired file could not be read: %s", p.Message)
		}
	}
	if !c.new.Exact {
		return c.fail(Parses, "the repaired file would have a form that amlfix does not understand")
	}
	if !c.raw && (!readable(c.old) || !c.old.Exact) {
		return c.fail(Parses, "the file could not be read before the repair, so its values cannot be compared")
	}
	return nil
}

// readable reports whether a text parses without a repair.
func readable(s *document.Stream) bool { return s.Whole() && !s.Repaired }

// oldLine returns the number, from 1, of the old text's line that holds offset.
func (c *checker) oldLine(offset int) int { return c.old.Source.LineAt(offset) }
