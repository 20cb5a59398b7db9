package jobs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/runtime"
	"github.com/amlfix/amlfix/runtime/command"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/schema"
)

// step is a child of a pipeline.
type step struct {
	name  string
	job   *schema.Job
	after []string // the steps whose outputs it has
}

// runPipeline runs the steps of a pipeline one after the other, or one of them.
func (c *Jobs) runPipeline(ctx context.Context, k chosen, choice command.Choice, o RunOptions) error {
	steps, err := c.steps(k)
	if err != nil {
		return err
	}
	if o.Step != "" {
		at := slices.IndexFunc(steps, func(s step) bool { return s.name == o.Step })
		if at < 0 {
			var names []string
			for _, s := range steps {
				names = append(names, s.name)
			}
			return cli.Usage("run", "--step %s: there is no such step%s\nThere are: %s", o.Step, cli.DidYouMean(o.Step, names), strings.Join(names, ", "))
		}
		steps = steps[at : at+1]
	}
	r := &pipelineRun{Jobs: c, o: o, steps: steps, choice: choice}
	r.choice.Around = &command.Pipeline{Of: k.pipeline, Given: choice.Inputs, Outputs: map[string]command.Made{}}
	if o.Step == "" {
		if err := r.knows(k.pipeline); err != nil {
			return err
		}
		r.choice.Inputs = nil
	} else {
		r.earlier(k)
	}
	return r.run(ctx, k)
}

// steps returns the steps of a pipeline in the order in which they run: each after
// those whose outputs it has, and otherwise as they are written.
func (c *Jobs) steps(k chosen) ([]step, error) {
	byNode := map[any]*schema.Job{}
	for _, j := range k.project.Jobs {
		byNode[j.Node] = j
	}
	var left []step
	file := k.pipeline.File
	mapping := k.pipeline.Node.Get("jobs").Resolve()
	for _, e := range mapping.Entries {
		j := byNode[e.Value.Resolve()]
		if j == nil {
			at := command.Choice{Name: func(f *schema.File) string { return c.Rel(f.Path) }}.At(schema.FieldAt(file, mapping, e.Key.Value))
			c.Say("not started: %s: step %s is a pipeline of its own, or decides what runs, which only Azure ML does", at, e.Key.Value)
			return nil, cli.Status(cli.NotStarted)
		}
		left = append(left, step{name: e.Key.Value, job: j, after: command.Steps(j)})
	}
	var ordered []step
	for len(left) > 0 {
		at := slices.IndexFunc(left, func(s step) bool {
			return !slices.ContainsFunc(left, func(other step) bool { return slices.Contains(s.after, other.name) })
		})
		if at < 0 {
			c.Say("not started: %s: step %s needs outputs that come from itself, through %s", c.Rel(file.Path), left[0].name, strings.Join(left[0].after, ", "))
			return nil, cli.Status(cli.NotStarted)
		}
		ordered = append(ordered, left[at])
		left = slices.Delete(left, at, at+1)
	}
	return ordered, nil
}

// pipelineRun runs some steps of a pipeline.
type pipelineRun struct {
	*Jobs
	o      RunOptions
	steps  []step
	choice command.Choice // of each step, but for its job
}

// knows refuses inputs that the pipeline does not have.
func (r *pipelineRun) knows(pipeline *schema.Job) error {
	var names []string
	for _, d := range pipeline.Inputs() {
		names = append(names, d.Name)
	}
	for name := range r.choice.Inputs {
		if !slices.Contains(names, name) {
			return cli.Usage("run", "--input %s: the pipeline has no such input%s", name, cli.DidYouMean(name, names))
		}
	}
	return nil
}

// run checks and plans all steps, and then runs them.
func (r *pipelineRun) run(ctx context.Context, k chosen) error {
	k.job = r.steps[0].job
	for _, s := range r.steps[1:] {
		k.also = append(k.also, s.job)
	}
	if stopped, err := r.inOrder(&k, r.o); err != nil {
		return err
	} else if stopped {
		return cli.Status(cli.NotStarted)
	}
	for i := range r.steps {
		r.steps[i].job = jobAt(k.project, r.steps[i].job)
	}
	r.choice.Project = k.project
	if err := r.plan(ctx, k); err != nil || r.o.Plan || r.o.Check {
		return err
	}
	for i, s := range r.steps {
		if len(r.steps) > 1 {
			r.Say("step %s (%d of %d)", s.name, i+1, len(r.steps))
		}
		result, p, err := r.carryOut(ctx, k, r.of(s), r.o, false)
		if err != nil {
			return err
		}
		if err := r.finish(result.Result, result.err); err != nil {
			if i+1 < len(r.steps) {
				r.Say("the pipeline ends here: %s not run", ui.Count(len(r.steps)-i-1, "step"))
			}
			return err
		}
		if err := r.made(s, p, result.Result); err != nil {
			return err
		}
	}
	return nil
}

