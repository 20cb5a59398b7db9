// Package report turns findings into output for people and for programs. It
// holds no source text: what it needs of a file is taken when a finding is
// resolved, so that a project can be dropped as soon as it has been checked.
package report

import (
	"cmp"
	"hash/maphash"
	"slices"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/settings"
)

// Place is a position in a file.
type Place struct {
	// Path is slash-separated and relative to the working directory.
	Path string
	// Line and Column are 1-based; columns count Unicode code points.
	Line, Column int
	// EndLine and EndColumn are those of the first character behind it.
	EndLine, EndColumn int
	// Snippet is the line, for people; empty when there is none to show.
	Snippet ui.Snippet
}

// Note is a related place with a sentence about it.
type Note struct {
	Place
	Message string
}

// Finding is a finding with its places resolved.
type Finding struct {
	Place
	Rule     string
	Severity finding.Severity
	Message  string
	Related  []Note
	Fix      *Fix
	// Suppression says who has decided to live with the finding; nil when nobody
	// has. Text leaves such a finding out, and summaries do not count it.
	Suppression *finding.Suppression
	// Settings are those in force where the finding is; nil for the defaults.
	Settings *settings.Settings
	// Project is the folder of its project as it is shown, "." for the working
	// directory.
	Project string
	// Fingerprint tells the finding from all others of a report, and stays when
	// lines above it come and go; "" when none was asked for.
	Fingerprint string
}

// Fix is what would repair the fault of a finding. Like the types below it is
// written to JSON reports as it is, see jsonFinding.
type Fix struct {
	Title         string                `json:"title"`
	Applicability finding.Applicability `json:"applicability"`
	// Answers are the ways to decide a choice; Notice is what must be known first.
	Answers []Answer `json:"answers,omitempty"`
	Notice  string   `json:"notice,omitempty"`
	// Refused says why an allowed fix was not made; nil when it was not tried.
	Refused *Refusal `json:"refused,omitempty"`
	// ID names the fix: fixes that make the same changes in the same places have the
	// same one.
	ID string `json:"id"`
	// Edits are the replacements, in the order of the files and of their places, as
	// small as they can be; nil when they were not asked for, or for the reason Kept.
	Edits []Edit `json:"edits"`
	Kept  string `json:"editsReason,omitempty"`
}

// Region is a part of a file in lines and columns, as Place counts them.
type Region struct {
	Line      int `json:"line"`
	Column    int `json:"column"`
	EndLine   int `json:"endLine"`
	EndColumn int `json:"endColumn"`
}

// Edit replaces a region of a file by a text. Those of one file are in order and do
// not overlap.
type Edit struct {
	Path string `json:"path"`
	// Start and End are the region in bytes from the beginning of the file, without
	// the byte at End.
	Start int `json:"start"`
	End   int `json:"end"`
	Region
	Text string `json:"text"`
	// Creates tells that there is no file yet, and that Text is all of it.
	Creates bool `json:"newFile,omitempty"`
}

// Answer is one way to decide a choice.
type Answer struct {
	Flag  string `json:"flag"` // as given on the command line: "--choose cuda=9.0"
	Title string `json:"title"`
}

// Refusal is why a fix was not made.
type Refusal struct {
	// Clause is the clause of the proof that did not hold; "" when the change
	// could not be made at all.
	Clause string `json:"clause,omitempty"`
	Reason string `json:"reason"`
}

// Change is one declared change of a repair that was made.
type Change struct {
	Op      string `json:"op"`
	Path    string `json:"path"`
	Pointer string `json:"pointer"`
}

// Repair is a change that was made, or that was not and why.
type Repair struct {
	Path  string
	Line  int
	Rule  string
	Title string
	// Reason tells why a repair was refused; "" for one that was made.
	Reason string
	// Clause is that of the refused proof, if there was one.
	Clause string
	// Notice is what must be known about a repair that was made; mostly "".
	Notice string
	// Changes are what a repair that was made declared, and what was proved: that
	// the files differ in nothing else.
	Changes []Change
	// Uncovered tells that the finding came to light only when others were repaired.
	Uncovered bool
	// Ignored tells that the change is a comment that asks to ignore the finding.
	Ignored bool
}

