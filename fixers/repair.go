// Package fixers repairs projects: the fixes of findings become edits of bytes (package edit), which are proved
// (package proof), shown (package diff) and written as one transaction (package transaction).
package fixers

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/fixers/edit"
	"github.com/amlfix/amlfix/fixers/proof"
	"github.com/amlfix/amlfix/fixers/text"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
)

// maxRounds is how often a project is repaired and checked again before fixes that are still being made count as
// endless. Fixes that uncover each other take three or four rounds.
const maxRounds = 20

// Options says what Repair may do.
type Options struct {
	// Recheck returns all findings of a project. It is passed in because fixers must not know the rules. Required.
	Recheck func(*schema.Project) []finding.Finding
	// RecheckPart returns those of Recheck's findings that a rule reports, or a rule that is finding.OfFile, and
	// perhaps others of these rules that Recheck leaves out because of what another rule reports. A Preview calls it
	// first with the rule of the fix, and Recheck only if the fix then seems not to hold. Repair does not use it; it
	// may be nil.
	RecheckPart func(p *schema.Project, rule string) []finding.Finding
	// Found is what Recheck returns for the project before any fix; nil if unknown.
	Found []finding.Finding
	// Allow reports whether the fix of a finding may be made; nil allows the safe ones.
	Allow func(finding.Finding) bool
	// Again reports whether the fix of a finding counts in the proof that planning again makes no change twice; nil
	// stands for Allow.
	Again func(finding.Finding) bool
}

// Repair computes the repair of a project in memory: it makes the allowed fixes in rounds, checking the project after
// each, until none is left. A fix that cannot be made or proved is refused, with the reason, and the others are still
// made. Of rules that undo each other's fixes, no fix is made. Nothing is read or written. The error reports misuse
// only.
func Repair(p *schema.Project, opts Options) (*Patch, error) {
	if p == nil || opts.Recheck == nil {
		return nil, errors.New("repair: a project and a function to check it again are needed")
	}
	opts = opts.withDefaults()
	opts.RecheckPart = nil               // the next round needs all findings
	nonConverging := map[string]string{} // rule → why its fixes are not made
	findings, budget := opts.found(p), maxWork
	for {
		r := &repairer{opts: opts, original: p, project: p, findings: findings, first: findings, nonConverging: nonConverging, budget: &budget, seed: maphash.MakeSeed(), seen: map[uint64]int{}}
		rules, reason := r.run()
		if len(rules) == 0 {
			return r.patch(), nil
		}
		for _, rule := range rules {
			nonConverging[rule] = reason
		}
	}
}

func (o Options) withDefaults() Options {
	if o.Allow == nil {
		o.Allow = func(f finding.Finding) bool { return f.Fix.Applicability == finding.Safe }
	}
	if o.Again == nil {
		o.Again = o.Allow
	}
	return o
}

// found returns the findings of the project before any fix.
func (o Options) found(p *schema.Project) []finding.Finding {
	if o.Found != nil {
		return finding.Sort(slices.Clone(o.Found))
	}
	return check(o, p)
}

func check(opts Options, p *schema.Project) []finding.Finding {
	return finding.Sort(slices.Clone(opts.Recheck(p)))
}

// repairer is one attempt to repair a project.
type repairer struct {
	opts          Options
	original      *schema.Project
	nonConverging map[string]string
	budget        *int // what is left of maxWork

	project  *schema.Project // as repaired so far
	findings []finding.Finding
	applied  []Applied
	also     []Applied
	refused  []Refused
	editors  map[*document.Stream]*edit.Editor  // of the current texts
	texts    map[*document.Stream]*proof.Before // the same, as read for proofs
	first    []finding.Finding                  // those before any fix
	offered  map[kind]int                       // how many of each kind of those had a fix, minus the fixed ones
	seed     maphash.Seed                       // of all states: nobody can find two texts with one hash
	seen     map[uint64]int                     // state → number of the round after which it was reached
	late     map[string][]byte                  // texts of the files that the project got because a fix names them
	rounds   [][]string                         // the rules whose fixes each round made
}

// run makes rounds until nothing is left to do. If that does not end, it returns the rules to blame, and the reason.
func (r *repairer) run() (rules []string, reason string) {
	r.seen[r.state()] = 0
	for r.round() {
		state := r.state()
		if begin, again := r.seen[state]; again {
			rules = ruleNames(r.rounds[begin:])
			return rules, fmt.Sprintf("the fixes of %s undo each other, so none of them was made", strings.Join(rules, " and "))
		}
		r.seen[state] = len(r.rounds)
		if len(r.rounds) == maxRounds {
			rules = ruleNames(r.rounds[maxRounds/2:])
			return rules, fmt.Sprintf("the fixes of %s do not settle after %d rounds, so none of them was made", strings.Join(rules, " and "), maxRounds)
		}
	}
	for _, f := range r.findings {
		if reason := r.nonConverging[f.Rule]; reason != "" && f.Fix != nil && r.opts.Allow(f) {
			r.refused = append(r.refused, Refused{Finding: f, Reason: reason})
		}
	}
	return nil, ""
}

