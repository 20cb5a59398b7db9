package fixers

import (
	"fmt"
	"slices"

	"github.com/amlfix/amlfix/fixers/proof"
)

// prover finds the fixes of a batch that hold together, and refuses the others.
type prover struct {
	*repairer
	out      map[int]bool
	attempts int
	gentle   int // how many fixes to refuse at once
	checked  map[string]checkedFile
	made     []candidate
	after    *outcome // the project after those made; nil if there are none
}

func newProver(r *repairer, out map[int]bool) *prover {
	return &prover{repairer: r, out: out, checked: map[string]checkedFile{}}
}

// add makes the fixes of a group, except those that do not hold. If a failed proof does not name them, they are found
// by halving: each half may hold, or is halved again.
func (p *prover) add(group []candidate) {
	for len(group) > 0 {
		switch p.attempts++; {
		case p.attempts > maxAttempts:
			p.leave(group, "too many other fixes failed their proof, so this one%s was not tried")
			return
		case *p.budget <= 0:
			p.leave(group, "proving the other fixes used up the limit for a project of this size, so this one%s was not tried: run --apply again")
			return
		}
		with := slices.Concat(p.made, group)
		after, err := p.attempt(with)
		if err == nil {
			p.made, p.after = with, after
			return
		}
		if err.Clause != proof.Repaired && err.Clause != proof.Settled {
			group = p.narrow(group, err.Path)
			continue
		}
		guilty := p.guilty(err, len(group))
		if len(guilty) == 0 {
			first, rest := halves(group, err.Path)
			p.add(first)
			group = rest
			continue
		}
		for _, i := range slices.Backward(guilty) {
			p.refuse(p.out, group[i].index, err.Clause, err.Reason)
			group = slices.Delete(slices.Clone(group), i, i+1)
		}
	}
}

// apart divides a group into the fixes of one file and those of others.
func apart(group []candidate, path string) (others, here []candidate) {
	for _, c := range group {
		if c.changes(path) {
			here = append(here, c)
		} else {
			others = append(others, c)
		}
	}
	return others, here
}

// halves divides a group after a proof that failed in a file: the fixes of other files first, if there are any.
func halves(group []candidate, path string) (first, rest []candidate) {
	if first, rest = apart(group, path); len(first) == 0 || len(rest) == 0 {
		return group[:len(group)/2], group[len(group)/2:]
	}
	return first, rest
}

// changes reports whether a fix changes a file.
func (c candidate) changes(path string) bool {
	return slices.ContainsFunc(c.files, func(f edited) bool { return f.path == path })
}

// narrow removes from a group what does not hold in one file, by halving, which costs only the file and not the
// project.
func (p *prover) narrow(group []candidate, path string) []candidate {
	others, here := apart(group, path)
	held := p.made
	var try func(part []candidate)
	try = func(part []candidate) {
		_, err := p.check(path, slices.Concat(held, part))
		switch {
		case err == nil:
			held = slices.Concat(held, part)
		case len(part) == 1:
			p.refuse(p.out, part[0].index, err.Clause, err.Reason)
		case *p.budget <= 0:
			p.leave(part, "proving the other fixes used up the limit for a project of this size, so this one%s was not tried: run --apply again")
		default:
			try(part[:len(part)/2])
			try(part[len(part)/2:])
		}
	}
	try(here)
	return slices.Concat(others, held[len(p.made):])
}

// leave refuses a group, with one reason.
func (p *prover) leave(group []candidate, reason string) {
	more := ""
	if n := len(group) - 1; n > 0 {
		more = fmt.Sprintf(", like %d more,", n)
	}
	p.refuse(p.out, group[0].index, "", fmt.Sprintf(reason, more))
	for _, c := range group[1:] {
		p.out[c.index] = true
	}
}

// guilty returns the fixes of a group of n that a failed proof rejects: first one, because the others may hold without
// it, then twice as many each time.
func (p *prover) guilty(err *proof.Error, n int) (list []int) {
	if n == 1 {
		return []int{0}
	}
	p.gentle = max(2*p.gentle, 1)
	for _, i := range err.Findings {
		if i -= len(p.made); i >= 0 && i < n && len(list) < p.gentle {
			list = append(list, i)
		}
	}
	return list
}
