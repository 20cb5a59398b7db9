package check

import (
	"fmt"
	"slices"

	"github.com/amlfix/amlfix/cmd/internal/pool"
	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/schema/finding"
)

// blocked is why a fix was not made together with the other selected ones.
const blocked = "it changes the same place as another selected fix: check again, then make this fix"

// Fix makes the fixes of a project that have the given IDs, and no others, with the proof and the transaction of any
// repair. over are texts that replace those on disk, by path; nil for none. It does not panic. If a fix no longer
// exists, it returns an error and writes nothing.
func (c *Checker) Fix(r Root, ids []string, over map[string][]byte) Result {
	r.text = func(path string) ([]byte, bool) { text, ok := over[path]; return text, ok }
	result, err := pool.Guarded(c.Rel(r.Dir), func() (out Result) {
		out, out.Err = c.fix(r, ids)
		return out
	})
	if err != nil {
		result.Err = err
	}
	return result
}

func (c *Checker) fix(r Root, ids []string) (out Result, err error) {
	n := c.naming(r, ids)
	var wanted []finding.Finding
	for _, id := range ids {
		one, ok := n.named[id]
		if !ok || one.open != nil {
			return out, fmt.Errorf("%s: there is no fix %s any more: its files have changed in the meantime", c.Rel(r.Dir), id)
		}
		wanted = append(wanted, one.fixes...)
	}
	allow := n.exactly(wanted, len(ids) > 1)
	out.Project = n.project
	out.Patch, err = fixers.Repair(n.project, fixers.Options{
		Recheck: r.All, Found: n.all, Allow: allow,
		Again: func(f finding.Finding) bool { return f.Fix.Applicability != finding.Choice },
	})
	if err != nil {
		return out, fmt.Errorf("%s: %w", c.Rel(r.Dir), err)
	}
	out.Refused = out.Patch.Refused
	out.judge(r, out.Patch.Remaining)
	if c.Write {
		out, err = c.carryOut(r, c.Answers, out)
	} else {
		out.Made = slices.Concat(out.Patch.Applied, out.Patch.Also)
	}
	n.unmade(wanted, &out)
	return out, err
}

// exactly returns which fixes may be made. It recognizes the wanted ones by their changes in the project as read and,
// if others may have moved them, by their subject, unless there are others with the same subject that are not wanted.
func (n naming) exactly(wanted []finding.Finding, moved bool) func(finding.Finding) bool {
	first, about := map[*finding.Change]bool{}, map[string]bool{}
	for _, f := range wanted {
		first[&f.Fix.Changes[0]], about[sameFix(f)] = true, true
	}
	for _, f := range n.all {
		if f.Fix == nil || len(f.Fix.Changes) == 0 || !first[&f.Fix.Changes[0]] {
			delete(about, sameFix(f))
		}
	}
	return func(f finding.Finding) bool {
		return f.Fix != nil && len(f.Fix.Changes) > 0 && (first[&f.Fix.Changes[0]] || moved && about[sameFix(f)])
	}
}

// unmade moves wanted fixes that were not made, and for which the repair gives no reason, to those refused: another fix
// has changed the same place. Their number for each rule and file is that of the findings that should be gone.
func (n naming) unmade(wanted []finding.Finding, out *Result) {
	type kind struct{ rule, path string }
	of := func(f finding.Finding) kind { return kind{f.Rule, f.Source.Path} }
	left := map[kind]int{}
	for _, f := range n.all {
		left[of(f)]--
	}
	for _, f := range slices.Concat(wanted, out.Patch.Remaining) {
		left[of(f)]++
	}
	settled := map[*finding.Fix]bool{}
	for _, r := range out.Refused {
		left[of(r.Finding)]--
		settled[r.Finding.Fix] = true
	}
	for _, a := range out.Made {
		settled[a.Finding.Fix] = true
	}
	for _, f := range wanted {
		if left[of(f)] <= 0 || settled[f.Fix] {
			continue
		}
		left[of(f)]--
		out.Refused = append(out.Refused, fixers.Refused{Finding: f, Reason: blocked})
		out.Made = slices.DeleteFunc(out.Made, func(a fixers.Applied) bool {
			return a.Title == fixers.Vanished && of(a.Finding) == of(f) && a.Finding.Span == f.Span
		})
	}
}
