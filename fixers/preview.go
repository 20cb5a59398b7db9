package fixers

import (
	"errors"

	"github.com/amlfix/amlfix/fixers/edit"
	"github.com/amlfix/amlfix/fixers/proof"
	"github.com/amlfix/amlfix/fixers/text"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
)

// FileEdits are the replacements that one fix makes in one file.
type FileEdits struct {
	// Source is the text that was read, empty for a file that the fix creates; spans of Edits point into it.
	Source *source.Source
	// Creates reports that the file does not exist yet.
	Creates bool
	// Edits are in order and do not overlap.
	Edits []text.Edit
}

// Preview computes what individual fixes would change, for callers that show fixes without making them. It must not be
// used concurrently.
type Preview struct {
	repairer *repairer
	price    int // of the budget, for one fix
}

// perFinding is the cost of comparing a finding with those after a fix, in the units of maxWork.
const perFinding = 1300

// NewPreview returns the Preview of a project. The option Allow says which faults a fix may uncover, as in Repair.
func NewPreview(p *schema.Project, opts Options) *Preview {
	opts = opts.withDefaults()
	budget := maxWork * 2 / 3 // a report has more to do than that
	found := opts.found(p)
	return &Preview{&repairer{opts: opts, original: p, project: p, findings: found, budget: &budget,
		editors: map[*document.Stream]*edit.Editor{}, texts: map[*document.Stream]*proof.Before{}}, work(p) + perFinding*len(found)}
}

// Edits returns the changes of a finding's fix when it is made alone, proved as for writing. With RecheckPart, nothing
// rules out that another rule would make one of the changes again. The error says why the fix would not be made.
func (v *Preview) Edits(f finding.Finding) ([]FileEdits, error) {
	if f.Fix == nil || len(f.Fix.Changes) == 0 {
		return nil, errors.New("the finding has no fix")
	}
	if *v.repairer.budget < v.price {
		return nil, errors.New("in a project of this size, no more fixes are worked out alone; amlfix --diff shows all of them")
	}
	c, err := v.repairer.plan(0, f)
	for _, file := range c.files {
		if file.creates {
			delete(v.repairer.editors, file.stream) // no other fix creates it
		}
	}
	if err != nil {
		return nil, err
	}
	after, failed := newProver(v.repairer, nil).attempt([]candidate{c})
	if failed != nil {
		v.repairer.spend(work(v.repairer.project)) // all rules had to decide
		return nil, failed
	}
	out := make([]FileEdits, len(c.files))
	for i, e := range c.files {
		if e.creates {
			whole := text.Edit{New: string(after.project.File(e.path).Source.Text)}
			out[i] = FileEdits{Source: source.New(e.path, nil), Creates: true, Edits: []text.Edit{whole}}
			continue
		}
		text.Sort(e.edits)
		out[i] = FileEdits{Source: e.stream.Source, Edits: e.edits}
	}
	return out, nil
}
