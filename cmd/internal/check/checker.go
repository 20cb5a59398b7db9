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

// Options say what is done with each project. The zero value only checks.
type Options struct {
	// Answers are the user's decisions.
	Answers Answers
	// Repair makes the safe repairs, with Unsafe also those that may change what the
	// job does. Ignores adds comments for what is left; nil for none.
	Repair, Unsafe bool
	Ignores        *Ignores
	// Write writes them to disk, all of a project's or nothing. Otherwise they are
	// only planned, each project over the texts that those before it leave.
	Write bool
	// Person is asked about repairs that need a decision, and before anything is
	// written; nil when nobody is there.
	Person Person
}

// Checker checks projects, and repairs them as its options say. Check may be
// called for several projects at once, unless there is a Person.
type Checker struct {
	*Engine
	Options

	diffs     diffs
	writing   sync.Mutex      // held while files are written
	rewritten map[string]bool // the files that were, by identity; guarded by writing
	alone     sync.RWMutex    // held for writing by a project that has to try again
}

// Checker returns one for a call.
func (e *Engine) Checker(o Options) *Checker {
	return &Checker{Engine: e, Options: o, rewritten: map[string]bool{}}
}

// Result is what checking a project, and repairing it, came to.
type Result struct {
	// Project is the project as it was read, before its repair.
	Project *schema.Project
	// All are the findings that are left, also those that do not count; Findings
	// are those that do.
	All, Findings []finding.Finding
	// Raw are the findings in Project before any baseline; nil where they are not
	// known.
	Raw []finding.Finding
	// Made are the repairs that were made: written, or where the project is that
	// of one text, in Text. Refused are those that could not be, with the reasons.
	Made    []fixers.Applied
	Refused []fixers.Refused
	// Patch is the repair, also when it was only planned; nil when none was asked
	// for.
	Patch *fixers.Patch
	// Text is what the text given to FromText becomes; nil for projects on disk,
	// and when nothing was to be made.
	Text []byte
	// Turn is for Checker.InTurn.
	Turn Turn
	// Err is that files were not written, that the person wants no more
	// (ErrStopped), or that amlfix failed on the project. The rest of the result
	// then says what is on disk, as far as that is known.
	Err error
}

// judge takes all findings that there are, and picks those that count.
func (d *Result) judge(r Root, all []finding.Finding) { d.All, d.Findings = all, r.Counting(all) }

// Wrote reports whether a file was written.
func (c *Checker) Wrote() bool {
	c.writing.Lock()
	defer c.writing.Unlock()
	return len(c.rewritten) > 0
}

// Check checks a project, and repairs it as the options say. It does not panic.
func (c *Checker) Check(r Root) Result {
	result, err := pool.Guarded(c.Rel(r.Dir), func() Result { return c.examine(r) })
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
		if changed := new(transaction.ChangedError); errors.As(out.Err, &changed) && (changed.Repaired || c.repaired(changed.Path)) {
			// another project, which shares the file, or another amlfix was faster
			out, out.Err = c.attemptWith(&c.alone, r)
		}
		out.Err = transaction.Renamed(out.Err, c.Rel)
	default:
		out.Project = r.Load(c.Answers)
		out.Raw = rules.Check(out.Project)
		out.judge(r, r.marked(out.Raw))
	}
	if c.Ignores != nil {
		out.All = r.All(out.Project) // the comments that are added now are reported as such
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

// MaySafely reports whether a finding has a fix that is made unasked.
func MaySafely(f finding.Finding) bool {
	return f.Fix != nil && f.Fix.Applicability == finding.Safe
}
