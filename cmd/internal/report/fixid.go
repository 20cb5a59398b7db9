package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
)

// FixID returns a value that identifies the fix of a finding by what it changes, so that findings repaired by the same
// change share it. A fix that leaves a decision open has no changes yet and is identified by its finding. Secrets are
// not included, as in Fingerprint.
func (r *Resolver) FixID(f finding.Finding) string {
	if len(f.Fix.Changes) == 0 {
		return r.newFixID(f)
	}
	// Thousands of findings may share thousands of changes.
	key := sharedChanges{f.Source, &f.Fix.Changes[0], len(f.Fix.Changes)}
	id, ok := r.ids[key]
	if !ok {
		if id = r.newFixID(f); r.ids == nil {
			r.ids = map[sharedChanges]string{}
		}
		r.ids[key] = id
	}
	return id
}

// beginning is what is the same of fixes with the same ID, as far as it can be compared without effort.
type beginning struct {
	op           finding.Op
	file         string // its base name
	pointer, key string
	offset       int
}

func beginningOf(f finding.Finding) beginning {
	if len(f.Fix.Changes) == 0 {
		return beginning{file: filepath.Base(f.Source.Path)}
	}
	first := &f.Fix.Changes[0]
	return beginning{first.Op, filepath.Base(first.File), first.Pointer, first.Key, first.Offset}
}

// sharedChanges caches the changes of a fix for as long as the list is the same.
type sharedChanges struct {
	src   *source.Source
	first *finding.Change
	count int
}

func (r *Resolver) newFixID(f finding.Finding) string {
	b := r.changesID(nil, f.Source, "", f.Fix.Changes)
	if len(f.Fix.Changes) == 0 {
		b = fmt.Appendf(b, "%q %q %q", f.Rule, r.shownFrom(f.Source.Path), r.lineOf(f))
		for _, a := range f.Fix.Answers {
			b = quoted(b, a.Argument())
		}
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:5])
}

// changesID appends what identifies changes. For a change without a pointer, only the offset identifies its position.
// What is removed is included: if an item is removed, the next one moves to its position, and must not have the same
// ID. from is the file from which the changed one is copied, if any.
func (r *Resolver) changesID(b []byte, src *source.Source, from string, list []finding.Change) []byte {
	number := func(n int) { b = strconv.AppendInt(append(b, ' '), int64(n), 10) }
	for _, c := range list {
		b = quoted(append(b, c.Op.String()...), r.shownFrom(c.File))
		number(c.Document)
		b = quoted(quoted(quoted(b, c.Pointer), c.Key), c.After)
		number(int(c.Value.Kind))
		b = quoted(b, r.hide(src, c.Value.Text))
		number(c.Offset)
		b = quoted(b, r.hide(src, c.Old))
		if c.From != "" {
			b = quoted(b, r.shownFrom(c.From))
		}
		if c.Op == finding.RemoveEntry && cmp.Or(from, c.File) == src.Path {
			b = quoted(b, r.removed(src, c))
		}
		b = append(r.changesID(b, src, c.From, c.Changes), '\n')
	}
	return b
}

// quoted appends a space and a text in quotes.
func quoted(b []byte, text string) []byte { return strconv.AppendQuote(append(b, ' '), text) }

// removed returns the text that a change removes from a finding's own file.
func (r *Resolver) removed(src *source.Source, c finding.Change) string {
	if r.parsed == nil || r.parsed.Source != src {
		r.parsed = document.Parse(src)
	}
	if c.Document >= len(r.parsed.Documents) {
		return ""
	}
	node := r.parsed.Documents[c.Document].Find(c.Pointer)
	if node == nil {
		return ""
	}
	return r.hide(src, string(src.Slice(node.Span)))
}

// shownFrom returns a path relative to the top folder.
func (r *Resolver) shownFrom(path string) string {
	return Rel(cmp.Or(r.Top, r.Dir), path)
}
