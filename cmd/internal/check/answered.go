package check

import (
	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/schema/finding"
)

// Answered returns the repair that results from one answer to the fix of a finding, for callers that offer each answer
// separately: it repairs the finding and, as far as that is safe, what is found because of the answer. before is the
// check that found the finding. The repair may change nothing; an error means that planning it failed.
func (r Root) Answered(before Result, f finding.Finding, answer finding.Answer) (*fixers.Patch, error) {
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
