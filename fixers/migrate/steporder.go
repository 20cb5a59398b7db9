package migrate

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
)

// wait makes steps wait for others that the program orders before them. In v2, only data determines the order, so the
// earlier step gets an output that says it is done.
func (p *pipelineReader) wait(out *Pipeline) {
	step := func(name string) *Job {
		for _, j := range out.Steps {
			if j.Step.Name == p.names[name] {
				return j
			}
		}
		return nil
	}
	for _, e := range p.root.Get("steps").Resolve().Own() {
		later := step(e.Key.Value)
		for _, item := range items(e.Value.Get("run_after")) {
			earlier := step(item.Value)
			if later == nil || earlier == nil {
				continue
			}
			if waitsFor(out, earlier, later, map[*Job]bool{}) {
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
func waitsFor(out *Pipeline, j, other *Job, seen map[*Job]bool) bool {
	if j == other || seen[j] {
		return j == other
	}
	seen[j] = true
	for _, in := range j.Inputs {
		for _, maker := range out.Steps {
			if strings.HasPrefix(in.Address, "${{parent.jobs."+maker.Step.Name+".") && waitsFor(out, maker, other, seen) {
				return true
			}
		}
	}
	return false
}

// done returns the output that says that a step is done.
func (p *pipelineReader) done(j *Job) string {
	var taken []string
	for _, d := range slices.Concat(j.Inputs, j.Outputs) {
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
