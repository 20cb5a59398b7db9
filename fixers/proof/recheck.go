package proof

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/text"
	"github.com/amlfix/amlfix/schema/finding"
)

// Round is a repaired project as its rules see it, before and after.
//
// Before and After come from the same rules with the same options, over all files of the project, including findings
// that comments or settings hide: a repair must not cause a finding that nobody would see. The findings in Fixed are
// also in Before, each with a fix. Recheck compares the two lists and reads no text except that of Files. It proves no
// more than the rules know: a fault that no rule reports goes unnoticed.
type Round struct {
	// Fixed are the findings whose fixes were made.
	Fixed []finding.Finding
	// Before and After are all findings of the project.
	Before, After []finding.Finding
	// Files are the changed files.
	Files []File
	// Fixable reports whether a finding's fix would be made if planned again.
	Fixable func(finding.Finding) bool
}

// Recheck returns a *Error unless clauses (d) and (e) hold for a round. A finding is the same before and after if its
// rule, file and place (moved along with the edits) are the same, or else its rule, file and message.
func Recheck(r Round) error {
	moved := r.moved()
	if r.nothingNew(moved) {
		return nil
	}
	c := newComparison(r, moved)
	if err := c.repaired(); err != nil {
		return err
	}
	return c.settled()
}

// nothingNew reports whether the findings after the fix of a single one are some of those before, in the same order,
// which is usual. Then a comparison finds nothing.
func (r *Round) nothingNew(moved map[string]text.Map) bool {
	if len(r.Fixed) != 1 {
		return false
	}
	left, fixed := r.Before, now(&r.Fixed[0])
	for i := range r.After {
		n := &r.After[i]
		for ; len(left) > 0; left = left[1:] {
			f := &left[0]
			if f.Rule == n.Rule && f.Source.Path == n.Source.Path && f.Message == n.Message && moved[f.Source.Path].New(f.Span.Start) == n.Span.Start && now(f) != fixed {
				break
			}
		}
		if len(left) == 0 {
			return false
		}
		left = left[1:]
	}
	return true
}

// moved returns where places from before are in the new texts, by path.
func (r *Round) moved() map[string]text.Map {
	moved := make(map[string]text.Map, len(r.Files))
	for _, f := range r.Files {
		moved[f.Path] = text.NewMap(f.Edits)
	}
	return moved
}

// repaired is clause (d). Its error names all fixes that leave their finding, with the text of the first: finding them
// one by one would cost as many proofs.
func (c *comparison) repaired() error {
	var left *Error
	var other error
	for _, n := range c.fresh {
		if i := c.fixedIndex(n); i >= 0 {
			if left == nil {
				left = &Error{Clause: Repaired, Path: n.Source.Path, Reason: fmt.Sprintf("%s would still be reported: %s", n.Rule, n.Message)}
			}
			left.Findings = append(left.Findings, i)
		} else if other == nil && c.matters(n) && !uncovered(n, c.hidden) {
			other = &Error{Clause: Repaired, Path: n.Source.Path,
				Reason: fmt.Sprintf("%s would be reported where it was not before: %s", n.Rule, n.Message)}
		}
	}
	if left == nil {
		return other
	}
	slices.Sort(left.Findings)
	left.Findings = slices.Compact(left.Findings)
	return left
}

// settled is clause (e): no new finding's fix makes a change that was already made. Removals and raw text are left out:
// there the same words refer to another item.
func (c *comparison) settled() error {
	made := map[place][]int{} // indexes of the fixes
	for i, f := range c.Fixed {
		for _, change := range f.Fix.Changes {
			made[placeOf(change)] = append(made[placeOf(change)], i)
		}
	}
	for _, n := range c.fresh {
		if n.Fix == nil || !c.Fixable(n) {
			continue
		}
		for _, change := range n.Fix.Changes {
			if change.Op == finding.RemoveEntry || change.Op == finding.SpliceText {
				continue
			}
			for _, i := range made[placeOf(change)] {
				if slices.ContainsFunc(c.Fixed[i].Fix.Changes, func(m finding.Change) bool { return reflect.DeepEqual(m, change) }) {
					return &Error{Clause: Settled, Path: n.Source.Path, Findings: []int{i}, Reason: n.Rule + " would make the same change again"}
				}
			}
		}
	}
	return nil
}

// place is where a change is made, and what it makes there.
type place struct {
	op                       finding.Op
	document, offset, length int
	file, pointer, key, text string
}

func placeOf(c finding.Change) place {
	return place{c.Op, c.Document, c.Offset, len(c.Old), c.File, c.Pointer, c.Key, c.Value.Text}
}

// comparison tells the findings that are new after a round from those that were there before.
type comparison struct {
	Round
	moved  map[string]text.Map
	broken map[string]bool    // files that did not parse before
	rules  map[string]bool    // of the fixed findings
	fixed  map[identity][]int // the fixed findings at a place, and those with a message
	fresh  []finding.Finding
	hidden []finding.Location // what was not checked before
}

