// Package finding defines what all parts of amlfix exchange: what is wrong (Finding), how severe it is (Severity),
// where it is (Location), and what would repair it (Fix, Change).
package finding

import (
	"cmp"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// MaxPerFile is the maximum number of findings that a rule reports for one file. Nobody reads more, and a file of 1 MB
// could have 200,000, each with a fix. A file with that many is not repaired either, because a repair might cause
// findings that are not reported.
const MaxPerFile = 5000

// Finding is one fault at one place.
type Finding struct {
	// Rule is the stable ID, "group/name".
	Rule string
	// Severity is the rule's severity, unless the settings override it.
	Severity Severity
	// Location is the place of the faulty bytes, never that of the reason.
	Location
	// Related are further places that make the finding true: the evidence.
	Related []Location
	// Fix repairs the finding; nil when there is none.
	Fix *Fix
	// Suppression says where the finding was accepted; nil if it was not. A suppressed finding does not fail a check
	// and is not repaired.
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
	// Applicability says who may decide to make it.
	Applicability Applicability
	// Changes are symbolic; the bytes are computed for the current text.
	Changes []Change
	// Answers are the possible answers; only a fix with Applicability Choice has any, and it has no Changes: an answer
	// turns it into another fix.
	Answers []Answer
	// Notice is what the user must know before the fix is made, such as a license; usually "".
	Notice string
}

// NewFix returns a fix with changes.
//
//go:noinline
func NewFix(how Applicability, title string, changes ...Change) *Fix {
	return &Fix{Title: title, Applicability: how, Changes: changes}
}

// Ignores reports whether all that the fix does is to add a comment that suppresses a finding. It is false for a nil
// fix.
func (f *Fix) Ignores() bool {
	return f != nil && len(f.Changes) == 1 && f.Changes[0].Op == InsertComment
}

// OfFile reports whether findings of a rule say that a file itself is faulty: that it cannot be read, or does not have
// the form of its kind.
func OfFile(rule string) bool {
	return strings.HasPrefix(rule, "yaml/") || strings.HasPrefix(rule, "schema/")
}

// Compare orders findings by path, position, rule and message; it is a total order for findings that differ in any of
// these.
func Compare(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(a.Source.Path, b.Source.Path),
		cmp.Compare(a.Span.Start, b.Span.Start),
		cmp.Compare(a.Rule, b.Rule),
		cmp.Compare(a.Span.End, b.Span.End),
		cmp.Compare(a.Message, b.Message),
	)
}

// Sort orders findings by Compare and drops duplicates (same rule, place and message), which occur if a rule finds the
// same fault in two ways.
func Sort(list []Finding) []Finding {
	plain.SortFunc(list, Compare)
	return slices.CompactFunc(list, func(a, b Finding) bool { return Compare(a, b) == 0 })
}
