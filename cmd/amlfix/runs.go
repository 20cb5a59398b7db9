package main

import (
	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/jobs"
	"github.com/amlfix/amlfix/cmd/internal/report"
)

func (c *call) runsCommand() *cli.Command {
	return &cli.Command{
		Name:      "runs",
		Misplaced: jobs.MisplacedFlag,
		Usage:     "list past and present runs, and resume them",
		ArgsUsage: "list|show|logs|attach|stop|clean|push [FLAGS] [RUN]",
		Description: `Every run leaves a record in its project, in .amlfix/runs/ (a run configuration
with TrackedRun: false leaves none): what ran, its output, metrics, outputs/, the
image, the git commit, how it ended and what is known about the GPU. RUN is its id
or any part of it that no other run has; the default is the newest run that fits.

  list    lists the runs of the projects found from this folder, the newest last
  show    shows everything that is known about a run
  logs    prints the output of a run; --follow continues until the run is over
  attach  resumes a run whose amlfix was killed or has lost the connection:
          the rest of the output, its outputs/, its exit status. While another
          amlfix is following the run, only its output is shown.
  stop    asks its job to stop, and brings its outputs back; --now kills it
  clean   removes what is left of runs that were killed before their job started;
          with --older 30d, also the records of runs that ended before that
  push    sends a run to the MLflow server at MLFLOW_TRACKING_URI; if that is set
          when the run starts, amlfix run does so itself`,
		UsageText: `amlfix runs list
amlfix runs show
amlfix runs logs --follow 3f2a
amlfix runs attach
amlfix runs stop --now 20261120-101112-3f2a7c
amlfix runs clean --older 30d
amlfix runs push`,
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "follow", Aliases: []string{"f"}, Usage: "logs: continue until the run is over"},
			&cli.BoolFlag{Name: "now", Usage: "stop: kill the job at once, without time to end by itself"},
			&cli.StringFlag{Name: "older", Usage: "clean: remove the records of runs that ended more than `TIME` ago, such as 12h or 30d"},
			&cli.BoolFlag{Name: "orphans", Usage: "clean: remove ended containers and folders of runs that have no record here; other projects may still need them"},
			cli.FormatFlag(),
		}, cli.ColourFlags()...),
		Operands: jobs.RunsWords,
		Action:   c.runs,
	}
}

func (c *call) runs(ctx *cli.Context) error {
	return c.jobs().Runs(ctx.Context, ctx.Args().Slice(), jobs.RunsOptions{
		Follow: ctx.Bool("follow"), Now: ctx.Bool("now"), Orphans: ctx.Bool("orphans"), Older: ctx.String("older"),
		Format:   func() (report.Format, error) { return cli.Format(ctx) },
		Coloured: func() (bool, error) { return c.Coloured(ctx) },
	})
}
