package migrate

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema/plain"
)

// wait makes steps wait for others that the program orders before them. In v2, only data determines the order, so the
// earlier step gets an output that says it is done.
func (p *pipelineReader) wait(out *Pipeline) {
	steps := map[string]*Job{}
	for _, j := range out.Steps {
		steps[j.Step.Name] = j
	}
	for _, e := range p.root.Get("steps").Resolve().Own() {
		later := steps[p.names[e.Key.Value]]
		for _, item := range e.Value.Get("run_after").List() {
			earlier := steps[p.names[item.Value]]
			if later == nil || earlier == nil {
				continue
			}
			if waitsFor(steps, earlier, later, map[*Job]bool{}) {
				p.m.Ledger.Node(account.Note{For: later.Name, Disposition: account.Dropped, Why: "that step waits for this one"}, item)
				continue
			}
			note := account.Note{For: later.Name, Disposition: account.Mapped, Result: "`inputs`: it uses data that the step produces"}
			prefix := "${{parent.jobs." + earlier.Step.Name + ".outputs."
			if !slices.ContainsFunc(later.Inputs, func(d Data) bool { return strings.HasPrefix(d.Address, prefix) }) {
				name := p.done(earlier)
				in := Data{Name: unused(later.dataNames(), "after_"+earlier.Step.Name), Address: prefix + name + "}}", Waits: true}
				later.Inputs = append(later.Inputs, in)
				note.Result, note.Why = "`inputs."+in.Name+"`", "in v2, only data determines the order of steps"
			}
			p.m.Ledger.Node(note, item)
		}
	}
}

// waitsFor reports whether a step depends, directly or indirectly, on the outputs of another.
func waitsFor(steps map[string]*Job, j, other *Job, seen map[*Job]bool) bool {
	if j == other || seen[j] {
		return j == other
	}
	seen[j] = true
	for _, in := range j.Inputs {
		rest, made := strings.CutPrefix(in.Address, "${{parent.jobs.")
		name, _, _ := strings.Cut(rest, ".")
		if maker := steps[name]; made && maker != nil && waitsFor(steps, maker, other, seen) {
			return true
		}
	}
	return false
}

// done returns the output that says that a step is done.
func (p *pipelineReader) done(j *Job) string {
	var taken []string
	for _, d := range plain.Both(j.Inputs, j.Outputs) {
		if d.Waits && strings.HasPrefix(d.Name, "done") {
			return d.Name
		}
		taken = append(taken, d.Name)
	}
	if j.Step.Parallel != nil && len(j.Outputs) > 0 {
		return j.Outputs[0].Name
	}
	j.Outputs = append(j.Outputs, Data{Name: unused(taken, "done"), Waits: true})
	return j.Outputs[len(j.Outputs)-1].Name
}
