package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/runtime"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/schema"
)

func (c *Command) runCommand() *cli.Command {
	return &cli.Command{
		Name:      "run",
		Usage:     "check a job's files, then run it on its target",
		ArgsUsage: "[FLAGS] [SCRIPT [ARGUMENT...]]",
		Description: `Runs the job of a run configuration on its compute target: local (a process of
this computer), localdocker (a container of this computer's Docker), remotedocker
(a container on another machine), remote (a process of another machine) or cluster
(spark-submit on its head node). Other machines are reached over SSH: their host
keys must be known already; a password comes from AMLFIX_SSH_PASSWORD or is asked
for. All that follows SCRIPT belongs to the script, flags too. Errors in the job's
files stop the run before it starts, unless --apply repairs them. So does what its
target lacks; --check looks at that alone, and pulls no image. In a container the
packages of the conda file are installed first, once (see amlfix prepare). Ctrl-C
asks the job to stop, a second one kills it. What the job writes to outputs/ comes
back. The last line says what the job's output proves about the GPU.

Exit status: the job's own; 123 --require-gpu is not met; 124 --timeout is over;
125 the job was not started, or was lost; 126, 127 its program cannot be run, or
is not there; 130, 143 stopped.`,
		UsageText: `amlfix run -c local train.py --epochs 3
amlfix run -c docker --plan train.py
amlfix run -c gpuvm --check --require-gpu train.py
amlfix run -c gpuvm --apply --require-gpu --timeout 2h train.py
amlfix run`,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "config", Aliases: []string{"c", "run-configuration"}, Usage: "the run configuration `NAME`, or its file; not needed when there is only one"},
			&cli.StringFlag{Name: "target", Aliases: []string{"t"}, Usage: "take the run configuration that runs on compute target `TARGET`"},
			&cli.BoolFlag{Name: "apply", Usage: "repair the job's files first, as far as that is safe"},
			&cli.BoolFlag{Name: "plan", Usage: "print what would run and where each part comes from, and do nothing"},
			&cli.BoolFlag{Name: "check", Usage: "look whether the job can run on its target, say what was found, and do nothing"},
			&cli.StringFlag{Name: "timeout", Usage: "stop the job after `TIME`, such as 90s, 30m or 2h"},
			&cli.BoolFlag{Name: "require-gpu", Usage: "fail when nothing proves that the job used a GPU"},
			gpuFlag(),
		}, trustFlags(), colourFlags()),
		Action: c.runJob,
	}
}

func (c *Command) runJob(ctx *cli.Context) error {
	limit, err := timeout(ctx.String("timeout"))
	if err != nil {
		return err
	}
	chosen, err := c.choose(ctx)
	if err != nil {
		return err
	}
	stopped, err := c.inOrder(ctx, &chosen)
	if err != nil {
		return err
	}
	options := c.planOptions(chosen)
	options.Script, options.Args, options.Timeout = c.script(chosen.root.Dir, ctx.Args().First()), ctx.Args().Tail(), limit
	options.NoScript = ctx.Bool("check") && !ctx.Bool("plan")
	plan, err := runtime.NewPlan(chosen.job, options)
	if err != nil && !stopped {
		return c.noPlan(ctx, err)
	}
	if ctx.Bool("plan") && err == nil {
		for _, line := range plan.Lines() {
			_, _ = c.out.Write([]byte(ui.Printable(line.String()) + "\n"))
		}
	}
	switch {
	case stopped:
		return status(statusNotStarted)
	case ctx.Bool("check"):
		return c.checkRun(ctx, plan)
	case ctx.Bool("plan"):
		return nil
	}
	c.job = true
	opts := c.runOptions()
	opts.RequireGPU = ctx.Bool("require-gpu")
	result, err := runtime.Run(ctx.Context, plan, opts)
	return c.finish(result, err)
}

// script returns a script of the command line as a path from the project's root. It
// is looked for in the working directory, as every program does, and then in the
// root, where Workbench looked; "./" stands for the working directory alone.
func (c *Command) script(root, word string) string {
	rel, err := filepath.Rel(root, c.path(word))
	inside := err == nil && filepath.IsLocal(rel) && c.dir() != root
	if word == "" || word[0] == '-' || filepath.IsAbs(word) || !inside {
		return word
	}
	rel = filepath.ToSlash(rel)
	if first, _, _ := strings.Cut(filepath.ToSlash(word), "/"); first == "." || first == ".." {
		return rel
	}
	if info, err := os.Stat(c.path(word)); err != nil || info.IsDir() {
		return word
	}
	if _, err := os.Stat(filepath.Join(root, word)); err == nil {
		c.say("%s is the one in this folder, not the one at the project's root", word)
	}
	return rel
}

// timeout reads the value of --timeout; "" is none.
func timeout(text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	limit, err := time.ParseDuration(text)
	if err != nil || limit <= 0 {
		return 0, usage("run", "--timeout: %q is no time: write a number with its unit, such as 90s, 30m or 2h", text)
	}
	return limit, nil
}

// planOptions are what the project's folder and settings say about the plan of a job.
func (c *Command) planOptions(k chosen) runtime.Options {
	return runtime.Options{Project: k.root.Dir, Name: func(f *schema.File) string { return c.rel(f.Path) }, Images: k.root.settings.Images, ImagesFrom: c.rel(k.root.settings.Path)}
}

// noPlan says why a job cannot be run.
func (c *Command) noPlan(ctx *cli.Context, err error) error {
	var wrong *runtime.PlanError
	if errors.As(err, &wrong) && wrong.Usage {
		return usage(ctx.Command.Name, "%s", runtime.Explain(err))
	}
	c.say("%s", runtime.Explain(err))
	return status(statusNotStarted)
}

// progress returns where the run tells what it is doing: one line drawn again
// and again on a terminal, and lines elsewhere.
func (c *Command) progress() progress.Sink {
	if ui.IsTerminal(c.Stderr) && c.Env("TERM") != "dumb" {
		return progress.Terminal(c.err)
	}
	return progress.Lines(c.err)
}

// finish says how the run ended; its last line is what the output proves about
// the GPU.
func (c *Command) finish(r runtime.Result, err error) error {
	if err != nil && r.Outcome == runtime.NotStarted {
		c.say("not started: %s", runtime.Explain(err))
		return status(r.Code)
	}
	c.say("%s", r.Sentence())
	if r.Code == statusNoGPU && r.Outcome == runtime.Succeeded {
		c.say("--require-gpu: nothing in the job's output proves that it used a GPU")
	}
	if !r.Started.IsZero() {
		c.say("%s", r.GPUSentence())
	}
	if r.Code == statusOK {
		return nil
	}
	return status(r.Code)
}