// joined notes the files that exist on disk and became part of the project in a round, because a corrected path names
// them: the next rounds may change them too.
func (r *repairer) joined(made []candidate, after *schema.Project) {
	for _, f := range after.Files {
		created := slices.ContainsFunc(made, func(c candidate) bool {
			return slices.ContainsFunc(c.files, func(e edited) bool { return e.creates && e.path == f.Path })
		})
		if created || f.Err != nil || r.project.File(f.Path) != nil || r.original.File(f.Path) != nil {
			continue
		}
		if r.late == nil {
			r.late = map[string][]byte{}
		}
		r.late[f.Path] = f.Source.Text
	}
}

func ruleNames(rounds [][]string) []string {
	names := slices.Concat(rounds...)
	slices.Sort(names)
	return slices.Compact(names)
}

// state returns a key for the texts of all changed files. If two states had the same, fixes would only be refused.
func (r *repairer) state() uint64 {
	var h maphash.Hash
	h.SetSeed(r.seed)
	for _, f := range r.project.Files {
		if old := r.original.File(f.Path); old == nil || !bytes.Equal(old.Source.Text, f.Source.Text) {
			_, _ = h.WriteString(f.Path + "\x00" + strconv.Itoa(len(f.Source.Text)) + "\n") // a hash takes all
			_, _ = h.Write(f.Source.Text)
		}
	}
	return h.Sum64()
}

// round makes all fixes that can be made together, and reports whether there were any.
func (r *repairer) round() bool {
	r.refused = nil
	r.editors, r.texts = map[*document.Stream]*edit.Editor{}, map[*document.Stream]*proof.Before{}
	out := r.crowded() // findings whose fix was refused in this round
	for {
		batch := r.pick(out)
		if len(batch) == 0 {
			return false
		}
		p := newProver(r, out)
		if p.add(batch); p.after == nil {
			continue // what blocked others has been refused
		}
		var rules []string
		for _, c := range p.made {
			r.applied = append(r.applied, r.fixed(c.finding))
			rules = append(rules, c.finding.Rule)
		}
		r.alsoFixed(p.made, p.after)
		r.joined(p.made, p.after.project)
		r.rounds = append(r.rounds, rules)
		r.project, r.findings = p.after.project, p.after.findings
		return true
	}
}

// pick returns the fixes that can be made together: those that do not touch one picked before them. Others wait for the
// next round.
func (r *repairer) pick(out map[int]bool) (batch []candidate) {
	taken := &takenPlaces{edits: map[string]*text.Taken{}, removed: map[parent]int{}}
	planned := map[*finding.Change]bool{} // the first of each fix: findings may share one
	for i, f := range r.findings {
		if out[i] || !r.wants(f) || len(f.Fix.Changes) == 0 || planned[&f.Fix.Changes[0]] {
			continue
		}
		planned[&f.Fix.Changes[0]] = true
		c, err := r.plan(i, f)
		if err != nil {
			r.refuse(out, i, "", Reason(f, err))
			continue
		}
		if taken.take(c) {
			batch = append(batch, c)
		}
	}
	return batch
}

// Reason returns why the fix of a finding cannot be made, without the path of the finding's own file, which reports
// show anyway. Other paths are absolute.
func Reason(f finding.Finding, err error) string {
	var refused *edit.RefusedError
	var failed *proof.Error
	switch {
	case errors.As(err, &refused) && refused.Change.File == f.Source.Path:
		return refused.Reason
	case errors.As(err, &failed):
		return failed.Reason
	}
	return err.Error()
}

// wants reports whether the fix of a finding is one to be made.
func (r *repairer) wants(f finding.Finding) bool {
	return f.Fix != nil && r.nonConverging[f.Rule] == "" && r.opts.Allow(f)
}

func (r *repairer) refuse(out map[int]bool, i int, clause, reason string) {
	out[i] = true
	r.refused = append(r.refused, Refused{Finding: r.findings[i], Clause: clause, Reason: reason})
}

// patch returns the result so far.
func (r *repairer) patch() *Patch {
	r.settle()
	p := &Patch{Root: r.original.Root, Boundary: r.original.Boundary(), Applied: r.applied, Also: r.also, Refused: r.refused, Remaining: r.findings}
	for _, f := range r.project.Files {
		before, exists := r.late[f.Path]
		if old := r.original.File(f.Path); old != nil {
			before, exists = old.Source.Text, true
		}
		switch {
		case !exists && r.changes(f.Path):
			p.Files = append(p.Files, FilePatch{Path: f.Path, New: f.Source.Text})
		case exists && string(before) != string(f.Source.Text):
			p.Files = append(p.Files, FilePatch{Path: f.Path, Old: append([]byte{}, before...), New: f.Source.Text})
		}
	}
	plain.SortFunc(p.Files, func(a, b FilePatch) int { return cmp.Compare(a.Path, b.Path) })
	return p
}

// changes reports whether an applied fix declares a change of the file.
func (r *repairer) changes(path string) bool {
	return slices.ContainsFunc(r.applied, func(a Applied) bool {
		return slices.ContainsFunc(a.Finding.Fix.Changes, func(c finding.Change) bool { return c.File == path })
	})
}
