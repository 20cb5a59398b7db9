package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/runtime"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/record"
)

// runsAction is one of the words that follow `amlfix runs`.
type runsAction struct {
	candidate
	flags []string // of its own
	do    func(*Command, *cli.Context, runs, []string) error
}

func runsActions() []runsAction {
	return []runsAction{
		{candidate{"list", "list the runs, the newest last"}, []string{"format"}, (*Command).listRuns},
		{candidate{"show", "show all that is known of a run"}, []string{"format"}, (*Command).showRun},
		{candidate{"logs", "print what a run has printed"}, []string{"follow", "f"}, (*Command).logsOfRun},
		{candidate{"attach", "go on with a run whose amlfix was killed, or watch it"}, nil, (*Command).attachToRun},
		{candidate{"stop", "ask a run's job to stop"}, []string{"now"}, (*Command).stopRun},
		{candidate{"clean", "remove what killed runs have left behind, and old records"}, []string{"older", "orphans"}, (*Command).cleanRuns},
		{candidate{"push", "send a run to an MLflow server"}, nil, (*Command).pushRun},
	}
}

func (c *Command) runsCommand() *cli.Command {
	return &cli.Command{
		Name:      "runs",
		Usage:     "list past and present runs, and go on with them",
		ArgsUsage: "list|show|logs|attach|stop|clean|push [FLAGS] [RUN]",
		Description: `Every run leaves a record in its project, in .amlfix/runs/ (a run configuration
with TrackedRun: false leaves none): what ran, its output, metrics, outputs/, the
image, the git commit, how it ended and what is known of the GPU. RUN is its id or
any part of it that no other run has; without it the newest run that fits is meant.

  list    the runs of the projects at hand, the newest last
  show    all that is known of a run
  logs    what it has printed; --follow goes on until it is over
  attach  goes on with a run whose amlfix was killed or has lost the connection:
          the rest of the output, its outputs/, its exit status. While another
          amlfix is at work on the run its output is only shown.
  stop    asks its job to stop, and brings its outputs back; --now kills it
  clean   removes what runs have left behind that were killed before their job was
          started; --older 30d also the records of runs that ended before that
  push    sends a run to the MLflow server at MLFLOW_TRACKING_URI; when that is set
          while the run goes on, amlfix run does so itself`,
		UsageText: `amlfix runs list
amlfix runs show
amlfix runs logs --follow 3f2a
amlfix runs attach
amlfix runs stop --now 20261120-101112-3f2a7c
amlfix runs clean --older 30d
amlfix runs push`,
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "follow", Aliases: []string{"f"}, Usage: "logs: go on until the run is over"},
			&cli.BoolFlag{Name: "now", Usage: "stop: kill the job, without time to end by itself"},
			&cli.StringFlag{Name: "older", Usage: "clean: remove the records of runs that ended more than `TIME` ago, such as 12h or 30d"},
			&cli.BoolFlag{Name: "orphans", Usage: "clean: remove ended containers and folders of runs that have no record here; other projects may still need them"},
			formatFlag(),
		}, colourFlags()...),
		Action: c.runs,
	}
}

// misplaced returns an error for a flag that another subcommand of runs has than
// the one that is named.
func misplaced(command *cli.Command, flag string, args []string) error {
	if command.Name != "runs" {
		return nil
	}
	own, owners := runsActions()[0], []string(nil)
	for _, a := range runsActions() {
		if slices.Contains(args, a.word) {
			own = a
		}
		if slices.Contains(a.flags, flag) {
			owners = append(owners, a.word)
		}
	}
	if len(owners) == 0 || slices.Contains(own.flags, flag) {
		return nil
	}
	return usage("runs", "amlfix runs %s has no flag %s: it belongs to %s", own.word, dashed(flag), strings.Join(owners, " and "))
}

