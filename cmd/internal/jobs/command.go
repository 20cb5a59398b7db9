package jobs

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/flags"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/runtime"
	"github.com/amlfix/amlfix/runtime/command"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/schema"
)

// IsJobFile reports whether an operand of amlfix run is the file of a v2 job rather than a script.
func IsJobFile(word string) bool {
	return slices.Contains([]string{".yml", ".yaml", ".json"}, strings.ToLower(filepath.Ext(word)))
}

// CommandOptions are the flags of amlfix run that apply only to v2 jobs.
type CommandOptions struct {
	// Inputs are NAME=VALUE pairs; Image replaces the environment's image.
	Inputs []string
	Image  string
	// Step is the pipeline step to run; "" for all.
	Step string
}

// given returns the flags that were given.
func (o CommandOptions) given() string {
	switch {
	case len(o.Inputs) > 0:
		return "--input"
	case o.Image != "":
		return "--image"
	case o.Step != "":
		return "--step"
	}
	return ""
}

// runCommand runs a v2 job on one of the user's targets.
func (c *Jobs) runCommand(ctx context.Context, o RunOptions) error {
	if o.Config != "" {
		return console.Usage("run", "-c selects a run configuration, but %s is itself a job: leave one of them out", o.Script)
	}
	if len(o.Args) > 0 {
		return console.Usage("run", "%s: a job's arguments are in its command; give values with --input NAME=VALUE", o.Args[0])
	}
	inputs, err := inputsOf(o.Inputs)
	if err != nil {
		return err
	}
	found, err := c.chooseJob(ctx, o)
	if err != nil {
		return err
	}
	if kind := found.file.V2; kind != "job" && kind != "component" {
		return console.Usage("run", "%s is not a job: its kind is %s%s", o.Script, kind, c.jobsOf(found.project))
	}
	if o.Target == azureML {
		return c.submit(ctx, found, inputs, o)
	}
	if found.job == nil && found.pipeline == nil {
		if err := c.readyAll(&found, o); err != nil {
			return err
		}
		return console.Usage("run", "%s is not a job that your own machines can run; -t azureml submits it to Azure ML", o.Script)
	}
	choice, err := c.place(found, o)
	if err != nil {
		return err
	}
	choice.Inputs, choice.Image, choice.Dir, choice.Several = inputs, o.Image, c.Dir, choice.Type == cluster
	if o.background = c.detachedID(); !o.background.IsZero() {
		o.Detach = false
	}
	if found.pipeline != nil {
		return c.runPipeline(ctx, found, choice, o)
	}
	if o.Step != "" {
		return console.Usage("run", "--step %s: %s is not a pipeline, so it has no steps", o.Step, o.Script)
	}
	return c.runOne(ctx, found, choice, o)
}

// jobsOf lists the commands that run the v2 jobs of a project.
func (c *Jobs) jobsOf(p *schema.Project) string {
	files := c.jobFiles(p)
	if len(files) == 0 {
		return ""
	}
	return "; to run a job, give its file:\n" + fileList(files)
}

// jobFiles returns the v2 files of a project that describe a job.
func (c *Jobs) jobFiles(p *schema.Project) (files []string) {
	for _, f := range p.Files {
		if f.V2 == "job" {
			files = append(files, c.Rel(f.Path))
		}
	}
	return files
}

// inputsOf parses the values of --input.
func inputsOf(list []string) (map[string]string, error) {
	inputs := map[string]string{}
	for _, text := range list {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return nil, console.Usage("run", "--input %s: write NAME=VALUE, or NAME=PATH", text)
		}
		inputs[name] = value
	}
	return inputs, nil
}

// chooseJob loads the project to which a job's file belongs: the working directory's project if that contains it.
func (c *Jobs) chooseJob(ctx context.Context, o RunOptions) (chosen, error) {
	id := c.Identity(o.Script)
	var paths []string
	if schema.Below(c.Dir, id) && schema.Repository(filepath.Dir(id)) == "" { // a repository is one project
		if start := schema.Start(c.Dir, id); start != "" {
			paths = append(paths, start)
		}
	}
	for _, path := range append(paths, o.Script) {
		f := c.Look([]string{path})
		for _, r := range f.Roots {
			if !r.Files.Contain(id) {
				continue
			}
			project := r.Load(check.Answers{GPU: o.GPU})
			switch file := project.File(id); {
			case file == nil:
			case file.Err != nil:
				return chosen{}, &schema.PathError{Path: o.Script, Err: errors.Unwrap(file.Err)}
			case file.V2 != "":
				if err := knownGPUs(ctx, r, o); err != nil {
					return chosen{}, err
				}
				k := chosen{root: r, project: project}.in(file)
				err := c.withKnown(&k)
				return k, err
			}
		}
		if f.Unreadable() && path == o.Script { // what else cannot be read does not matter
			c.why(f.Problems...)
			return chosen{}, console.Status(console.Failure)
		}
	}
	return chosen{}, console.Usage("run", "%s is not an Azure ML v2 job file: it needs $schema, or type and command without a syntax error", o.Script)
}

