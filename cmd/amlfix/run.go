package main

import (
	"slices"
	"strings"
	"time"

	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/jobs"
	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/schema/plain"
)

const runDescription = `Runs the job of a run configuration on its compute target:

  local         a process on this computer
  localdocker   a container on this computer
  remotedocker  a container on another machine
  remote        a process on another machine
  cluster       spark-submit on the head node of a cluster

Other machines are reached over SSH: their host keys must be known already; a
password is taken from AMLFIX_SSH_PASSWORD or asked for. Everything after SCRIPT
is passed to the script, flags included.

Errors in the job's files stop the run before it starts, unless --apply repairs
them. So does anything that the target lacks; --check checks only this, and pulls
no image. In a container the packages of the conda file are installed first, once
(see amlfix prepare). What the job writes to outputs/ is copied back. If the job
asked for a GPU or its log names one, the last line says whether it was used.

Ctrl-C sends the job SIGINT, after 5 seconds SIGTERM and after 10 seconds
SIGKILL; a second one kills it at once.

JOB.yml is the file of a command job, a command component or a pipeline of Azure
ML v2. It runs without a workspace: in a container, unless -t names another
target. Inputs are local files and folders, outputs come back to outputs/NAME,
and the steps of a pipeline run in the order of their bindings. -t local uses
what is installed on this computer. Jobs that only the service can run are refused.
-t azureml hands the file to your own Azure CLI: az ml job create --stream.

-t k8s runs the job of a run configuration, or of JOB.yml, in a Kubernetes cluster
through your own kubectl: in one pod for each node of the job. .amlfix.yaml names
the context and the namespace. The packages of a conda file
are installed in the pod, once if there is a claim; with --build, they are part
of an image that this machine's Docker engine builds and pushes.

Exit status: the job's own; 123 --require-gpu is not met; 124 --timeout has
passed; 125 the job was not started, or was lost; 126, 127 its program cannot be
run, or does not exist; 130, 143 stopped.`

func (c *call) runCommand() *cli.Command {
	return &cli.Command{
		Name:        "run",
		Usage:       "check a job's files, then run it on its target",
		ArgsUsage:   "[FLAGS] [JOB.yml | SCRIPT [ARGUMENT...]]",
		Description: runDescription,
		UsageText: `amlfix run -c local train.py --epochs 3
amlfix run -c docker --plan train.py
amlfix run -c gpuvm --check --require-gpu train.py
amlfix run -c gpuvm --apply --require-gpu --timeout 2h train.py
amlfix run
amlfix run job.yml --input data=./data --input epochs=3
amlfix run pipeline.yml --step train -t gpuvm
amlfix run job.yml -t azureml --require-gpu
amlfix run job.yml -t k8s --k8s namespace=team-a --gpus 1`,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "config", Aliases: []string{"c", "run-configuration"}, Usage: "the run configuration `NAME`, or its file; not needed when there is only one"},
			&cli.StringFlag{Name: "target", Aliases: []string{"t"}, Usage: "use the run configuration that runs on compute target `TARGET`; run a v2 job there, or on local, docker or azureml; k8s: run any job in a Kubernetes cluster"},
			&cli.BoolFlag{Name: "apply", Usage: "repair the job's files first, if that is safe"},
			&cli.BoolFlag{Name: "plan", Usage: "print what would run and where each value comes from, without running it"},
			&cli.BoolFlag{Name: "check", Usage: "check whether the job can run on its target, and report the result, without running it"},
			&cli.StringFlag{Name: "format", Value: string(report.Text), Usage: "write what --plan and --check report as `FORMAT`: " + strings.Join(cli.ListFormats, " or ")},
			&cli.StringFlag{Name: "timeout", Usage: "stop the job after `TIME`, such as 90s, 30m or 2h"},
			&cli.StringFlag{Name: "gpus", Usage: "give the job `N` GPUs that no other run uses, all GPUs, or none (1, all, none)"},
			&cli.StringFlag{Name: "memory", Usage: "end the job's container if it uses more memory than `SIZE`, such as 8g"},
			&cli.StringFlag{Name: "cpus", Usage: "let the job's container use at most `N` processors, such as 2 or 0.5"},
			&cli.BoolFlag{Name: "require-gpu", Usage: "fail if nothing proves that the job used a GPU"},
			&cli.BoolFlag{Name: "detach", Usage: "print the run's id and return when the job has started; amlfix continues in the background"},
			&cli.StringSliceFlag{Name: "gpu", Usage: "treat the compute target `TARGET` as a GPU target; may be given several times"},
			&cli.StringSliceFlag{Name: "input", Usage: "give an input of a v2 job its value or path, `NAME=VALUE`; may be given several times"},
			&cli.StringFlag{Name: "image", Usage: "run a v2 job, or a job on k8s, in `IMAGE` as it is, instead of its environment"},
			&cli.StringSliceFlag{Name: "k8s", Usage: "with -t k8s, set one of its settings, `NAME=VALUE`, such as namespace=team-a; may be given several times"},
			&cli.BoolFlag{Name: "build", Usage: "with -t k8s, build the job's environment as an image with this machine's Docker engine, and push it to kubernetes.registry"},
			&cli.StringFlag{Name: "step", Usage: "run only the step `NAME` of a v2 pipeline"},
		}, trustFlags(), cli.ColourFlags()),
		Values:     map[string]func() []cli.Candidate{"target": c.runTargets},
		HasScript:  true,
		IsNoScript: jobs.IsJobFile,
		Action:     c.run,
	}
}

