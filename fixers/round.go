package fixers

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/amlfix/amlfix/fixers/edit"
	"github.com/amlfix/amlfix/fixers/proof"
	"github.com/amlfix/amlfix/fixers/text"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
)

// candidate is a fix worked out against the text at hand.
type candidate struct {
	index   int // of the finding in repairer.findings
	finding finding.Finding
	files   []edited
}

// edited is what a fix does to one file, or to the copy of one.
type edited struct {
	path    string
	from    string           // of what it becomes a copy, or ""
	stream  *document.Stream // of the text that is changed
	edits   []text.Edit
	changes []finding.Change
	creates bool
}

// claims returns the places that no other fix of the round may touch: those of
// the edits, or all of a file that is created.
func (f edited) claims() []text.Edit {
	if f.creates {
		return []text.Edit{{Span: source.Span{Start: 0, End: len(f.stream.Source.Text)}}}
	}
	return f.edits
}

// plan works out the edits of a fix, all or none.
func (r *repairer) plan(index int, f finding.Finding) (candidate, error) {
	c := candidate{index: index, finding: f}
	for _, change := range f.Fix.Changes {
		i := 0
		for i < len(c.files) && c.files[i].path != change.File {
			i++
		}
		if i == len(c.files) {
			c.files = append(c.files, edited{path: change.File})
		}
		c.files[i].changes = append(c.files[i].changes, change)
	}
	for i, f := range c.files {
		f, err := r.prepare(f)
		if err != nil {
			return c, err
		}
		if r.editors[f.stream] == nil {
			r.editors[f.stream] = edit.New(f.stream)
		}
		if f.edits, err = r.editors[f.stream].Edits(f.changes); err != nil {
			return c, err
		}
		c.files[i] = f
	}
	return c, nil
}

// prepare finds the text that a fix changes: that of the file, of the file it is
// to be a copy of, or none when the file is new.
func (r *repairer) prepare(f edited) (edited, error) {
	file, first := r.project.File(f.path), f.changes[0]
	f.creates = slices.ContainsFunc(f.changes, func(c finding.Change) bool { return c.Op == finding.NewFile || c.Op == finding.CopyFile })
	switch {
	case f.creates && len(f.changes) > 1:
		return f, errors.New(f.path + ": a file that is created cannot be changed by the same fix")
	case f.creates && file != nil:
		return f, errors.New(f.path + ": the file exists already")
	case first.Op == finding.NewFile:
		f.stream = document.Parse(source.New(f.path, nil))
		return f, nil
	case first.Op == finding.CopyFile:
		if slices.ContainsFunc(first.Changes, func(c finding.Change) bool { return c.Op == finding.NewFile || c.Op == finding.CopyFile }) {
			return f, errors.New(f.path + ": a copy can only be changed, not created again")
		}
		file, f.from, f.changes = r.project.File(first.From), first.From, first.Changes
	}
	switch {
	case file == nil:
		return f, errors.New(cmp.Or(first.From, f.path) + ": the file is not part of the project")
	case file.Err != nil:
		return f, errors.New(file.Path + ": the file could not be read")
	case f.creates:
		f.stream = document.Parse(source.New(f.path, file.Source.Text))
	default:
		f.stream = file.Stream
	}
	return f, nil
}

// outcome is a project after some fixes.
type outcome struct {
	project  *schema.Project
	findings []finding.Finding
}

// maxAttempts bounds the proofs of one round. One is enough as long as all fixes
// hold; each that does not costs some more.
const maxAttempts = 200

// maxWork bounds the proofs of one repair together, in units of one byte read: a
// proof costs what reading the project costs, so that a project of 10 kB has as
// many tries as it may need, and one of 1 MB a few.
const maxWork = 12 << 20

// work returns what one proof costs: the bytes of the project's text, and for
// each value of its documents what it costs to make a node of it.
func work(p *schema.Project) (units int) {
	const perValue = 16
	for _, f := range p.Files {
		if f.Source == nil {
			continue
		}
		units += len(f.Source.Text)
		if f.Stream != nil {
			units += perValue * f.Stream.Values
		}
	}
	return units
}

// prove returns the fixes of the batch that hold together, and the project with
// them made; nil when there are none. Fixes that do not hold are refused.
func (r *repairer) prove(batch []candidate, out map[int]bool) ([]candidate, *outcome) {
	p := &prover{repairer: r, out: out}
	p.add(batch)
	return p.made, p.after
}

// prover finds the fixes of a batch that hold together.
type prover struct {
	*repairer
	out      map[int]bool
	attempts int
	gentle   int // how many fixes to refuse at once
	made     []candidate
	after    *outcome
}

// add makes the fixes of a group, less those that do not hold. What a failed
// proof does not tell is found by halving: two halves may each hold, or be halved.
func (p *prover) add(group []candidate) {
	for len(group) > 0 {
		switch p.attempts++; {
		case p.attempts > maxAttempts:
			p.leave(group, "too many other fixes did not hold, so this one%s was not tried")
			return
		case !p.afford():
			p.leave(group, "to prove the others took as long as it may for a project of this size, so this one%s was not tried: repair again")
			return
		}
		with := slices.Concat(p.made, group)
		after, err := p.attempt(with)
		if err == nil {
			p.made, p.after = with, after
			return
		}
		guilty := p.guilty(err, len(group))
		if len(guilty) == 0 {
			p.add(group[:len(group)/2])
			group = group[len(group)/2:]
			continue
		}
		for _, i := range slices.Backward(guilty) {
			p.refuse(p.out, group[i].index, err.Clause, err.Reason)
			group = slices.Delete(slices.Clone(group), i, i+1)
		}
	}
}

// leave refuses a group in one sentence.
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

// guilty returns which fixes of a group of n a failed proof speaks against: one
// first, because without it the others may hold, then twice as many each time.
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

// attempt makes the fixes and proves them together.
func (r *repairer) attempt(batch []candidate) (*outcome, *proof.Error) {
	files, order := map[string]*proof.File{}, []string{}
	for _, c := range batch {
		for _, f := range c.files {
			if files[f.path] == nil {
				files[f.path] = &proof.File{Path: f.path, From: f.from, Old: f.stream.Source.Text}
				order = append(order, f.path)
			}
			files[f.path].Edits = append(files[f.path].Edits, f.edits...)
			files[f.path].Changes = append(files[f.path].Changes, f.changes...)
		}
	}
	round := proof.Round{Before: r.findings, Fixable: func(f finding.Finding) bool { return f.Fix != nil && r.opts.Allow(f) }}
	changed := map[string][]byte{}
	for _, path := range order {
		f := files[path]
		text.Sort(f.Edits)
		var err error
		if f.New, err = text.Apply(f.Old, f.Edits); err == nil {
			err = proof.Check(*f)
		}
		if err != nil {
			return nil, asProofError(path, err)
		}
		changed[path] = f.New
		round.Files = append(round.Files, *f)
	}
	for _, c := range batch {
		round.Fixed = append(round.Fixed, c.finding)
	}
	after := &outcome{project: r.project.With(changed)}
	after.findings = check(r.opts, after.project)
	round.After = after.findings
	if err := proof.Recheck(round); err != nil {
		return nil, asProofError(order[0], err)
	}
	return after, nil
}

func asProofError(path string, err error) *proof.Error {
	var failed *proof.Error
	if errors.As(err, &failed) {
		return failed
	}
	return &proof.Error{Clause: proof.Bytes, Path: path, Reason: err.Error()}
}