// Word returns what has become of the finding: "repaired", "not ignored".
func (r Repair) Word() string {
	switch {
	case r.Ignored && r.Reason == "":
		return "now ignored"
	case r.Ignored:
		return "not ignored"
	case r.Reason == "":
		return "repaired"
	}
	return "not repaired"
}

// Summary counts what was checked and found.
type Summary struct {
	Projects, Files         int
	Errors, Warnings, Infos int
	// Fixable findings have a safe fix, Unsafe ones an unsafe one.
	Fixable, Unsafe int
	// Repaired and Refused count repairs, Ignored comments that were added.
	// Repaired ones were among the findings at first; Uncovered ones came to light then.
	Repaired, Uncovered, Refused, Ignored int
	// Problems are sentences about what could not be read, checked or written.
	Problems []string
	// Exit is the exit status that the run ends with.
	Exit int
}

// Count adds a finding to the summary, unless it is suppressed.
func (s *Summary) Count(f Finding) {
	if f.Suppression != nil {
		return
	}
	switch f.Severity {
	case finding.Error:
		s.Errors++
	case finding.Warning:
		s.Warnings++
	case finding.Info:
		s.Infos++
	}
	switch {
	case f.Fix == nil:
	case f.Fix.Applicability == finding.Safe:
		s.Fixable++
	case f.Fix.Applicability == finding.Unsafe:
		s.Unsafe++
	}
}

// Writer writes one report. Findings come in order; errors of the underlying
// writer are its owner's concern.
type Writer interface {
	Finding(Finding)
	Repair(Repair)
	// Close ends the report.
	Close(Summary)
}

// compare orders findings by path, line, column and rule, then by the rest that
// can be seen.
func compare(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(a.Path, b.Path),
		cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.Column, b.Column),
		cmp.Compare(a.Rule, b.Rule),
		cmp.Compare(a.EndLine, b.EndLine),
		cmp.Compare(a.EndColumn, b.EndColumn),
		cmp.Compare(a.Message, b.Message),
	)
}

// Sorter brings the findings of projects that come in order of their folders
// into order of paths: a project inside another one has files between those of
// the outer one. It keeps what may still have to wait, which is little.
type Sorter struct {
	waiting []Finding
	gone    map[uint64]struct{} // hashes of the findings that do not wait any more
}

var seed = maphash.MakeSeed()

// hash returns a number of all that compare looks at.
func hash(f Finding) uint64 {
	return maphash.Comparable(seed, struct {
		path, rule, message      string
		line, column, last, upTo int
	}{f.Path, f.Rule, f.Message, f.Line, f.Column, f.EndLine, f.EndColumn})
}

// Add takes the findings of one project. A finding that is there already is
// dropped: two projects may share a file.
func (s *Sorter) Add(list []Finding) {
	for _, f := range list {
		if _, gone := s.gone[hash(f)]; !gone {
			s.waiting = append(s.waiting, f)
		}
	}
	plain.SortFunc(s.waiting, compare)
	s.waiting = slices.CompactFunc(s.waiting, func(a, b Finding) bool { return compare(a, b) == 0 })
}

// Before returns the findings with paths before the given one and forgets them.
// No finding to come may be before it.
func (s *Sorter) Before(path string) []Finding {
	n, _ := slices.BinarySearchFunc(s.waiting, path, func(f Finding, path string) int { return cmp.Compare(f.Path, path) })
	ready := slices.Clone(s.waiting[:n])
	s.waiting = slices.Delete(s.waiting, 0, n)
	for _, f := range ready {
		if s.gone == nil {
			s.gone = map[uint64]struct{}{}
		}
		s.gone[hash(f)] = struct{}{}
	}
	return ready
}

// Rest returns all findings that are left.
func (s *Sorter) Rest() []Finding {
	rest := s.waiting
	s.waiting = nil
	return rest
}