// plan plans all steps, so that nothing is started where one of them cannot be, and
// shows or checks them if that is wanted.
func (r *pipelineRun) plan(ctx context.Context, k chosen) error {
	o, failed := r.o, error(nil)
	for i, s := range r.steps {
		if o.Plan || o.Check {
			if i > 0 {
				_, _ = fmt.Fprintln(r.Out)
			}
			_, _ = fmt.Fprintf(r.Out, "%-12s %s\n", "step", ui.Printable(s.name))
			_, p, err := r.carryOut(ctx, k, r.of(s), o, false)
			if err != nil {
				failed = err
			}
			r.expect(s, p)
			continue
		}
		p, err := r.planCommand(k, r.of(s), o)
		if err != nil {
			return r.noPlan(o.Command, err)
		}
		r.expect(s, p)
	}
	return failed
}

// of is the choice of a step.
func (r *pipelineRun) of(s step) command.Choice {
	choice := r.choice
	choice.Job, choice.Step = s.job, s.name
	return choice
}

// expect notes where the outputs of a step will be.
func (r *pipelineRun) expect(s step, p plan.Plan) {
	if p.Work == nil {
		return
	}
	r.artifacts(s, command.Made{Path: filepath.Join(p.Project, project.OutputsDir), Later: true})
	for _, out := range p.Work.Outputs {
		r.choice.Around.Outputs[s.name+"."+out.Name] = command.Made{Path: filepath.Join(p.Project, filepath.FromSlash(out.Value)), Folder: out.Folder, Later: true}
	}
}

// made notes the outputs that a step has made: those of this run, not what an earlier
// one has left under the same names.
func (r *pipelineRun) made(s step, p plan.Plan, result runtime.Result) error {
	all := command.Made{Path: filepath.Join(result.Record, record.OutputsName)}
	if _, err := os.Stat(all.Path); err != nil {
		all.Path = ""
	}
	r.artifacts(s, all)
	for _, out := range p.Work.Outputs {
		below := strings.TrimPrefix(out.Value, project.OutputsDir+"/")
		made := command.Made{Path: filepath.Join(result.Record, record.OutputsName, filepath.FromSlash(below)), Folder: out.Folder}
		if _, err := os.Stat(made.Path); errors.Is(err, fs.ErrNotExist) {
			made.Path = ""
			if slices.ContainsFunc(result.Outputs.List, func(f project.File) bool { return f.Path == below || strings.HasPrefix(f.Path, below+"/") }) {
				made.Path = filepath.Join(p.Project, filepath.FromSlash(out.Value)) // the file system knows no hard links
			} else if !out.Folder {
				r.Say("step %s has not written its output %s, a file", s.name, out.Name)
				return cli.Status(cli.NotStarted)
			}
		}
		r.choice.Around.Outputs[s.name+"."+out.Name] = made
	}
	return nil
}

// artifacts notes the output that is all that a step leaves, under its names.
func (r *pipelineRun) artifacts(s step, made command.Made) {
	made.Folder, made.Below = true, project.OutputsDir
	r.choice.Around.Outputs[s.name+"."+command.Artifacts] = made
	for _, d := range s.job.Outputs() {
		if command.IsArtifacts(d) {
			r.choice.Around.Outputs[s.name+"."+d.Name] = made
		}
	}
}

// earlier notes what earlier runs of other steps have left in the project.
func (r *pipelineRun) earlier(k chosen) {
	for _, name := range r.steps[0].after {
		for _, d := range r.steps[0].job.Inputs() {
			_, out, ok := strings.Cut(d.Value().Text, "parent.jobs."+name+".outputs.")
			if !ok {
				continue
			}
			out = strings.TrimRight(out, " }")
			at := filepath.Join(k.root.Dir, project.OutputsDir, name, out)
			if info, err := os.Stat(at); err == nil && filepath.IsLocal(filepath.Join(name, out)) {
				r.choice.Around.Outputs[name+"."+out] = command.Made{Path: at, Folder: info.IsDir()}
			}
		}
	}
}
