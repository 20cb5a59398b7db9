package check

import (
	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/schema/finding"
)

// Person answers questions while projects are repaired. If one returns ui.ErrStopped, nothing more is written.
type Person interface {
	// Choose asks which answer to give if a finding's fix leaves something open; -1 means none.
	Choose(f finding.Finding) (int, error)
	// Permit asks whether to make a repair that may change what the job does.
	Permit(f finding.Finding) (bool, error)
	// Accept asks whether to write a project's repair.
	Accept(r Root, patch *fixers.Patch) (bool, error)
}

// dialogue repairs a project interactively: it asks what to choose, whether to make a repair that may change what the
// job does, and whether to write everything.
func (c *Checker) dialogue(r Root) (Result, error) {
	given, err := c.decide(r)
	if err != nil {
		return c.asItIs(r), err
	}
	allowed, err := c.permit(r, given)
	if err != nil {
		return c.asItIs(r), err
	}
	out, err := c.plan(r, given, allowed)
	if err != nil || len(out.Patch.Files) == 0 {
		return out, err
	}
	if yes, err := c.Person.Accept(r, out.Patch); err != nil || !yes {
		return c.asItIs(r), err
	}
	return c.carryOut(r, given, out)
}

// asItIs returns the result for a project in which nothing was repaired.
func (c *Checker) asItIs(r Root) Result {
	out := Result{Project: r.Load(c.Answers)}
	out.judge(r, r.All(out.Project))
	return out
}

// decide asks about the fixes that leave something open, until the user has seen them all.
func (c *Checker) decide(r Root) (Answers, error) {
	given, seen := c.Answers, map[string]bool{}
	for {
		open, found := firstOf(r.Counting(r.All(r.Load(given))), func(f finding.Finding) bool {
			return f.Fix != nil && len(f.Fix.Answers) > 0 && !seen[sameFix(f)]
		})
		if !found {
			return given, nil
		}
		seen[sameFix(open)] = true
		i, err := c.Person.Choose(open)
		if err != nil {
			return given, err
		}
		if i >= 0 {
			given.Add(open.Fix.Answers[i])
		}
	}
}

// permit asks about each fix that may change what the job does, and returns what is allowed: these, and all safe ones.
func (c *Checker) permit(r Root, given Answers) (func(finding.Finding) bool, error) {
	wanted := map[string]bool{}
	allow := func(f finding.Finding) bool {
		return c.allow(f) || f.Fix != nil && f.Fix.Applicability == finding.Unsafe && wanted[sameFix(f)]
	}
	seen := map[string]bool{}
	for {
		after, err := c.plan(r, given, allow)
		if err != nil {
			return nil, err
		}
		unsafe, found := firstOf(after.Findings, func(f finding.Finding) bool {
			return f.Fix != nil && f.Fix.Applicability == finding.Unsafe && !seen[sameFix(f)]
		})
		if !found {
			return allow, nil
		}
		seen[sameFix(unsafe)] = true
		if wanted[sameFix(unsafe)], err = c.Person.Permit(unsafe); err != nil {
			return nil, err
		}
	}
}

// sameFix identifies a fix even if other repairs move its lines; "" for a finding without one.
func sameFix(f finding.Finding) string {
	if f.Fix == nil {
		return ""
	}
	return f.Rule + "\x00" + f.Source.Path + "\x00" + string(f.Source.Slice(f.Span)) + "\x00" + f.Fix.Title
}

// firstOf returns the first finding for which is returns true and that nobody has accepted.
func firstOf(list []finding.Finding, is func(finding.Finding) bool) (finding.Finding, bool) {
	for _, f := range list {
		if f.Suppression == nil && is(f) {
			return f, true
		}
	}
	return finding.Finding{}, false
}
