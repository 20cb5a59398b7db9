package document

import (
	"slices"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// perSearch is the cost of a search for all causes, in parses of the text.
const perSearch = 8

// maxFaults is the number of different faults of a text that are looked for together.
const maxFaults = 3

// marks are the places of one cause in a text, and what is said of them. If each is to count, spared is false; other
// causes also match places that need no repair.
type marks struct {
	repair  []Splice
	spared  bool
	problem func([]Splice) Problem
}

// all returns the problem of places that are all repaired, if the text can be read then.
func (d *diagnosis) all(repair []Splice, problem func([]Splice) Problem) (Problem, bool) {
	return d.alone(marks{repair, false, problem})
}

// some returns the problem of those places that must be repaired for the text to be read.
func (d *diagnosis) some(repair []Splice, problem func([]Splice) Problem) (Problem, bool) {
	return d.alone(marks{repair, true, problem})
}

// alone returns the problem of one cause if there is no other; otherwise it keeps the marks.
func (d *diagnosis) alone(m marks) (Problem, bool) {
	switch {
	case len(m.repair) == 0:
		return Problem{}, false
	case !d.readableWith(m.repair):
		d.marks = append(d.marks, m)
		return Problem{}, false
	}
	return m.problem(d.needed(m, nil)), true
}

// needed drops the splices that the text can be read without: a list item such as "- a:b" is a string and needs no
// space. others are made in any case.
func (d *diagnosis) needed(m marks, others []Splice) []Splice {
	repair := m.repair
	size := d.size(repair) + d.size(others)
	for i := len(repair) - 1; m.spared && i >= 0 && len(repair) > 1 && !d.spent(size); i-- {
		without := slices.Delete(slices.Clone(repair), i, i+1)
		if both := merged(without, others); both != nil && d.readableWith(both) {
			repair = without
		}
	}
	return repair
}

// together returns the problems of a text with several faults, of which the marks are one: the others are looked for in
// the text without it. If one of them has no certain repair, none has.
func (d *diagnosis) together(m marks) []Problem {
	cost := perSearch * d.size(m.repair)
	if d.faults < 2 || d.spent(cost) {
		return nil
	}
	d.budget -= cost
	rest := &diagnosis{Source: source.New(d.Path, apply(d.Text, m.repair)), budget: d.budget, faults: d.faults - 1}
	problems := rest.explained()
	d.budget = rest.budget
	if problems == nil {
		return nil
	}
	way := newWayBack(m.repair)
	certain := true
	var others []Splice
	for i, p := range problems {
		repair := way.back(d.Text, p.Repair)
		certain = certain && len(repair) > 0
		problems[i].Span, problems[i].Repair = way.span(p.Span), repair
		others = append(others, repair...)
	}
	if certain && merged(m.repair, others) == nil || !certain && len(m.repair) > 1 {
		return nil
	}
	if certain {
		m.repair = d.needed(m, others)
	}
	p := m.problem(m.repair)
	p.Kind = Syntax
	if problems = append(problems, p); !certain || len(p.Repair) == 0 || d.spent(len(d.Text)) {
		for i := range problems {
			problems[i].Repair = nil
		}
	}
	plain.SortFunc(problems, func(a, b Problem) int { return a.Span.Start - b.Span.Start })
	return problems
}

// merged returns the splices of two repairs of one text in order, or nil if they overlap.
func merged(one, other []Splice) []Splice {
	both := slices.Concat(one, other)
	plain.SortFunc(both, Splice.compare)
	for i := 1; i < len(both); i++ {
		if both[i-1].Offset+len(both[i-1].Old) > both[i].Offset {
			return nil
		}
	}
	return both
}
