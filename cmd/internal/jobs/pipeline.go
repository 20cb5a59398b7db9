package jobs

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/runtime/command"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/plain"
)

// step is a step that runs something itself, possibly in a pipeline that is a step of another one.
type step struct {
	name   string // including those of the enclosing steps: "train.fit"
	child  string
	at     schema.Field
	job    *schema.Job // nil: only Azure ML knows
	around *command.Pipeline
}

// runPipeline runs the steps of a pipeline one after the other, or one of them.
func (c *Jobs) runPipeline(ctx context.Context, k chosen, choice command.Choice, o RunOptions) error {
	r := &pipelineRun{Jobs: c, o: o, choice: choice, given: choice.Inputs}
	if err := r.find(k); err != nil {
		return err
	}
	if o.Step == "" {
		if err := r.knows(k.pipeline); err != nil {
			return err
		}
		r.choice.Inputs = nil
	}
	return r.run(ctx, k)
}

// find sets the chosen steps.
func (r *pipelineRun) find(k chosen) error {
	steps, err := r.stepsOf(k)
	if err != nil {
		return err
	}
	if r.steps, r.others = steps, nil; r.o.Step == "" {
		return r.known(steps)
	}
	at := slices.IndexFunc(steps, func(s step) bool { return s.name == r.o.Step })
	if at < 0 {
		var names []string
		for _, s := range steps {
			names = append(names, s.name)
		}
		return console.Usage("run", "--step %s: there is no such step%s\nThere are: %s", r.o.Step, ui.DidYouMean(r.o.Step, names), strings.Join(names, ", "))
	}
	r.steps = steps[at : at+1]
	if err := r.known(r.steps); err != nil {
		return err
	}
	for _, s := range steps {
		switch {
		case s.job == nil:
			r.others = append(r.others, schema.NewJob(s.at.File, s.at.Node.Resolve()))
		case s.job != steps[at].job:
			r.others = append(r.others, s.job)
		}
	}
	r.earlier(k, steps)
	return nil
}

// known refuses steps of which only Azure ML knows what they run.
func (r *pipelineRun) known(steps []step) error {
	for _, s := range steps {
		if s.job == nil {
			r.sayWhy("not started: %s: step %s decides at run time what runs, which only Azure ML can do", command.Choice{Name: r.nameOf}.At(s.at), s.name)
			return console.Status(console.NotStarted)
		}
	}
	return nil
}

// stepsOf returns the steps of a pipeline in the order in which they run.
func (r *pipelineRun) stepsOf(k chosen) (steps []step, err error) {
	list, err := k.project.Steps(&schema.Pipeline{Of: k.pipeline})
	if bad, ok := errors.AsType[*schema.StepError](err); ok {
		r.sayWhy("not started: %s: %s", command.Choice{Name: r.nameOf}.At(bad.At), bad.Text)
		return nil, console.Status(console.NotStarted)
	}
	known := map[*schema.Pipeline]*command.Pipeline{}
	var around func(p *schema.Pipeline) *command.Pipeline
	around = func(p *schema.Pipeline) *command.Pipeline {
		switch {
		case p == nil:
			return nil
		case known[p] == nil:
			known[p] = &command.Pipeline{Of: p.Of, Outer: around(p.Outer), Name: p.Name, Outputs: map[string]command.Made{}}
			if p.Outer == nil {
				known[p].Given = r.given
			}
		}
		return known[p]
	}
	for _, s := range list {
		steps = append(steps, step{name: s.Name, child: s.Child, at: s.At, job: s.Job, around: around(s.In)})
	}
	return steps, nil
}

// pipelineRun runs some steps of a pipeline.
type pipelineRun struct {
	*Jobs
	o      RunOptions
	steps  []step
	others []*schema.Job  // of the steps that are not run; of one that is not known, only its place
	choice command.Choice // for each step, except its job
	given  map[string]string
}

// knows rejects inputs that the pipeline does not have.
func (r *pipelineRun) knows(pipeline *schema.Job) error {
	var names []string
	for _, d := range pipeline.Inputs() {
		names = append(names, d.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(r.choice.Inputs)) {
		if !slices.Contains(names, name) {
			known := ", and no other"
			if len(names) > 0 {
				known = cmp.Or(ui.DidYouMean(name, names), "; it has "+strings.Join(names, ", ")+" (--step gives a step its own)")
			}
			return console.Usage("run", "--input %s: the pipeline has no such input%s", name, known)
		}
	}
	return nil
}

// run checks and plans all steps, and then runs them.
func (r *pipelineRun) run(ctx context.Context, k chosen) error {
	k.job, k.without = r.steps[0].job, r.others
	for _, s := range r.steps[1:] {
		k.also = append(k.also, s.job)
	}
	was := k.project
	if err := r.ready(&k, r.o); err != nil {
		return err
	}
	if k.project != was { // it was repaired
		k = k.in(k.project.File(k.file.Path))
		if err := r.find(k); err != nil {
			return err
		}
	}
	r.choice.Project = k.project
	if err := r.plan(ctx, k); err != nil || r.o.Plan || r.o.Check {
		return err
	}
	for i, s := range r.steps {
		if len(r.steps) > 1 && !r.o.Detach {
			r.Say("step %s (%d of %d)", s.name, i+1, len(r.steps))
		}
		result, p, err := r.runStep(ctx, k, r.of(s), r.o, len(r.steps)-i-1)
		if result == nil || err != nil {
			return err
		}
		r.o.background = runid.ID{} // the other steps have their own runs
		if err := r.finish(result.Result, result.err); err != nil {
			r.needsEngine(result.err)
			if i+1 < len(r.steps) {
				r.Say("the pipeline ends here: %s not run", plain.Count(len(r.steps)-i-1, "step"))
			}
			return err
		}
		if err := r.made(s, p, result.Result); err != nil {
			return err
		}
	}
	return nil
}

// plan plans all steps, so that nothing is started if one of them cannot be, and shows or checks them if requested.
// What is wrong is said of all steps, but once.
func (r *pipelineRun) plan(ctx context.Context, k chosen) error {
	o, failed := r.o, error(nil)
	var wrong []error
	for i, s := range r.steps {
		if o.Plan || o.Check {
			r.sayStep(s.name, i == 0)
			_, p, err := r.runStep(ctx, k, r.of(s), o, 0)
			if err != nil {
				failed = err
			}
			r.expect(s, p)
			continue
		}
		p, err := r.planCommand(k, r.of(s), o)
		wrong = append(wrong, err)
		r.expect(s, p)
	}
	if err := errors.Join(wrong...); err != nil {
		return r.noPlan(o.Command, err)
	}
	return failed
}

// of returns the choice for a step.
func (r *pipelineRun) of(s step) command.Choice {
	choice := r.choice
	choice.Job, choice.Step, choice.Around = s.job, s.child, s.around
	return choice
}
