package fixers

import (
	"slices"

	"github.com/amlfix/amlfix/schema/finding"
)

// Vanished is the title of a repair that needed no change of its own.
const Vanished = "fixed by another repair"

// settle reconciles what was done with what was offered: each finding that had a fix to be made at the beginning is
// repaired, refused or left at the end. Fixes make findings with other fixes vanish, such as one about a line that is
// removed, and change the messages of others.
func (r *repairer) settle() {
	left := map[kind]int{} // the number of findings of each kind that are not accounted for yet
	for _, f := range r.findings {
		left[kindOf(f)]++
	}
	done := map[kind]int{}
	for _, a := range append(slices.Clip(r.applied), r.also...) {
		done[kindOf(a.Finding)]++
	}
	var missing []finding.Finding
	known := map[kind]bool{}
	for _, f := range r.first {
		k := kindOf(f)
		known[k] = true
		switch {
		case f.Fix == nil || !r.opts.Allow(f):
		case done[k] > 0:
			done[k]--
		case left[k] > 0:
			left[k]--
		default:
			missing = append(missing, f)
		}
	}
	for _, f := range missing {
		if !r.reworded(f, known) {
			r.also = append(r.also, r.vanished(f))
		}
	}
}

// reworded looks for a finding whose message has changed: among repairs that seemed to be of new findings, and among
// findings that are left.
func (r *repairer) reworded(f finding.Finding, known map[kind]bool) bool {
	for _, list := range [][]Applied{r.applied, r.also} {
		for i, a := range list {
			if a.Uncovered && a.Finding.Rule == f.Rule && a.Finding.Source.Path == f.Source.Path {
				list[i].Uncovered = false
				return true
			}
		}
	}
	for _, l := range r.findings {
		if k := kindOf(l); l.Rule == f.Rule && l.Source.Path == f.Source.Path && !known[k] && l.Fix != nil && r.opts.Allow(l) {
			known[k] = true
			return true
		}
	}
	return false
}

// vanished returns what is reported for a finding that is gone without its own change.
func (r *repairer) vanished(f finding.Finding) Applied {
	at := f.Source.Position(f.Span.Start)
	f.Fix = &finding.Fix{Title: Vanished, Applicability: f.Fix.Applicability}
	return Applied{Finding: f, Title: Vanished, Path: f.Source.Path, Line: at.Line}
}
