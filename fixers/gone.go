package fixers

import "github.com/amlfix/amlfix/schema/finding"

// Vanished is the title of a repair that needed no change of its own.
const Vanished = "gone with another repair"

// settle brings the account of what was done into line with what was offered: each
// finding that had a fix to be made in the beginning is in the end repaired, refused
// or left. Fixes make findings vanish that have others, such as one about a line
// that is removed, and change what messages of others say.
func (r *repairer) settle() {
	left := map[kind]int{} // of each kind, how many findings have no entry in the account yet
	for _, f := range r.findings {
		left[kindOf(f)]++
	}
	done := map[kind]int{}
	for _, a := range append(r.applied[:len(r.applied):len(r.applied)], r.also...) {
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

// reworded looks for what has become of a finding under another message: a repair
// that seemed to be of a new finding, or a finding that is left.
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

// vanished returns what is reported for a finding that is gone without a change.
func (r *repairer) vanished(f finding.Finding) Applied {
	at := f.Source.Position(f.Span.Start)
	f.Fix = &finding.Fix{Title: Vanished, Applicability: f.Fix.Applicability}
	return Applied{Finding: f, Title: Vanished, Path: f.Source.Path, Line: at.Line}
}
