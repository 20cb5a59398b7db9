package proof

import (
	"slices"

	"github.com/amlfix/amlfix/fixers/text"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
)

// unchecked returns the places, in the new texts, of the values of keys that got a known name: no schema applied to
// them before, but the file was rejected because of the keys. Those in which something was changed are left out.
func (c *comparison) unchecked() (places []finding.Location) {
	for _, f := range c.Files {
		before := f.Before.of(f).stream.Documents
		for i := range c.Fixed {
			if c.Fixed[i].Rule != "schema/unknown-key" || c.Fixed[i].Severity != finding.Error || len(c.Fixed[i].Fix.Changes) != 1 {
				continue
			}
			change := c.Fixed[i].Fix.Changes[0]
			if change.Op != finding.RenameKey || change.File != f.Path || f.From != "" || change.Document >= len(before) {
				continue
			}
			value := before[change.Document].Find(change.Pointer)
			if value == nil || slices.ContainsFunc(f.Edits, func(e text.Edit) bool {
				return value.Span.Start <= e.Span.Start && e.Span.End <= value.Span.End
			}) {
				continue
			}
			at := source.Span{Start: c.moved[f.Path].New(value.Span.Start), End: c.moved[f.Path].New(value.Span.End)}
			places = append(places, finding.Location{Source: c.Fixed[i].Source, Span: at})
		}
	}
	return places
}

// uncovered reports whether a new finding is about a part of such a value, and not about all of it: the fix did not
// cause it.
func uncovered(n finding.Finding, hidden []finding.Location) bool {
	return slices.ContainsFunc(hidden, func(at finding.Location) bool {
		return at.Source.Path == n.Source.Path && at.Span.Start <= n.Span.Start && n.Span.End <= at.Span.End && n.Span != at.Span
	})
}
