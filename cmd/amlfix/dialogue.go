package main

import (
	"fmt"

	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/secret"
)

// dialogue repairs a project and asks: what to choose, whether to make a repair
// that may change what the job does, and whether to write the whole.
func (k *checking) dialogue(r root) (repaired, error) {
	given, err := k.decide(r)
	if err != nil {
		return k.asItIs(r), err
	}
	allowed, err := k.permit(r, given)
	if err != nil {
		return k.asItIs(r), err
	}
	patch, out, err := k.plan(r, given, allowed)
	if err != nil || len(patch.Files) == 0 {
		return out, err
	}
	_, _ = k.out.Write(painted(k.style, patch.Diff(fixers.DiffOptions{Name: k.rel})))
	question := "Write these changes?"
	if dir := k.rel(r.Dir); dir != "." {
		question = fmt.Sprintf("Write these changes to %s?", dir)
	}
	yes, err := k.asker.confirm(question)
	if err != nil || !yes {
		return k.asItIs(r), err
	}
	return k.carryOut(r, given, patch, out)
}

// asItIs is a project in which nothing was repaired.
func (k *checking) asItIs(r root) repaired {
	out := repaired{project: r.load(k.answers)}
	out.judge(r, r.all(out.project))
	return out
}

// decide asks about the fixes that leave something open, until none is left that
// the user has not seen.
func (k *checking) decide(r root) (answers, error) {
	given, seen := k.answers, map[string]bool{}
	for {
		open, found := firstOf(r.check(r.load(given)), func(f finding.Finding) bool {
			return f.Fix != nil && len(f.Fix.Answers) > 0 && !seen[k.identity(f)]
		})
		if !found {
			return given, nil
		}
		seen[k.identity(open)] = true
		k.show(open)
		var titles []string
		for _, a := range open.Fix.Answers {
			titles = append(titles, secret.Hide(a.Title))
		}
		i, err := k.asker.pick(titles)
		if err != nil {
			return given, err
		}
		if i >= 0 {
			given.add(open.Fix.Answers[i])
		}
	}
}

// permit asks about each fix that may change what the job does, and returns what
// is allowed: these, and all that are safe.
func (k *checking) permit(r root, given answers) (func(finding.Finding) bool, error) {
	wanted := map[string]bool{}
	allow := func(f finding.Finding) bool {
		return k.allow(f) || f.Fix != nil && f.Fix.Applicability == finding.Unsafe && wanted[k.identity(f)]
	}
	seen := map[string]bool{}
	for {
		_, after, err := k.plan(r, given, allow)
		if err != nil {
			return nil, err
		}
		unsafe, found := firstOf(after.findings, func(f finding.Finding) bool {
			return f.Fix != nil && f.Fix.Applicability == finding.Unsafe && !seen[k.identity(f)]
		})
		if !found {
			return allow, nil
		}
		seen[k.identity(unsafe)] = true
		k.show(unsafe)
		if wanted[k.identity(unsafe)], err = k.asker.confirm("This may change what the job does. Make the repair?"); err != nil {
			return nil, err
		}
	}
}

// identity tells findings apart while other repairs move their lines.
func (k *checking) identity(f finding.Finding) string {
	return f.Rule + "\x00" + f.Source.Path + "\x00" + string(f.Source.Slice(f.Span)) + "\x00" + f.Fix.Title
}

// show prints a finding by itself, with what must be known before it is repaired.
func (k *checking) show(f finding.Finding) {
	resolver := report.Resolver{Dir: k.dir(), Snippets: true}
	for _, resolved := range resolver.Findings([]finding.Finding{f}) {
		if resolved.Fix.Applicability == finding.Choice {
			resolved.Fix.Answers = nil // they are asked for
		}
		k.writer.Finding(resolved)
	}
}

// firstOf returns the first finding that is one and that nobody has decided to
// live with.
func firstOf(list []finding.Finding, is func(finding.Finding) bool) (finding.Finding, bool) {
	for _, f := range list {
		if f.Suppression == nil && is(f) {
			return f, true
		}
	}
	return finding.Finding{}, false
}
