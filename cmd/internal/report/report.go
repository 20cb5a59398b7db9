// Package report formats findings for people and for programs. It keeps no source text: what it needs from a file is
// copied when a finding is resolved, so that a project can be dropped as soon as it has been checked.
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
	Region
	// Snippet is the line, for people; empty if there is none to show.
	Snippet ui.Snippet
}

// Note is a related position with a sentence about it.
type Note struct {
	Place
	Message string
}

// Finding is a finding with its positions resolved.
type Finding struct {
	Place
	Rule     string
	Severity finding.Severity
	Message  string
	Related  []Note
	Fix      *Fix
	// Suppression says where the finding was accepted; nil if it was not. Text omits such a finding, and summaries do
	// not count it.
	Suppression *finding.Suppression
	// Settings are the settings that apply to the finding; nil for the defaults.
	Settings *settings.Settings
	// Project is the folder of its project as shown to the user, "." for the working directory.
	Project string
	// Fingerprint identifies the finding among all others of a report, and stays the same when lines above it are added
	// or removed; "" if not requested.
	Fingerprint string
}

// Fix is what would repair a finding. Like the types below, it is written to JSON reports unchanged; see jsonFinding.
type Fix struct {
	Title         string                `json:"title"`
	Applicability finding.Applicability `json:"applicability"`
	// Answers are the ways to make a decision; Notice is what the user must know first.
	Answers []Answer `json:"answers,omitempty"`
	Notice  string   `json:"notice,omitempty"`
	// Refused says why an allowed fix was not made; nil if it was not tried.
	Refused *Refusal `json:"refused,omitempty"`
	// ID identifies the fix: fixes that make the same changes in the same positions share it.
	ID string `json:"id"`
	// Edits are the replacements, in the order of files and positions, as small as possible; nil if they were not
	// requested, or for the reason Kept.
	Edits []Edit `json:"edits"`
	Kept  string `json:"editsReason,omitempty"`
}

// Region is a part of a file. Lines and columns are 1-based; columns count Unicode code points. The end is the first
// character after it.
type Region struct {
	Line      int `json:"line"`
	Column    int `json:"column"`
	EndLine   int `json:"endLine"`
	EndColumn int `json:"endColumn"`
}

// Edit replaces a region of a file with a text. The edits of one file are in order and do not overlap.
type Edit struct {
	Path string `json:"path"`
	// Start and End are the region as byte offsets from the beginning of the file; End is exclusive.
	Start int `json:"start"`
	End   int `json:"end"`
	Region
	Text string `json:"text"`
	// Creates means that the file does not exist yet, and that Text is its content.
	Creates bool `json:"newFile,omitempty"`
}

// Answer is one way to make a decision.
type Answer struct {
	Flag  string `json:"flag"` // as given on the command line: "--choose cuda=9.0"
	Title string `json:"title"`
}

// Refusal is why a fix was not made.
type Refusal struct {
	// Clause is the clause of the proof that did not hold; "" if the change could not be made at all.
	Clause string `json:"clause,omitempty"`
	Reason string `json:"reason"`
}

// Change is a declared change of a repair that was made.
type Change struct {
	Op      string `json:"op"`
	Path    string `json:"path"`
	Pointer string `json:"pointer"`
}

// Repair is a repair that was made, or one that was not and the reason.
type Repair struct {
	Path  string `json:"path"`
	Line  int    `json:"line"`
	Rule  string `json:"rule"`
	Title string `json:"title"`
	// Clause is the clause of the proof that failed, if any.
	Clause string `json:"clause,omitempty"`
	// Reason says why a repair was refused; "" for one that was made.
	Reason string `json:"reason,omitempty"`
	// Notice is what the user must know about a repair that was made; usually "".
	Notice string `json:"-"`
	// Changes are what a repair that was made declared and proved: the files differ in nothing else.
	Changes []Change `json:"-"`
	// Uncovered means that the finding only appeared when others were repaired.
	Uncovered bool `json:"-"`
	// Ignored means that the change is a suppression comment.
	Ignored bool `json:"-"`
}

// Word returns what happened to the finding: "repaired", "not ignored".
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
	// Repaired and Refused count repairs, Ignored the comments that were added. Repaired ones were among the initial
	// findings; Uncovered ones appeared later.
	Repaired, Uncovered, Refused, Ignored int
	// Problems are sentences about what could not be read, checked or written.
	Problems []string
	// Exit is the exit status of the run.
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

// CountRepair adds a repair that was made, or not, to the summary.
func (s *Summary) CountRepair(r Repair) {
	switch {
	case r.Reason == "" && r.Ignored:
		s.Ignored++
	case r.Reason == "" && r.Uncovered:
		s.Uncovered++
	case r.Reason == "":
		s.Repaired++
	case !r.Ignored:
		s.Refused++
	}
}

// Writer writes one report. Findings arrive in order; errors of the underlying writer are its owner's responsibility.
type Writer interface {
	Finding(Finding)
	Repair(Repair)
	// Close ends the report.
	Close(Summary)
}

// compare orders findings by path, line, column and rule, and then by everything else that is shown.
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

// Sorter sorts by path the findings of projects that arrive in the order of their folders: a project inside another one
// has files between those of the outer one. It keeps only findings that may still have to wait, which are few.
type Sorter struct {
	waiting []Finding
	gone    map[uint64]struct{} // hashes of the findings that were passed on
}

var seed = plain.Once[maphash.Seed]{Make: maphash.MakeSeed}

// hash returns a hash of everything that compare considers.
func hash(f Finding) uint64 {
	return maphash.Comparable(seed.Get(), struct {
		path, rule, message      string
		line, column, last, upTo int
	}{f.Path, f.Rule, f.Message, f.Line, f.Column, f.EndLine, f.EndColumn})
}

// Add adds the findings of one project, whose list it may change and keep. It drops duplicates: two projects may share
// a file.
func (s *Sorter) Add(list []Finding) {
	list = slices.DeleteFunc(list, func(f Finding) bool { _, gone := s.gone[hash(f)]; return gone })
	if len(s.waiting) == 0 {
		s.waiting = list // as nearly always
	} else {
		s.waiting = append(s.waiting, list...)
	}
	plain.SortFunc(s.waiting, compare)
	s.waiting = slices.CompactFunc(s.waiting, func(a, b Finding) bool { return compare(a, b) == 0 })
}

// Before removes and returns the findings with paths before the given one. No later finding may be before it.
func (s *Sorter) Before(path string) []Finding {
	n, _ := slices.BinarySearchFunc(s.waiting, path, func(f Finding, path string) int { return cmp.Compare(f.Path, path) })
	ready := s.waiting[:n:n]
	if s.waiting = s.waiting[n:]; len(s.waiting) == 0 {
		s.waiting = nil
	}
	for _, f := range ready {
		if s.gone == nil {
			s.gone = map[uint64]struct{}{}
		}
		s.gone[hash(f)] = struct{}{}
	}
	return ready
}

// Rest returns all remaining findings.
func (s *Sorter) Rest() []Finding {
	rest := s.waiting
	s.waiting = nil
	return rest
}