// runs dispatches `amlfix runs ACTION`.
func (c *Command) runs(ctx *cli.Context) error {
	actions := runsActions()
	var words []string
	for _, a := range actions {
		words = append(words, a.word)
	}
	args := ctx.Args().Slice()
	if len(args) == 0 {
		args = []string{"list"}
	}
	at := slices.Index(words, args[0])
	if at < 0 {
		return usage("runs", "%q is none of %s%s", args[0], strings.Join(words, ", "), didYouMean(args[0], words, asIs))
	}
	if len(args) > 2 {
		return usage("runs", "one run at a time: %q is too much", args[2])
	}
	if _, err := format(ctx); err != nil {
		return err
	}
	all, err := c.findRuns()
	if err != nil {
		return err
	}
	return actions[at].do(c, ctx, all, args[1:])
}

// runs are the records of the projects at hand, the newest last.
type runs []foundRun

// foundRun is a record and the project it was found in.
type foundRun struct {
	record.Entry
	project string // as it is shown; "" when it is the folder at hand
}

// findRuns reads all records. Those that cannot be read are said.
func (c *Command) findRuns() (all runs, err error) {
	paths := []string{"."}
	if up := c.projectAbove(); up != "" {
		paths = []string{up}
	}
	f := c.discover(paths)
	if f.unreadable() {
		return nil, status(statusFailure)
	}
	for _, r := range f.roots {
		list, err := record.List(r.Dir)
		if err != nil {
			c.say("%v", err)
		}
		for _, e := range list {
			all = append(all, foundRun{e, r.shown})
		}
	}
	slices.SortStableFunc(all, func(a, b foundRun) int { return a.Created.Compare(b.Created) })
	return all, nil
}

// pick returns the run that is meant: the one whose id has the given part, or
// without any the newest that fits.
func (all runs) pick(args []string, fits func(foundRun) bool, none string) (foundRun, error) {
	if len(all) == 0 {
		return foundRun{}, usage("runs", "there are no runs here: amlfix run starts one")
	}
	if len(args) == 0 || args[0] == "" {
		for _, r := range slices.Backward(all) {
			if fits(r) {
				return r, nil
			}
		}
		return foundRun{}, usage("runs", "%s", none)
	}
	var found runs
	for _, r := range all {
		if r.ID.String() == args[0] {
			return r, nil
		}
		if strings.Contains(r.ID.String(), args[0]) {
			found = append(found, r)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) == 0:
		return foundRun{}, usage("runs", "there is no run %s here: amlfix runs list shows them", args[0])
	}
	table := new(ui.Table)
	for _, r := range found {
		table.Row(r.ID.String(), r.job(), r.state())
	}
	var b strings.Builder
	table.Write(&b, "  ")
	return foundRun{}, usage("runs", "%s is a part of several ids:\n%s", args[0], strings.TrimSuffix(b.String(), "\n"))
}

func anyRun(foundRun) bool { return true }

// job is what ran, in short.
func (r foundRun) job() string {
	words := r.Arguments
	if len(words) == 0 {
		words = []string{r.Name}
	}
	return strings.Join(words, " ")
}

// state is how the run is, in a word or two. A run that nobody is at work on
// and that is not over was left: its job may be running.
func (r foundRun) state() string {
	switch {
	case r.Over():
		return r.Outcome
	case r.Live:
		return string(r.State)
	case r.MayRun():
		return string(progress.Detached)
	}
	return "left while " + string(r.State)
}

// paint colours a state.
func (r foundRun) paint(style ui.Style) func(string) string {
	switch {
	case !r.Over() && r.Live:
		return style.Cyan
	case !r.Over(), r.Outcome == string(runtime.Lost), r.Outcome == string(runtime.Cancelled):
		return style.Yellow
	case r.Outcome == string(runtime.Succeeded):
		return style.Green
	}
	return style.Red
}

// errGone tells that a record went away while it was being followed.
var errGone = errors.New("its record is gone: it is over, and its run configuration asks for no record")

// gone is an error when the record is no longer there.
func (r foundRun) gone() error {
	if _, err := r.Again(); err != nil {
		return fmt.Errorf("run %s: %w", r.ID, errGone)
	}
	return nil
}
