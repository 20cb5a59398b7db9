package proof

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/text"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
)

// Round is a repaired project as its rules see it, before and after.
type Round struct {
	// Fixed are the findings whose fixes were made.
	Fixed []finding.Finding
	// Before and After are all findings of the project.
	Before, After []finding.Finding
	// Files are the changed files.
	Files []File
	// Fixable tells which findings' fixes would be made if planned again.
	Fixable func(finding.Finding) bool
}

// Recheck returns a *Error unless clauses (d) and (e) hold for a round. A
// finding is the same before and after when its rule, file and place are, the
// place moved along with the edits, or else its rule, file and message.
func Recheck(r Round) error {
	c := newComparison(r)
	for _, n := range c.fresh {
		path := n.Source.Path
		if i := c.fixedIndex(n); i >= 0 {
			return &Error{Clause: Mended, Path: path, Finding: i,
				Reason: fmt.Sprintf("%s would still be reported: %s", n.Rule, n.Message)}
		}
		if c.matters(n) {
			return &Error{Clause: Mended, Path: path, Finding: -1,
				Reason: fmt.Sprintf("%s would be reported where it was not before: %s", n.Rule, n.Message)}
		}
	}
	for _, n := range c.fresh {
		if n.Fix == nil || !r.Fixable(n) {
			continue
		}
		for i, f := range r.Fixed {
			if again := repeats(f.Fix.Changes, n.Fix.Changes); again {
				return &Error{Clause: Settled, Path: n.Source.Path, Finding: i,
					Reason: n.Rule + " would make the same change again"}
			}
		}
	}
	return nil
}

// repeats reports whether some change that sets or adds something is in both
// lists. Removals and raw text are left out: the same words mean another item.
func repeats(made, planned []finding.Change) bool {
	return slices.ContainsFunc(planned, func(c finding.Change) bool {
		return c.Op != finding.RemoveEntry && c.Op != finding.SpliceText &&
			slices.ContainsFunc(made, func(m finding.Change) bool { return reflect.DeepEqual(m, c) })
	})
}

// comparison tells the findings that are new after a round from those that
// were there before.
type comparison struct {
	Round
	moved  map[string]text.Map
	broken map[string]bool // files that did not parse before
	rules  map[string]bool // of the fixed findings
	fresh  []finding.Finding
}

// identity is what makes two findings the same; fields that do not count are zero.
type identity struct {
	rule, path, message string
	start               int
}

func newComparison(r Round) *comparison {
	c := &comparison{Round: r, moved: map[string]text.Map{}, broken: map[string]bool{}, rules: map[string]bool{}}
	for _, f := range r.Files {
		c.moved[f.Path] = text.NewMap(f.Edits)
		c.broken[f.Path] = !readable(document.Parse(source.New(f.Path, f.Old)))
	}
	fixed := map[identity]int{}
	for _, f := range r.Fixed {
		c.rules[f.Rule] = true
		fixed[c.old(f)]++
	}
	var known []finding.Finding
	for _, f := range r.Before {
		if fixed[c.old(f)]--; fixed[c.old(f)] < 0 {
			known = append(known, f)
		}
	}
	known = append(known, c.copied(known)...)
	c.fresh = slices.Clone(r.After)
	// The closest matches are taken first, so that none is used up by a looser one.
	for _, only := range []func(identity) identity{
		func(i identity) identity { return i },
		func(i identity) identity { i.message = ""; return i },
		func(i identity) identity { i.start = 0; return i },
	} {
		known = c.match(known, only)
	}
	return c
}

// copied returns what was known about files that copies are made of, as
// findings in the copies: a copy may have the faults of its model.
func (c *comparison) copied(known []finding.Finding) (list []finding.Finding) {
	for _, file := range c.Files {
		if file.From == "" {
			continue
		}
		src := source.New(file.Path, file.Old)
		for _, f := range known {
			if f.Source.Path == file.From {
				f.Source = src
				list = append(list, f)
			}
		}
	}
	return list
}

// match takes the fresh findings that are among the known ones out of both lists.
func (c *comparison) match(known []finding.Finding, only func(identity) identity) []finding.Finding {
	left := map[identity]int{}
	for _, f := range known {
		left[only(c.old(f))]++
	}
	used := map[identity]int{}
	c.fresh = slices.DeleteFunc(c.fresh, func(f finding.Finding) bool {
		id := only(now(f))
		if left[id] == 0 {
			return false
		}
		left[id]--
		used[id]++
		return true
	})
	return slices.DeleteFunc(known, func(f finding.Finding) bool {
		id := only(c.old(f))
		used[id]--
		return used[id] >= 0
	})
}

// old returns the identity of a finding from before, with its place moved along.
func (c *comparison) old(f finding.Finding) identity {
	return identity{f.Rule, f.Source.Path, f.Message, c.moved[f.Source.Path].New(f.Span.Start)}
}

// now returns the identity of a finding from after.
func now(f finding.Finding) identity {
	return identity{f.Rule, f.Source.Path, f.Message, f.Span.Start}
}

// fixedIndex returns which of the fixed findings a new one is, or -1.
func (c *comparison) fixedIndex(n finding.Finding) int {
	return slices.IndexFunc(c.Fixed, func(f finding.Finding) bool {
		old, new := c.old(f), now(n)
		return old.rule == new.rule && old.path == new.path && (old.start == new.start || old.message == new.message)
	})
}

// matters reports whether a new finding speaks against a fix: the rule is that
// of a fix, or the file is not right any more. What a file that did not parse
// kept hidden does not.
func (c *comparison) matters(n finding.Finding) bool {
	if c.rules[n.Rule] {
		return true
	}
	if n.Severity != finding.Error || c.broken[n.Source.Path] && n.Rule != "yaml/syntax" {
		return false
	}
	return strings.HasPrefix(n.Rule, "yaml/") || strings.HasPrefix(n.Rule, "schema/")
}
