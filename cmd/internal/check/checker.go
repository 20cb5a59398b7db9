package check

import (
	"errors"
	"sync"

	"github.com/amlfix/amlfix/cmd/internal/pool"
	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/fixers/transaction"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
)

// Options say what to do with each project. The zero value only checks.
type Options struct {
	// Answers are the user's decisions.
	Answers Answers
	// Repair makes the safe repairs; with Unsafe, also those that may change what the job does. Ignores adds
	// suppression comments for what is left; nil for none.
	Repair, Unsafe bool
	Ignores        *Ignores
	// Write writes the repairs to disk, either all of a project's or none. Otherwise they are only planned, each
	// project based on the texts that the preceding ones leave.
	Write bool
	// Person is asked about repairs that need a decision, and before anything is written; nil if nobody is there.
	Person Person
}

// Checker checks projects, and repairs them according to its options. Check may be called concurrently for different
// projects, unless there is a Person.
type Checker struct {
	*Engine
	Options

	diffs     diffs
	writing   sync.Mutex      // guards the next three
	released  *sync.Cond      // signals that files are no longer claimed
	claimed   map[string]bool // the files being written, by identity
	rewritten map[string]bool // those that were written
	alone     sync.RWMutex    // write-locked by a project that has to try again
}

// Checker returns a checker with these options.
func (e *Engine) Checker(o Options) *Checker {
	c := &Checker{Engine: e, Options: o, claimed: map[string]bool{}, rewritten: map[string]bool{}}
	c.released = sync.NewCond(&c.writing)
	return c
}

// Result is the result of checking, and repairing, a project.
type Result struct {
	// Project is the project as read before its repair.
	Project *schema.Project
	// All are the remaining findings, including those that do not count; Findings are those that do.
	All, Findings []finding.Finding
	// Raw are the findings in Project before any baseline; nil if not known.
	Raw []finding.Finding
	// Made are the repairs that were made: on disk or, for a project of a single text, in Text. Refused are those that
	// could not be made, with the reasons.
	Made    []fixers.Applied
	Refused []fixers.Refused
	// Patch is the repair, even if it was only planned; nil if none was requested.
	Patch *fixers.Patch
	// Text is the result for the text given to FromText; nil for projects on disk, and if there was nothing to do.
	Text []byte
	// Turn is for Checker.InTurn.
	Turn Turn
	// Err means that files were not written, that the person wants to stop (ui.ErrStopped), or that amlfix failed on
	// the project. The rest of the result then says what is on disk, as far as known.
	Err error
}

// judge stores all findings, and those that count.
func (d *Result) judge(r Root, all []finding.Finding) { d.All, d.Findings = all, r.Counting(all) }

// Wrote reports whether a file was written.
func (c *Checker) Wrote() bool {
	c.writing.Lock()
	defer c.writing.Unlock()
	return len(c.rewritten) > 0
}

// Check checks a project, and repairs it according to the options. It does not panic.
func (c *Checker) Check(r Root) Result {
	result, err := pool.Guarded(r.Name(), func() Result { return c.examine(r) })
	if err != nil {
		result.Err = err
	}
	return result
}

func (c *Checker) examine(r Root) (out Result) {
	switch {
	case c.Person != nil:
		out, out.Err = c.dialogue(r)
	case c.Repair || c.Ignores != nil:
		out, out.Err = c.attemptWith(c.alone.RLocker(), r)
		if changed, ok := errors.AsType[*transaction.ChangedError](out.Err); ok && (changed.Repaired || c.repaired(changed.Path)) {
			// another project that shares the file, or another amlfix, was faster
			out, out.Err = c.attemptWith(&c.alone, r)
		}
		out.Err = transaction.Renamed(out.Err, c.Rel)
	default:
		r.shared = r.sharing.Take(r.Dir)
		out.Project = r.Load(c.Answers)
		out.Raw = rules.Check(out.Project)
		out.judge(r, r.marked(out.Raw))
	}
	if c.Ignores != nil {
		out.All = r.All(out.Project) // comments that are added now are reported as such
	}
	if !c.Write && (c.Repair || c.Ignores != nil) {
		if out.Patch != nil {
			out.Turn.changed = out.Patch.Changed()
		}
		for _, f := range out.Project.Files {
			out.Turn.met = append(out.Turn.met, f.Path)
		}
	}
	return out
}

// allow reports whether a finding's fix may be made without asking.
func (c *Checker) allow(f finding.Finding) bool {
	return MaySafely(f) || c.Unsafe && f.Fix != nil && f.Fix.Applicability == finding.Unsafe
}

// MaySafely reports whether a finding has a fix that can be made without asking.
func MaySafely(f finding.Finding) bool {
	return f.Fix != nil && f.Fix.Applicability == finding.Safe
}
