package check

import (
	"cmp"
	"slices"

	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
)

// named is a fix of a project, identified by its ID.
type named struct {
	// file is the first file that the fix changes or, if it leaves a decision open, that of its finding: two trees may
	// each have a fix with the same ID.
	file string
	// open is the fix if it leaves a decision open that none of the given answers decides; else nil.
	open *finding.Fix

	fixes []finding.Finding // the fixes to make; none if an answer requests no change
}

// naming is a project with its findings, in which to look up fixes.
type naming struct {
	project *schema.Project
	all     []finding.Finding // as expected by fixers.Options.Found
	named   map[string]named  // by ID
}

// naming looks up those fixes of a project that have one of the given IDs, as printed in machine-readable reports. This
// includes a fix that a suppression comment prevents from being made without asking, but not one that settings or scope
// rule out.
func (c *Checker) naming(r Root, ids []string) naming {
	n := naming{project: r.Load(c.Answers), named: map[string]named{}}
	n.all = r.All(n.project)
	counting, known := r.Counting(n.all), c.idOf(r)
	for _, f := range counting {
		if f.Fix != nil && slices.Contains(ids, known(f)) {
			n.add(known(f), f)
		}
	}
	if len(n.named) < len(ids) && len(c.Answers.Words()) > 0 {
		c.answered(r, ids, n, counting)
	}
	return n
}

// idOf returns a function that returns the IDs of a project's fixes.
func (c *Checker) idOf(r Root) func(finding.Finding) string {
	resolver := &report.Resolver{Dir: c.Dir, Project: r.Dir, Top: cmp.Or(schema.Repository(r.Dir), c.Dir)}
	return resolver.FixID
}

// add adds a finding whose fix has an ID.
func (n naming) add(id string, f finding.Finding) {
	one, ok := n.named[id]
	switch {
	case len(f.Fix.Changes) > 0:
		one.fixes = append(one.fixes, f)
		if !ok {
			one.file = f.Fix.Changes[0].File
		}
	case !ok:
		one.file, one.open = f.Source.Path, f.Fix
	}
	n.named[id] = one
}

// answered adds the fixes that leave a decision open without the given answers. Each becomes the fix that its finding
// then has or, if an answer leads to another problem, all safe fixes that result from the answers.
func (c *Checker) answered(r Root, ids []string, n naming, counting []finding.Finding) {
	before, known := r.Counting(r.All(r.Load(Answers{}))), c.idOf(r)
	there := map[string]bool{}
	for _, f := range before {
		if f.Fix != nil {
			there[known(f)] = true
		}
	}
	for _, f := range before {
		if f.Fix == nil || len(f.Fix.Answers) == 0 || !slices.Contains(ids, known(f)) {
			continue
		}
		if !slices.ContainsFunc(f.Fix.Answers, c.Answers.holds) {
			n.add(known(f), f)
			continue
		}
		one := named{file: f.Source.Path, fixes: n.named[known(f)].fixes}
		for _, g := range counting {
			if g.Rule == f.Rule && g.Source.Path == f.Source.Path && g.Span == f.Span && g.Fix != nil && len(g.Fix.Changes) > 0 {
				one.fixes = append(one.fixes, g)
			}
		}
		if len(one.fixes) == 0 {
			one.fixes = slices.DeleteFunc(slices.Clone(counting), func(g finding.Finding) bool { return !MaySafely(g) || there[known(g)] })
		}
		n.named[known(f)] = one
	}
}

// holds reports whether an answer is among those given.
func (a Answers) holds(one finding.Answer) bool {
	switch one.Flag {
	case finding.AnswerGPU:
		return slices.Contains(a.GPU, one.Value)
	case finding.AnswerCPU:
		return slices.Contains(a.CPU, one.Value)
	case finding.AnswerChoose:
	}
	return a.Choices[one.Key] == one.Value
}
