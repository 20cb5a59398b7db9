package check

import (
	"cmp"
	"slices"

	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
)

// Named is a fix of a project that is known by its id.
type Named struct {
	// File is the first file that the fix changes, or, where it leaves a decision,
	// that of its finding: two trees may each have a fix of the same id.
	File string
	// Open is the fix when it leaves a decision and no answer that was given is one of
	// its own; else nil.
	Open *finding.Fix

	fixes []finding.Finding // what is to be made; none where an answer asks for no change
}

// naming is a project with its findings, in which fixes are looked up.
type naming struct {
	project *schema.Project
	all     []finding.Finding // as fixers.Options.Found wants them
	named   map[string]Named  // by id
}

// Named returns those fixes of a project that have one of some ids, as reports for
// programs print them, by id. A fix that a suppression keeps from being made unasked
// is among them; one that settings or scope rule out is not.
func (c *Checker) Named(r Root, ids []string) map[string]Named { return c.naming(r, ids).named }

func (c *Checker) naming(r Root, ids []string) naming {
	n := naming{project: r.Load(c.Answers), named: map[string]Named{}}
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

// idOf returns a function that returns the ids of a project's fixes.
func (c *Checker) idOf(r Root) func(finding.Finding) string {
	resolver := &report.Resolver{Dir: c.Dir, Project: r.Dir, Top: cmp.Or(schema.Repository(r.Dir), c.Dir)}
	return resolver.FixID
}

// add adds a finding whose fix has an id.
func (n naming) add(id string, f finding.Finding) {
	one, ok := n.named[id]
	switch {
	case len(f.Fix.Changes) > 0:
		one.fixes = append(one.fixes, f)
		if !ok {
			one.File = f.Fix.Changes[0].File
		}
	case !ok:
		one.File, one.Open = f.Source.Path, f.Fix
	}
	n.named[id] = one
}

// answered adds the fixes that leave a decision as long as the answers are not
// given: what is made of each is what its finding then has as a fix or, where an
// answer makes another fault of it, all safe fixes that come with the answers.
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
		one := Named{File: f.Source.Path, fixes: n.named[known(f)].fixes}
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
