package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
)

// FixID returns what the fix of a finding is known by: what it changes, so that
// findings that one change repairs share it. A fix that leaves a decision has no
// changes yet; it is known by its finding. Secrets have no part in it, as in
// Fingerprint.
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

// sharedChanges are the changes of a fix, as long as it is the same list.
type sharedChanges struct {
	src   *source.Source
	first *finding.Change
	count int
}

func (r *Resolver) newFixID(f finding.Finding) string {
	var b strings.Builder
	r.changesID(&b, f.Source, "", f.Fix.Changes)
	if len(f.Fix.Changes) == 0 {
		line := f.Source.Line(f.Source.LineAt(f.Span.Start))
		fmt.Fprintf(&b, "%q %q %q", f.Rule, r.shownFrom(f.Source.Path), strings.TrimSpace(r.masked(f.Source, line)))
		for _, a := range f.Fix.Answers {
			fmt.Fprintf(&b, " %q", a.Argument())
		}
	}
	sum := sha256.Sum256([]byte(b.String()))
	return hex.EncodeToString(sum[:5])
}

// changesID writes what tells changes from others. The offset of a change without
// a pointer is all there is of its place. What is removed is part of it: when an item
// goes, the next one comes to its place, and must not have the same id. from is the
// file that the changed one is a copy of, if it is.
func (r *Resolver) changesID(b *strings.Builder, src *source.Source, from string, list []finding.Change) {
	for _, c := range list {
		fmt.Fprintf(b, "%s %q %d %q %q %q %d %q %d %q", c.Op, r.shownFrom(c.File), c.Document, c.Pointer, c.Key, c.After,
			c.Value.Kind, r.hide(src, c.Value.Text), c.Offset, r.hide(src, c.Old))
		if c.From != "" {
			fmt.Fprintf(b, " %q", r.shownFrom(c.From))
		}
		if c.Op == finding.RemoveEntry && cmp.Or(from, c.File) == src.Path {
			fmt.Fprintf(b, " %q", r.removed(src, c))
		}
		r.changesID(b, src, c.From, c.Changes)
		b.WriteByte('\n')
	}
}

// removed returns the text that a change of a finding's own file removes.
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

// shownFrom returns a path from the top.
func (r *Resolver) shownFrom(path string) string {
	if r.Top != "" {
		return Rel(r.Top, path)
	}
	return Rel(r.Dir, path)
}
