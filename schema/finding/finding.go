// Package finding is the vocabulary everyone in amlfix speaks: what is wrong
// (Finding), how bad (Severity), where (Location), and what would repair it (Fix,
// Change).
package finding

import (
	"cmp"
	"slices"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// MaxPerFile is how many findings a rule has for one file. Nobody reads more, and
// a file of 1 MB could have 200,000, each with a fix. A file with so many is not
// repaired either: whether a repair causes no other finding could not be known.
const MaxPerFile = 5000

// Finding is one fault in one place.
type Finding struct {
	// Rule is the stable id, "group/name".
	Rule string
	// Severity is the rule's, unless configuration overrides it.
	Severity Severity
	// Location is where the faulty bytes are, never where the reason is.
	Location
	// Related names further places that make the finding true: the evidence.
	Related []Location
	// Fix repairs the finding; nil when there is none.
	Fix *Fix
	// Suppression says who has decided to live with the finding; nil when nobody
	// has. A suppressed finding fails nothing and is not repaired.
	Suppression *Suppression
}

// Location is a span of a source with a sentence about it.
type Location struct {
	Source  *source.Source
	Span    source.Span
	Message string
}

// Fix is a set of changes that belong together: all are made or none.
type Fix struct {
	// Title says in the imperative what the fix does: "set nvidiaDocker to true".
	Title string
	// Applicability says who may decide to apply it.
	Applicability Applicability
	// Changes are symbolic; bytes are worked out against the text at hand.
	Changes []Change
	// Answers are the ways to decide; only a fix with Applicability Choice has
	// any, and it has no Changes: an answer makes it another fix.
	Answers []Answer
	// Notice is what must be known before the fix is made, such as a licence;
	// "" mostly.
	Notice string
}

// Ignores reports whether the fix adds the comment that has a finding ignored, and
// nothing else. A fix that is nil does not.
func (f *Fix) Ignores() bool {
	return f != nil && len(f.Changes) == 1 && f.Changes[0].Op == InsertComment
}

// Compare orders findings by path, position, rule and message; it is a total
// order for findings that differ in any of these.
func Compare(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(a.Source.Path, b.Source.Path),
		cmp.Compare(a.Span.Start, b.Span.Start),
		cmp.Compare(a.Rule, b.Rule),
		cmp.Compare(a.Span.End, b.Span.End),
		cmp.Compare(a.Message, b.Message),
	)
}

// Sort orders findings by Compare and drops exact repeats (same rule, place and
// message), which arise when two paths of a rule reach the same fault.
func Sort(list []Finding) []Finding {
	plain.SortFunc(list, Compare)
	return slices.CompactFunc(list, func(a, b Finding) bool { return Compare(a, b) == 0 })
}
