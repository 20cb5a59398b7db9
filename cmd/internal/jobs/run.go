package jobs

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/amlfix/amlfix/cmd/internal/cli"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/runtime"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema"
)

// RunOptions say what to run, and how.
type RunOptions struct {
	Choice
	// Script is the script to run, with Args, instead of the one in the run configuration.
	Script string
	Args   []string
	// Apply repairs the job's files first. Plan prints what would run, and Check checks whether it can run; neither
	// runs it.
	Apply, Plan, Check bool
	// Timeout stops the job after this time; 0 never.
	Timeout time.Duration
	Limits
	// RequireGPU fails if nothing proves that the job used a GPU.
	RequireGPU bool
	// Detach returns when the job runs, and leaves the rest to an amlfix process in the background.
	Detach bool
	// background is the run of a v2 job that this process handles in the background; the zero ID: none.
	background runid.ID
	// Coloured shows findings in colour.
	Coloured bool
	CommandOptions
	// Cluster are NAME=VALUE settings of the cluster for -t k8s.
	Cluster []string
	// Build builds the job's environment as an image, for a cluster.
	Build bool
}

// Limits say what a job may use of its machine; zero values: as in its files.
type Limits struct {
	GPUs   plan.GPURequest
	Memory int64   // bytes
	CPUs   float64 // processors
}

// Run checks a job's files, and runs it on its target.
func (c *Jobs) Run(ctx context.Context, o RunOptions) error {
	if IsJobFile(o.Script) {
		return c.runCommand(ctx, o)
	}
	if flag := o.given(); flag != "" && (flag != "--image" || o.Target != cluster) {
		return cli.Usage("run", "%s is for Azure ML v2 jobs: give the job file, as in `amlfix run job.yml`", flag)
	}
	choice := o.Choice
	if choice.Target == cluster {
		choice.Target = ""
	}
	chosen, err := c.choose(ctx, choice)
	if err != nil {
		return err
	}
	stopped, err := c.inOrder(&chosen, o)
	if err != nil {
		return err
	}
	options := c.planOptions(chosen)
	if options.Kubernetes, err = c.clusterSettings(chosen, o); err != nil {
		return err
	}
	options.Script, options.Args, options.Timeout = c.script(chosen.root.Dir, o.Script), o.Args, o.Timeout
	options.NoScript = o.Check && !o.Plan
	options.GPUs, options.Memory, options.CPUs, options.Build = o.GPUs, o.Memory, o.CPUs, o.Build
	job := chosen.job
	if o.Target == cluster {
		job = onCluster(job, o.Image)
	}
	plan, err := runtime.NewPlan(job, options)
	if err != nil && !stopped {
		return c.noPlan(o.Command, err)
	}
	if o.Plan && err == nil {
		for _, line := range plan.Lines() {
			_, _ = c.Out.Write([]byte(ui.Printable(line.String()) + "\n"))
		}
	}
	switch {
	case stopped:
		return cli.Status(cli.NotStarted)
	case o.Check:
		return c.checkRun(ctx, plan, o.RequireGPU)
	case o.Plan:
		return nil
	}
	if id := c.detachedID(); !id.IsZero() {
		plan.RunID = id
	} else if o.Detach {
		return c.detach(ctx, plan, 0)
	}
	c.Job = true
	opts := c.runOptions()
	opts.RequireGPU = o.RequireGPU
	result, err := runtime.Run(ctx, plan, opts)
	if err != nil && result.Outcome == runtime.NotStarted && ctx.Err() == nil {
		defer c.sayOthers(ctx, plan, opts, runtime.Explain(err))
	}
	return c.finish(result, err)
}

// script returns the path of a script from the command line, relative to the project's root. It is looked up in the
// working directory, as for every program, and then in the root, where Workbench looked; "./" restricts it to the
// working directory.
func (c *Jobs) script(root, word string) string {
	rel, err := filepath.Rel(root, c.Path(word))
	inside := err == nil && filepath.IsLocal(rel) && c.Dir != root
	if word == "" || word[0] == '-' || filepath.IsAbs(word) || !inside {
		return word
	}
	rel = filepath.ToSlash(rel)
	if first, _, _ := strings.Cut(filepath.ToSlash(word), "/"); first == "." || first == ".." {
		return rel
	}
	if info, err := os.Stat(c.Path(word)); err != nil || info.IsDir() {
		return word
	}
	if _, err := os.Stat(filepath.Join(root, word)); err == nil {
		c.Say("using %s in this folder, not the one at the project's root", word)
	}
	return rel
}

// planOptions returns what the project's folder and settings say about the plan of a job.
func (c *Jobs) planOptions(k chosen) runtime.Options {
	return runtime.Options{Project: k.root.Dir, Name: func(f *schema.File) string { return c.Rel(f.Path) }, Images: k.root.Settings.Images, ImagesFrom: c.Rel(k.root.Settings.Path)}
}

// noPlan explains why a job cannot be run.
func (c *Jobs) noPlan(command string, err error) error {
	var usage *cli.UsageError
	if errors.As(err, &usage) {
		return err
	}
	var wrong *runtime.PlanError
	if errors.As(err, &wrong) && wrong.Usage {
		return cli.Usage(command, "%s", runtime.Explain(err))
	}
	c.sayEach([]error{err}, map[string]bool{})
	return cli.Status(cli.NotStarted)
}

// sayEach says each of some errors, and those that they join, once.
func (c *Jobs) sayEach(list []error, said map[string]bool) {
	for _, err := range list {
		if joined, ok := err.(interface{ Unwrap() []error }); ok {
			c.sayEach(joined.Unwrap(), said)
		} else if text := runtime.Explain(err); !said[text] {
			said[text] = true
			c.Say("%s", text)
		}
	}
}

// progress returns the destination for reports on what the run is doing: one line, redrawn repeatedly, on a terminal,
// and separate lines elsewhere.
func (c *Jobs) progress() progress.Sink {
	var w io.Writer = c.Err
	if c.line != nil {
		w = c.line
	}
	if ui.IsTerminal(c.Stderr) && c.Env("TERM") != "dumb" {
		return progress.Terminal(w)
	}
	return progress.Lines(w)
}

// finish reports how the run ended; its last line is what is known about the GPU, if anything.
func (c *Jobs) finish(r runtime.Result, err error) error {
	c.line.finish()
	if err != nil && r.Outcome == runtime.NotStarted {
		c.Say("not started: %s", runtime.Explain(err))
		return cli.Status(r.Code)
	}
	c.Say("%s", r.Sentence())
	if r.Code == cli.NoGPU && r.Outcome == runtime.Succeeded {
		c.Say("--require-gpu: nothing proves that the job used a GPU")
	}
	if r.SaysGPU() {
		c.Say("%s", r.GPUSentence())
	}
	if r.Code == cli.OK {
		return nil
	}
	return cli.Status(r.Code)
}
