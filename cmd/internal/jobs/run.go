package jobs

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/runtime"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/escape"
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
	// JSON reports Plan and Check as JSON.
	JSON bool
	// Timeout stops the job after this time; 0 never.
	Timeout time.Duration
	Limits
	// RequireGPU fails if nothing proves that the job used a GPU.
	RequireGPU bool
	// Detach returns when the job runs, and leaves the rest to an amlfix process in the background.
	Detach bool
	// background is the run that this process handles in the background; the zero ID: none.
	background runid.ID
	// Style is that of findings.
	Style ui.Style
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
	if o.JSON {
		c.inspection = &inspection{Version: c.Version(), Jobs: []*inspected{}}
	}
	err := c.run(ctx, o)
	if _, usage := errors.AsType[*console.UsageError](err); o.JSON && !usage {
		if code := console.Status(0); err != nil && !errors.As(err, &code) {
			c.why(runtime.Explain(err))
		}
		c.WriteJSON(c.inspection)
	}
	return err
}

func (c *Jobs) run(ctx context.Context, o RunOptions) error {
	if IsJobFile(o.Script) {
		return c.runCommand(ctx, o)
	}
	if flag := o.given(); flag != "" && (flag != "--image" || o.Target != cluster) {
		return console.Usage("run", "%s is for Azure ML v2 jobs: give the job file, as in `amlfix run job.yml`", flag)
	}
	if strings.HasSuffix(o.Script, ".runconfig") {
		return console.Usage("run", "%s is a run configuration, not a script: write -c %s", o.Script, escape.Word(o.Script))
	}
	choice := o.Choice
	if choice.Target == cluster {
		choice.Target = ""
	}
	chosen, err := c.chooseFor(ctx, choice, o.Script)
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
	options.NoScript = o.Check && !o.Plan && !chosen.job.HasCommand()
	options.GPUs, options.Memory, options.CPUs, options.Build = o.GPUs, o.Memory, o.CPUs, o.Build
	job := chosen.job
	if o.Target == cluster {
		job = onCluster(job, o.Image)
	}
	plan, err := runtime.NewPlan(job, options)
	switch {
	case stopped && err == nil && o.Plan:
		c.print(plan)
		fallthrough
	case stopped:
		return console.Status(console.NotStarted)
	case err != nil:
		return c.noPlan(o.Command, err)
	}
	if !o.Check && !o.Plan {
		o.background = c.detachedID()
	}
	result, err := c.carryOut(ctx, plan, o, 0)
	if result == nil || err != nil {
		return err
	}
	if result.err != nil && result.Outcome == runtime.NotStarted && ctx.Err() == nil {
		defer c.sayOthers(ctx, plan, result.options, result.err)
	}
	return c.finish(result.Result, result.err)
}

// chooseFor is choose for a job with a script, about which it says why it is missing.
func (c *Jobs) chooseFor(ctx context.Context, choice Choice, script string) (chosen, error) {
	meant, missing := "", error(nil)
	if script != "" {
		meant, missing = c.Missing(script)
	}
	choice.script = script
	chosen, err := c.choose(ctx, choice)
	if IsJobFile(meant) && choice.Config == "" && !c.inRoot(cmp.Or(chosen.root.Dir, c.projectAbove(false)), script) {
		c.sayWhy("%v", missing)
		return chosen, console.Status(console.Failure)
	}
	if err != nil && missing != nil {
		c.Say("%v", missing)
	}
	return chosen, err
}

// carried is the result of running a job.
type carried struct {
	runtime.Result
	err     error
	options runtime.RunOptions
}

// carryOut runs, checks or shows a job, which steps others follow. nil: it was not run here.
func (c *Jobs) carryOut(ctx context.Context, p runtime.Plan, o RunOptions, steps int) (*carried, error) {
	if o.Plan {
		c.print(p)
	}
	switch {
	case o.Check:
		return nil, c.checkRun(ctx, p, o.RequireGPU)
	case o.Plan:
		return nil, nil
	case !o.background.IsZero():
		p.RunID = o.background
	case o.Detach:
		return nil, c.detach(ctx, p, steps)
	}
	c.Job = true
	opts := c.runOptions()
	opts.RequireGPU, opts.After = o.RequireGPU, steps
	result, err := runtime.Run(ctx, p, opts)
	return &carried{result, err, opts}, nil
}

// script returns the path of a script from the command line, relative to the project's root. It is looked up in the
// working directory, as for every program, and then in the root, where Workbench looked; "./" restricts it to the
// working directory.
func (c *Jobs) script(root, word string) string {
	rel, err := filepath.Rel(root, c.Path(word))
	first, _, _ := strings.Cut(filepath.ToSlash(word), "/")
	inside := err == nil && filepath.IsLocal(rel) && (c.Dir != root || first == "..")
	if word == "" || word[0] == '-' || filepath.IsAbs(word) || !inside {
		return word
	}
	rel = filepath.ToSlash(rel)
	if first == "." || first == ".." {
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

// inRoot reports whether a script is meant that the working directory does not have: one in the project's root or
// outside the project, as in an image, or an option of the interpreter.
func (c *Jobs) inRoot(root, word string) bool {
	if word[0] == '-' || filepath.IsAbs(word) {
		return true
	}
	_, err := os.Stat(filepath.Join(root, word))
	return root != "" && err == nil
}

// nameOf returns the name of a file as shown to the user.
func (c *Jobs) nameOf(f *schema.File) string { return c.Rel(f.Path) }

// planOptions returns what the project's folder and settings say about the plan of a job.
func (c *Jobs) planOptions(k chosen) runtime.Options {
	return runtime.Options{Project: k.root.Dir, Name: c.nameOf, Images: k.root.Settings.Images, ImagesFrom: c.Rel(k.root.Settings.Path)}
}

// noPlan explains why a job cannot be run.
func (c *Jobs) noPlan(command string, err error) error {
	if _, ok := errors.AsType[*console.UsageError](err); ok {
		return err
	}
	if wrong, ok := errors.AsType[*runtime.PlanError](err); ok && wrong.Usage {
		return console.Usage(command, "%s", runtime.Explain(err))
	}
	c.sayEach([]error{err}, map[string]bool{})
	return console.Status(console.NotStarted)
}

// sayEach says each of some errors, and those that they join, once.
func (c *Jobs) sayEach(list []error, said map[string]bool) {
	for _, err := range list {
		if joined, ok := err.(interface{ Unwrap() []error }); ok {
			c.sayEach(joined.Unwrap(), said)
		} else if text := runtime.Explain(err); !said[text] {
			said[text] = true
			c.sayWhy("%s", text)
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
		columns := func() int { return ui.Columns(c.Stderr) }
		return progress.Terminal(folded{w, columns}, columns)
	}
	return progress.Lines(w)
}

// finish reports how the run ended; its last line is what is known about the GPU, if anything.
func (c *Jobs) finish(r runtime.Result, err error) error {
	c.line.finish()
	if err != nil && r.Outcome == runtime.NotStarted {
		c.Say("not started: %s", runtime.Explain(err))
		return console.Status(r.Code)
	}
	c.Say("%s", r.Sentence())
	if r.Code == console.NoGPU && r.Outcome == runtime.Succeeded {
		c.Say("--require-gpu: nothing proves that the job used a GPU")
	}
	if r.SaysGPU() {
		c.Say("%s", r.GPUSentence())
	}
	return console.Ended(r.Code)
}