// runTargets returns what run -t may name.
func (c *call) runTargets() []cli.Candidate {
	list := c.jobs().TargetWords()
	for _, w := range cli.Words("local", "docker", "azureml", "k8s") {
		if !slices.ContainsFunc(list, func(own cli.Candidate) bool { return own.Word == w.Word }) {
			list = append(list, w)
		}
	}
	return list
}

// timeout parses the value of --timeout; "" means none.
func timeout(text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	limit, err := time.ParseDuration(text)
	if err != nil || limit <= 0 {
		return 0, console.Usage("run", "--timeout: %q is not a time: write a number with its unit, such as 90s, 30m or 2h", text)
	}
	return limit, nil
}

func (c *call) run(ctx *cli.Context) error {
	limit, err := timeout(ctx.String("timeout"))
	if err != nil {
		return err
	}
	limits, err := limits(ctx)
	if err != nil {
		return err
	}
	json, err := cli.JSON(ctx)
	if err != nil {
		return err
	}
	if json && !ctx.Bool("plan") && !ctx.Bool("check") {
		return console.Usage("run", "--format json is for --plan and --check: a job's output is its own, and `amlfix runs show --format json` describes the run")
	}
	if limits.GPUs == plan.NoGPUs && ctx.Bool("require-gpu") {
		return console.Usage("run", "--require-gpu and --gpus none exclude each other: leave one of them out")
	}
	return c.jobs().Run(ctx.Context, jobs.RunOptions{
		Limits: limits,
		Choice: choice(ctx), Script: ctx.Args().First(), Args: ctx.Args().Tail(),
		Apply: ctx.Bool("apply"), Plan: ctx.Bool("plan"), Check: ctx.Bool("check"), JSON: json,
		Timeout: limit, RequireGPU: ctx.Bool("require-gpu"), Detach: ctx.Bool("detach"), Style: c.errStyle(ctx),
		CommandOptions: jobs.CommandOptions{Inputs: ctx.StringSlice("input"), Image: ctx.String("image"), Step: ctx.String("step")},
		Cluster:        ctx.StringSlice("k8s"), Build: ctx.Bool("build"),
	})
}

// limits reads what the job may use of its machine.
func limits(ctx *cli.Context) (l jobs.Limits, err error) {
	if text := ctx.String("gpus"); text != "" {
		var ok bool
		if l.GPUs, ok = plan.ParseGPUs(text); !ok {
			return l, console.Usage("run", "--gpus: %q is not a number of GPUs: write one from 1, or all, or none (--gpu NAME treats a target as one with a GPU)", text)
		}
	}
	if text := ctx.String("memory"); text != "" {
		var ok bool
		if l.Memory, ok = plain.Bytes(text); !ok {
			return l, console.Usage("run", "--memory: %q is not a size: write a number with b, k, m or g, such as 8g", text)
		}
	}
	if text := ctx.String("cpus"); text != "" {
		var ok bool
		if l.CPUs, ok = plan.ParseCPUs(text); !ok {
			return l, console.Usage("run", "--cpus: %q is not a number of processors: write one such as 2 or 0.5", text)
		}
	}
	return l, nil
}

// choice returns which run configuration to use.
func choice(ctx *cli.Context) jobs.Choice {
	return jobs.Choice{Command: ctx.Command.Name, Config: ctx.String("config"), Target: ctx.String("target"), GPU: ctx.StringSlice("gpu")}
}
