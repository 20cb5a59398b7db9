package check

import (
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/fixers/diff"
	"github.com/amlfix/amlfix/fixers/text"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
)

// Way is one way to repair a finding, for callers that offer each one separately.
type Way struct {
	Title string // capitalized, for a button or a menu
	Files []fixers.FileEdits
	Safe  bool
}

// Ways returns the ways to repair a finding, each proved: its fix, or what results from each answer to one that leaves
// something open. before is the check that found the finding, shown the fix with secrets masked, and edits as in
// report.Resolver. It omits those that cannot be made; the finding's message says what to do.
func (r Root) Ways(before Result, f finding.Finding, shown *report.Fix, edits func(finding.Finding) ([]fixers.FileEdits, error)) (list []Way) {
	switch {
	case f.Fix == nil || !r.Repairs(f):
		return nil
	case f.Fix.Applicability == finding.Choice:
		for i, a := range f.Fix.Answers {
			if patch, err := r.answered(before, f, a); err == nil && len(patch.Files) > 0 {
				list = append(list, Way{Title: Capitalized(shown.Answers[i].Title), Files: Edits(patch.Files)})
			}
		}
		return list
	}
	files, err := edits(f)
	if err != nil {
		return nil
	}
	way := Way{Capitalized(shown.Title), files, MaySafely(f)}
	if !way.Safe {
		way.Title += " (may change what the job does)"
	}
	return []Way{way}
}

// Edits returns what has changed in files.
func Edits(files []fixers.FilePatch) (list []fixers.FileEdits) {
	for _, f := range files {
		if f.Old == nil {
			list = append(list, fixers.FileEdits{Source: source.New(f.Path, nil), Creates: true, Edits: []text.Edit{{New: string(f.New)}}})
			continue
		}
		list = append(list, fixers.FileEdits{Source: source.New(f.Path, f.Old), Edits: diff.Edits(f.Old, f.New)})
	}
	return list
}

// Capitalized returns a title as editors show them.
func Capitalized(title string) string {
	if title == "" {
		return title
	}
	return strings.ToUpper(title[:1]) + title[1:]
}

// answered returns the repair that results from one answer to the fix of a finding: it repairs the finding and, as far
// as that is safe, what is found because of the answer. The repair may change nothing; an error means that planning it
// failed.
func (r Root) answered(before Result, f finding.Finding, answer finding.Answer) (*fixers.Patch, error) {
	type key struct{ rule, path, message string }
	keyOf := func(g finding.Finding) key { return key{g.Rule, g.Source.Path, g.Message} }
	known := map[key]bool{}
	for _, g := range before.All {
		known[keyOf(g)] = g.Fix == nil || g.Fix.Applicability != finding.Choice
	}
	var with Answers
	with.Add(answer)
	return fixers.Repair(r.Load(with), fixers.Options{Recheck: r.All, Allow: func(g finding.Finding) bool {
		own := g.Rule == f.Rule && g.Span == f.Span && g.Source.Path == f.Source.Path && g.Fix != nil && g.Fix.Applicability != finding.Choice
		return r.Repairs(g) && (own || MaySafely(g) && !known[keyOf(g)])
	}})
}
