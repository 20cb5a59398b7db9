package fixers

import (
	"cmp"
	"errors"
	"slices"

	"github.com/amlfix/amlfix/fixers/edit"
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
		f.stream = file.Stream.For(source.New(f.path, file.Source.Text))
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
