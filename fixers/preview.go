package fixers

import (
	"errors"
	"slices"

	"github.com/amlfix/amlfix/fixers/edit"
	"github.com/amlfix/amlfix/fixers/text"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
)

// FileEdits are the replacements that one fix makes in one file.
type FileEdits struct {
	// Source is the text as it was read, none for a file that the fix creates;
	// spans of Edits point into it.
	Source *source.Source
	// Creates tells that the file does not exist yet.
	Creates bool
	// Edits are in order and do not overlap.
	Edits []text.Edit
}

// Preview works out what single fixes would change, for those who show a fix
// and leave it to others to make it. It is for one goroutine.
type Preview struct {
	repairer *repairer
	// together has proved fixes that can be made side by side; nil when no fix was
	// looked at yet. The rules have nothing to say against any of these after all of
	// them are made; they are found by their first change.
	together *prover
	held     map[*finding.Change]candidate
}

// NewPreview returns the Preview of a project. Of the options Allow says which
// faults a fix may uncover, as in Repair.
func NewPreview(p *schema.Project, opts Options) *Preview {
	opts = opts.withDefaults()
	budget := maxWork / 2 // a report has more to do than that
	return &Preview{repairer: &repairer{opts: opts, original: p, project: p, findings: opts.found(p), budget: &budget}}
}

// Edits returns what the fix of a finding of the project changes when it is made
// alone. The clauses of the proof about its files hold for it alone; those about what
// the rules say after it hold for it alone, or for all fixes of the project together
// that can be made side by side. The error says why it would not be made.
func (v *Preview) Edits(f finding.Finding) ([]FileEdits, error) {
	if f.Fix == nil || len(f.Fix.Changes) == 0 {
		return nil, errors.New("the finding has no fix")
	}
	if v.together == nil {
		v.proveTogether()
	}
	c, p, err := v.prove(f)
	if err != nil {
		return nil, err
	}
	out := make([]FileEdits, len(c.files))
	for i, e := range c.files {
		if e.creates {
			whole := text.Edit{New: string(p.checked[e.path].file.New)}
			out[i] = FileEdits{Source: source.New(e.path, nil), Creates: true, Edits: []text.Edit{whole}}
			continue
		}
		text.Sort(e.edits)
		out[i] = FileEdits{Source: e.stream.Source, Edits: e.edits}
	}
	return out, nil
}

// proveTogether finds fixes that hold together: a project is checked again once, and
// not for each of them.
func (v *Preview) proveTogether() {
	r := *v.repairer
	r.opts.Allow = func(f finding.Finding) bool { return f.Fix.Applicability != finding.Choice }
	r.editors = map[*document.Stream]*edit.Editor{}
	v.together, v.held = newProver(&r, map[int]bool{}), map[*finding.Change]candidate{}
	if batch := r.pick(v.together.out); len(batch) > 1 {
		v.together.add(batch)
	}
	for _, c := range v.together.made {
		v.held[&c.finding.Fix.Changes[0]] = c
	}
}

// prove proves a fix, and returns with it what has checked its files.
func (v *Preview) prove(f finding.Finding) (candidate, *prover, error) {
	c, held := v.held[&f.Fix.Changes[0]]
	if held && !slices.ContainsFunc(c.files, func(e edited) bool { return !slices.Equal(v.together.checked[e.path].key, []int{c.index}) }) {
		return c, v.together, nil // no other fix is in its files
	}
	r := v.repairer
	r.editors = map[*document.Stream]*edit.Editor{}
	c, err := r.plan(0, f)
	if err != nil {
		return c, nil, err
	}
	if *r.budget <= 0 {
		return c, nil, errors.New("proving the other fixes reached the limit for a project of this size")
	}
	p := newProver(r, nil)
	if !held {
		if _, failed := p.attempt([]candidate{c}); failed != nil {
			return c, nil, failed
		}
		return c, p, nil
	}
	for _, e := range c.files {
		if _, failed := p.check(e.path, []candidate{c}); failed != nil {
			return c, nil, failed
		}
	}
	return c, p, nil
}