// knownGPUs returns an error if --gpu names nothing in the project of a v2 job.
func knownGPUs(ctx context.Context, r check.Root, o RunOptions) error {
	if len(o.GPU) == 0 {
		return nil
	}
	asked, err := check.AskedNames(ctx, []check.Root{r})
	return cmp.Or(err, flags.KnownTargets("run", "gpu", o.GPU, asked.Shown, asked.Also))
}

// in returns the choice of the job or the pipeline in a file.
func (k chosen) in(file *schema.File) chosen {
	k.file = file
	root := file.Root().Resolve()
	if root.Get("jobs").IsMapping() {
		k.pipeline = schema.NewJob(file, root)
		k.pipeline.Name = file.Rel
	} else if i := slices.IndexFunc(k.project.Jobs, func(j *schema.Job) bool { return j.File == file && j.Node == root }); i >= 0 {
		k.job = k.project.Jobs[i]
	}
	return k
}

// place finds the chosen target: one in the project's files, or a kind that needs no file.
func (c *Jobs) place(k chosen, o RunOptions) (command.Choice, error) {
	choice := command.Choice{Project: k.project, Job: k.job, Name: c.nameOf,
		Type: "docker", Chosen: plan.Origin{Note: "default"}}
	if o.Target == "" {
		return choice, nil
	}
	choice.Type, choice.Chosen = o.Target, plan.Origin{Note: "command line"}
	var names []string
	for _, t := range k.project.Targets {
		if t.Dialect != schema.Workbench {
			continue
		}
		names = append(names, t.Name)
		if t.Called(o.Target) {
			choice.Target, choice.Type = t, t.Type.Text
			return choice, nil
		}
	}
	if o.Target == "local" || o.Target == cluster || o.Target == "docker" || o.Target == "localdocker" {
		return choice, nil
	}
	known := slices.Concat(names, []string{"local", "docker", cluster, "azureml"})
	return choice, console.Usage("run", "-t %s: there is no such target%s\nThere are: %s\n`amlfix attach` writes the file of another machine",
		o.Target, ui.DidYouMean(o.Target, known), strings.Join(known, ", "))
}

// runOne runs one command job.
func (c *Jobs) runOne(ctx context.Context, k chosen, choice command.Choice, o RunOptions) error {
	if err := c.ready(&k, o); err != nil {
		return err
	}
	choice.Project, choice.Job = k.project, k.job
	result, _, err := c.runStep(ctx, k, choice, o, 0)
	if result == nil || err != nil {
		return err
	}
	err = c.finish(result.Result, result.err)
	c.needsEngine(result.err)
	return err
}

// runStep plans a command job, which steps others follow, and carries it out. nil: it was not run here.
func (c *Jobs) runStep(ctx context.Context, k chosen, choice command.Choice, o RunOptions, steps int) (*carried, plan.Plan, error) {
	p, err := c.planCommand(k, choice, o)
	if err != nil {
		return nil, p, c.noPlan(o.Command, err)
	}
	result, err := c.carryOut(ctx, p, o, steps)
	return result, p, err
}

func (c *Jobs) planCommand(k chosen, choice command.Choice, o RunOptions) (plan.Plan, error) {
	options := c.planOptions(k)
	var err error
	if options.Kubernetes, err = c.clusterSettings(k, o); err != nil {
		return plan.Plan{}, err
	}
	options.Timeout, options.GPUs, options.Memory, options.CPUs, options.Build = o.Timeout, o.GPUs, o.Memory, o.CPUs, o.Build
	job, work, err := command.Lower(choice)
	if err != nil {
		return plan.Plan{}, err
	}
	options.Work = work
	return runtime.NewPlan(job, options)
}
