package fixers

import (
	"errors"
	"slices"

	"github.com/amlfix/amlfix/fixers/proof"
	"github.com/amlfix/amlfix/fixers/text"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
)

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
	for _, path := range order { // its findings would be gone, too
		if f := p.project.File(path); f != nil && f.V2 != "" && after.project.File(path).V2 == "" {
			return nil, &proof.Error{Clause: proof.Repaired, Path: path, Reason: "nothing else identifies this as an Azure ML v2 file: write the $schema of its kind first"}
		}
	}
	if p.opts.RecheckPart != nil { // a Preview has one fix
		round.After = finding.Sort(p.opts.RecheckPart(after.project, batch[0].finding.Rule))
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
	switch {
	case len(f.stream.Source.Text) > maxKept:
		return nil
	case f.creates: // no other fix has this stream
		return proof.Read(f.stream)
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
	if failed, ok := errors.AsType[*proof.Error](err); ok {
		return failed
	}
	return &proof.Error{Clause: proof.Bytes, Path: path, Reason: err.Error()}
}