// identity is what makes two findings the same; fields that do not count are zero.
type identity struct {
	rule, path, message string
	start               int
}

func newComparison(r Round, moved map[string]text.Map) *comparison {
	c := &comparison{Round: r, moved: moved, broken: map[string]bool{}, rules: map[string]bool{}, fixed: map[identity][]int{}}
	for _, f := range r.Files {
		c.broken[f.Path] = !readable(f.Before.of(f).stream)
	}
	fixed := map[identity]int{}
	for i := range r.Fixed {
		c.rules[r.Fixed[i].Rule] = true
		id := c.old(&r.Fixed[i])
		fixed[id]++
		at, words := id, id
		at.message, words.start = "", 0
		for _, key := range []identity{at, words} {
			c.fixed[key] = append(c.fixed[key], i)
		}
	}
	known := make([]identity, 0, len(r.Before))
	copies := slices.DeleteFunc(slices.Clone(r.Files), func(f File) bool { return f.From == "" })
	var copied []identity // a copy may have the faults of its original
	for i := range r.Before {
		f := &r.Before[i]
		id := c.old(f)
		if c.rules[f.Rule] {
			if fixed[id]--; fixed[id] >= 0 {
				continue
			}
		}
		known = append(known, id)
		for _, file := range copies {
			if file.From == f.Source.Path {
				copied = append(copied, identity{f.Rule, file.Path, f.Message, c.moved[file.Path].New(f.Span.Start)})
			}
		}
	}
	known = c.same(append(known, copied...))
	// The closest matches are made first, so that a looser one does not use them up.
	for _, only := range []func(identity) identity{
		func(i identity) identity { return i },
		func(i identity) identity { i.message = ""; return i },
		func(i identity) identity { i.start = 0; return i },
	} {
		known = c.match(known, only)
	}
	if len(c.fresh) > 0 {
		c.hidden = c.unchecked()
	}
	return c
}

// same sets the fresh findings and returns the known ones, both without those whose identities are equal, as far as
// they are in order; others are left to match.
func (c *comparison) same(known []identity) (others []identity) {
	all := c.After
	for _, id := range known {
		order := 1
		for len(all) > 0 {
			if order = now(&all[0]).compare(id); order >= 0 {
				break
			}
			c.fresh, all = append(c.fresh, all[0]), all[1:]
		}
		if len(all) > 0 && order == 0 {
			all = all[1:]
		} else {
			others = append(others, id)
		}
	}
	c.fresh = append(c.fresh, all...)
	return others
}

// compare orders identities by place.
func (i identity) compare(other identity) int {
	switch {
	case i.path != other.path:
		return strings.Compare(i.path, other.path)
	case i.start != other.start:
		return i.start - other.start
	case i.rule != other.rule:
		return strings.Compare(i.rule, other.rule)
	}
	return strings.Compare(i.message, other.message)
}

// match removes from both lists the new findings that are among the known ones.
func (c *comparison) match(known []identity, only func(identity) identity) []identity {
	if len(known) == 0 || len(c.fresh) == 0 {
		return known
	}
	left := map[identity]int{}
	for _, id := range known {
		left[only(id)]++
	}
	used := map[identity]int{}
	c.fresh = slices.DeleteFunc(c.fresh, func(f finding.Finding) bool {
		id := only(now(&f))
		if left[id] == 0 {
			return false
		}
		left[id]--
		used[id]++
		return true
	})
	return slices.DeleteFunc(known, func(id identity) bool {
		id = only(id)
		used[id]--
		return used[id] >= 0
	})
}

// old returns the identity of a finding from before, with its place moved along with the edits.
func (c *comparison) old(f *finding.Finding) identity {
	return identity{f.Rule, f.Source.Path, f.Message, c.moved[f.Source.Path].New(f.Span.Start)}
}

// now returns the identity of a finding from after.
func now(f *finding.Finding) identity {
	return identity{f.Rule, f.Source.Path, f.Message, f.Span.Start}
}

// fixedIndex returns which of the fixed findings a new one is, by its place or its message, or -1. Of several with one
// message each is returned once.
func (c *comparison) fixedIndex(n finding.Finding) int {
	at, words := now(&n), now(&n)
	at.message, words.start = "", 0
	for _, key := range []identity{at, words} {
		if list := c.fixed[key]; len(list) > 0 {
			c.fixed[key] = list[1:]
			return list[0]
		}
	}
	return -1
}

// matters reports whether a new finding counts against a fix: its rule is that of a fix, or the file is no longer
// correct. What was hidden in a file that did not parse does not count.
func (c *comparison) matters(n finding.Finding) bool {
	if c.rules[n.Rule] {
		return true
	}
	if n.Severity != finding.Error || c.broken[n.Source.Path] && n.Rule != "yaml/syntax" {
		return false
	}
	return finding.OfFile(n.Rule)
}
