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

// candidate is a fix with its edits of the current text.
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

// claims returns the places that no other fix of the round may touch: those of the edits, or all of a file that is
// created.
func (f edited) claims() []text.Edit {
	if f.creates {
		return []text.Edit{{Span: source.Span{Start: 0, End: len(f.stream.Source.Text)}}}
	}
	return f.edits
}

// plan computes the edits of a fix, all or none.
func (r *repairer) plan(index int, f finding.Finding) (candidate, error) {
	c := candidate{index: index, finding: f}
	for _, change := range f.Fix.Changes {
		i := slices.IndexFunc(c.files, func(f edited) bool { return f.path == change.File })
		if i < 0 {
			i, c.files = len(c.files), append(c.files, edited{path: change.File})
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

// prepare finds the text that a fix changes: that of the file, or of the file to be copied, or none if the file is new.
func (r *repairer) prepare(f edited) (edited, error) {
	file, first := r.project.File(f.path), f.changes[0]
	f.creates = slices.ContainsFunc(f.changes, func(c finding.Change) bool { return c.Op == finding.NewFile || c.Op == finding.CopyFile })
	switch {
	case f.creates && len(f.changes) > 1:
		return f, errors.New(f.path + ": a file cannot be created and changed by the same fix")
	case f.creates && file != nil:
		return f, errors.New(f.path + ": the file already exists")
	case first.Op == finding.NewFile:
		f.stream = document.Parse(source.New(f.path, nil))
		return f, nil
	case first.Op == finding.CopyFile:
		if slices.ContainsFunc(first.Changes, func(c finding.Change) bool { return c.Op == finding.NewFile || c.Op == finding.CopyFile }) {
			return f, errors.New(f.path + ": the copy of a file can only be changed, not created again")
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

// maxAttempts bounds the proofs of one round. One is enough if all fixes hold; each one that does not costs some more.
const maxAttempts = 200

// maxWork bounds the total cost of the proofs of one repair, in units of one byte read: a proof costs as much as
// reading the project, so a project of 10 kB gets as many attempts as it may need, and one of 1 MB a few.
const maxWork = 12 << 20

// work returns the cost of one proof: the bytes of the project's text, and for each value of its documents the cost of
// a node.
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

// prove returns the fixes of the batch that hold together, and the project after them; nil if there are none. Fixes
// that do not hold are refused.
func (r *repairer) prove(batch []candidate, out map[int]bool) ([]candidate, *outcome) {
	p := newProver(r, out)
	p.add(batch)
	return p.made, p.after
}

// prover finds the fixes of a batch that hold together.
type prover struct {
	*repairer
	out      map[int]bool
	attempts int
	gentle   int // how many fixes to refuse at once
	checked  map[string]checkedFile
	made     []candidate
	after    *outcome
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

// attempt makes the fixes and proves them together.
func (p *prover) attempt(batch []candidate) (*outcome, *proof.Error) {
	var order []string
	of := map[string][]candidate{}
	for _, c := range batch {
		for _, f := range c.files {
			if of[f.path] == nil {
				order = append(order, f.path)
			}
			of[f.path] = append(of[f.path], c)
		}
	}
	round := proof.Round{Before: p.findings, Fixable: func(f finding.Finding) bool { return f.Fix != nil && p.opts.Again(f) }}
	changed, parsed := map[string][]byte{}, map[string]*document.Stream{}
	for _, path := range order {
		f, err := p.check(path, of[path])
		if err != nil {
			return nil, err
		}
		changed[path], parsed[path] = f.New, f.After
		round.Files = append(round.Files, f)
	}
	for _, c := range batch {
		round.Fixed = append(round.Fixed, c.finding)
	}
	p.spend(work(p.project))
	after := &outcome{project: p.project.WithParsed(changed, parsed)}
	if p.opts.RecheckPart != nil {
		round.After = finding.Sort(p.opts.RecheckPart(after.project, round.Decides))
		if proof.Recheck(round) == nil {
			return after, nil
		}
	}
	after.findings = check(p.opts, after.project)
	round.After = after.findings
	if err := proof.Recheck(round); err != nil {
		return nil, asProofError(order[0], err)
	}
	return after, nil
}

// check makes the fixes in one file and proves that; batch has each of them once.
func (p *prover) check(path string, batch []candidate) (proof.File, *proof.Error) {
	file := proof.File{Path: path}
	var key []int
	for _, c := range batch {
		for _, f := range c.files {
			if f.path == path {
				file.From, file.Old, file.Before = f.from, f.stream.Source.Text, p.before(f)
				file.Edits, file.Changes = append(file.Edits, f.edits...), append(file.Changes, f.changes...)
				key = append(key, c.index)
			}
		}
	}
	if done, ok := p.checked[path]; ok && slices.Equal(done.key, key) {
		return done.file, nil
	}
	p.spend(len(file.Old))
	text.Sort(file.Edits)
	var err error
	if file.New, err = text.Apply(file.Old, file.Edits); err == nil {
		if len(file.New) <= maxKept {
			file.After = document.Parse(source.New(path, file.New))
		}
		err = proof.Check(file)
	}
	if err != nil {
		return file, asProofError(path, err)
	}
	p.checked[path] = checkedFile{key, file}
	return file, nil
}

// maxKept is the largest size, in bytes, of texts whose trees are kept between proofs: those of larger texts would take
// too much memory.
const maxKept = 64 << 10

// before returns what is known about a text that several proofs may use, or nil.
func (r *repairer) before(f edited) *proof.Before {
	if f.creates || len(f.stream.Source.Text) > maxKept {
		return nil
	}
	if r.texts[f.stream] == nil {
		r.texts[f.stream] = proof.Read(f.stream)
	}
	return r.texts[f.stream]
}

// checkedFile is a file that held with the fixes of some findings.
type checkedFile struct {
	key  []int // the findings' indexes
	file proof.File
}

func asProofError(path string, err error) *proof.Error {
	var failed *proof.Error
	if errors.As(err, &failed) {
		return failed
	}
	return &proof.Error{Clause: proof.Bytes, Path: path, Reason: err.Error()}
}
