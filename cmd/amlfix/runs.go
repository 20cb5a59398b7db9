package main

import (
	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/jobs"
	"github.com/amlfix/amlfix/cmd/internal/ui"
)

const runsDescription = `Every run leaves a record in its project, in .amlfix/runs/ (a run configuration
with TrackedRun: false leaves none): what ran, its output, metrics, outputs/, the
image, the git commit, how it ended and what is known about the GPU. RUN is its id
or any unique part of it; the default is the newest run that fits.

  list    lists the runs of the projects found from this folder, newest last
  show    shows everything that is known about a run
  logs    prints the output of a run; --follow continues until the run has ended
  attach  resumes a run whose amlfix process was killed or lost the connection:
          the rest of the output, its outputs/, its exit status. While another
          amlfix process follows the run, only its output is shown.
  fetch   copies back outputs/ that could not be copied, for example on a full
          disk; until then list and show say "outputs missing"
  stop    asks the job to stop, and copies its outputs back; --now kills it
  compare shows metrics, parameters and plans of two runs side by side: the last
          two, unless their ids are given
  report  writes what is known about a run as one page for a browser: verdict,
          charts of metrics and GPUs, plan with its lines, environment, outputs,
          log. It needs no network. With -o FILE it is written to a file.
  clean   removes what is left of runs of this project that were killed before
          their job started; with --older 30d, also the records of runs that
          ended before that; with --orphans, ended containers and folders of
          runs without a record; with --environments, images built from conda
          files and Dockerfiles, and claims that amlfix has created in clusters;
          with --copies, the copies of the project that stay where its jobs run.
          --dry-run only prints what would be removed. Outputs that exist
          nowhere else are never removed.
  push    sends a run to the MLflow server at MLFLOW_TRACKING_URI; if that is
          set when the run starts, amlfix run does so itself`

func (c *call) runsCommand() *cli.Command {
	return &cli.Command{
		Name:        "runs",
		Misplaced:   jobs.MisplacedFlag,
		Usage:       "list past and present runs, and resume them",
		ArgsUsage:   "list|show|logs|attach|fetch [FLAGS] [RUN]\nstop|compare|report|clean|push [FLAGS] [RUN]",
		Description: runsDescription,
		UsageText: `amlfix runs list
amlfix runs show
amlfix runs logs --follow 3f2a
amlfix runs attach
amlfix runs stop --now 20261120-101112-3f2a7c
amlfix runs fetch
amlfix runs compare 3f2a 9c01
amlfix runs report -o run.html
amlfix runs clean --older 30d --dry-run
amlfix runs clean --environments
amlfix runs push`,
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "follow", Aliases: []string{"f"}, Usage: "logs: continue until the run has ended"},
			&cli.BoolFlag{Name: "now", Usage: "stop: kill the job at once, without giving it time to end"},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "report: write the page to `FILE`"},
			&cli.StringFlag{Name: "older", Usage: "clean: remove the records of runs that ended more than `TIME` ago, such as 12h or 30d"},
			&cli.BoolFlag{Name: "orphans", Usage: "clean: remove ended containers and folders of runs of this project that have no record here"},
			&cli.BoolFlag{Name: "environments", Usage: "clean: list the environments that runs of this project have used, with their sizes, and remove them, and claims of clusters"},
			&cli.BoolFlag{Name: "copies", Usage: "clean: remove the copies of this project that stay where its jobs run, so that runs send only what has changed"},
			&cli.BoolFlag{Name: "all", Usage: "clean: clean all projects, not only this one"},
			&cli.BoolFlag{Name: "dry-run", Usage: "clean: only print what would be removed"},
			&cli.BoolFlag{Name: "yes", Usage: "clean: remove environments without asking"},
			cli.FormatFlag(),
		}, cli.ColourFlags()...),
		Operands: jobs.RunsWords,
		Action:   c.runs,
	}
}

func (c *call) runs(ctx *cli.Context) error {
	return c.jobs().Runs(ctx.Context, ctx.Args().Slice(), jobs.RunsOptions{
		Follow: ctx.Bool("follow"), Now: ctx.Bool("now"), Orphans: ctx.Bool("orphans"), Environments: ctx.Bool("environments"), Copies: ctx.Bool("copies"), All: ctx.Bool("all"), DryRun: ctx.Bool("dry-run"), Yes: ctx.Bool("yes"), Older: ctx.String("older"), Output: ctx.String("output"),
		JSON:  func() (bool, error) { return cli.JSON(ctx) },
		Style: func() (ui.Style, error) { return c.style(ctx) },
	})
}
