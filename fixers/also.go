package fixers

import (
	"reflect"

	"github.com/amlfix/amlfix/schema/finding"
)

// kind is what stays the same about a finding when others are fixed.
type kind struct{ rule, path, message string }

func kindOf(f finding.Finding) kind { return kind{f.Rule, f.Source.Path, f.Message} }

// fixed returns what is reported about a finding that was fixed.
func (r *repairer) fixed(f finding.Finding) Applied {
	if r.offered == nil {
		r.offered = map[kind]int{}
		for _, first := range r.first {
			if first.Fix != nil && r.opts.Allow(first) {
				r.offered[kindOf(first)]++
			}
		}
	}
	r.offered[kindOf(f)]--
	at := f.Source.Position(f.Span.Start)
	return Applied{Finding: f, Title: f.Fix.Title, Path: f.Source.Path, Line: at.Line, Uncovered: r.offered[kindOf(f)] < 0}
}

// alsoFixed records the findings that the fixes just made have removed because their own fixes are the same.
func (r *repairer) alsoFixed(made []candidate, after *outcome) {
	done, fixes := map[int]bool{}, map[place]candidate{}
	for _, c := range made {
		done[c.index], fixes[placeOf(c.finding)] = true, c
	}
	var left map[kind]bool
	for i, f := range r.findings {
		if done[i] || !r.wants(f) || len(f.Fix.Changes) == 0 {
			continue
		}
		if c, ok := fixes[placeOf(f)]; !ok || !reflect.DeepEqual(c.finding.Fix.Changes, f.Fix.Changes) {
			continue
		}
		if left == nil {
			left = map[kind]bool{}
			for _, l := range after.findings {
				left[kindOf(l)] = true
			}
		}
		if !left[kindOf(f)] {
			r.also = append(r.also, r.fixed(f))
		}
	}
}

// place is the first change of a fix. No two fixes that are made together share it, so equal fixes are found without
// comparing all with all.
type place struct {
	op                 finding.Op
	file, pointer, key string
	document, offset   int
	value              finding.Scalar
}

func placeOf(f finding.Finding) place {
	c := f.Fix.Changes[0]
	return place{c.Op, c.File, c.Pointer, c.Key, c.Document, c.Offset, c.Value}
}
